// Rows as they come in bodies, and what a model says of them.
#pragma once
#include <limits>
#include <span>

#include "server/served.hpp"
#include <nlohmann/json_fwd.hpp>

namespace suffice::server {

using Json = nlohmann::json;

struct Scores {
    std::size_t rows = 0;
    std::vector<double> posteriors = {};    // rows x classes
    std::vector<double> log_evidence = {};  // by row, where it was asked for
};

// Bytes under a path that readers of files can open; they are nowhere on a disk.
class MemoryFile {
public:
    static Result<MemoryFile> of(std::string_view bytes);
    MemoryFile(MemoryFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile();
    std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

private:
    explicit MemoryFile(int number) : number_(number) {}
    int number_;
};

// The whole body as JSON; an Error says where it is none.
Result<Json> parse_json(std::string_view text);
// One JSON value on each line.
Result<Json> parse_lines(std::string_view text);

// Lines of CSV with a header, for models whose rows must be read as files are: text and dates. With `target` every row
// must have the class.
Result<std::string> csv_of(const Json& rows, const Schema& schema, bool target);

Result<Scores> score_json(const Served& served, const std::shared_ptr<const Version>& version, const Json& rows,
                          bool evidence);
struct BytesOptions {
    bool sender_saw_header = true;  // else messages count rows from the one behind the header
    std::size_t most_rows =
        std::numeric_limits<std::size_t>::max();  // where there are more, scores are cut short behind them
};
// CSV or Arrow, as files are read.
Result<Scores> score_bytes(const Served& served, const std::shared_ptr<const Version>& version, std::string_view bytes,
                           bool evidence, BytesOptions options);
Result<Scores> score_block(const Predictor& predictor, const Block& rows, bool evidence);

// An error about bytes that came over the network: without the path that they were given.
Error about_body(Error error, bool sender_saw_header);

}  // namespace suffice::server
