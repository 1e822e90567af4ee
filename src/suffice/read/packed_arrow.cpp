// Copies what a pipe or a packed file holds to unlinked temporary files and has these read.
#include "suffice/read/packed_arrow.hpp"

#include <unistd.h>
#include <utility>
#include <vector>

#include "suffice/read/arrow_library.hpp"
#include "suffice/read/arrow_start.hpp"
#include "suffice/read/number_words.hpp"

namespace suffice {
namespace {

// An open file without a name; others open it through the system's list of open files.
class Spool {
public:
    Spool() : file_(make_spool()) {}
    ~Spool() {
        if (file_ >= 0) ::close(file_);
    }
    Spool(Spool&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Spool& operator=(Spool&&) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

    Result<void> fill(CsvBytes& bytes, const std::string& name) {
        std::vector<char> some(std::size_t{1} << 18);
        for (std::uint64_t written = 0;;) {
            const auto got = bytes.read(some.data(), some.size());
            if (!got) return got.error();
            if (*got == 0) return {};
            if (file_ < 0 || !write_all(file_, some.data(), *got, written))
                return Error(ErrorKind::io, "no temporary file could be written to unpack the input into; set TMPDIR")
                    .in_file(name);
            written += *got;
        }
    }

private:
    int file_;
};

}  // namespace

bool starts_as_arrow(std::string_view first_bytes) { return arrow_start(first_bytes) != ArrowStart::none; }

Result<bool> is_plain_arrow(const std::string& file) {
    if (!regular_size(file)) return false;
    auto raw = RawFile::open(file, false);
    if (!raw) return raw.error();
    auto start = (*raw)->peek(8);
    if (!start) return start.error();
    return starts_as_arrow(*start);
}

Result<std::unique_ptr<TableReader>> open_arrow_files(const std::vector<std::string>& files, CsvBytes& first,
                                                      const ReadOptions& options) {
    std::vector<Spool> spools;
    std::vector<ArrowSource> sources;
    for (std::size_t file = 0; file < files.size(); ++file) {
        const std::string name = files[file] == "-" ? "stdin" : files[file];
        const auto plain = is_plain_arrow(files[file]);
        if (!plain) return plain.error();
        if (*plain) {
            sources.push_back({files[file], name, files[file]});
            continue;
        }
        CsvBytes other(false, false);
        if (file > 0)
            if (auto opened = other.open(file, files[file], name); !opened) return opened.error();
        Spool& spool = spools.emplace_back();
        if (auto filled = spool.fill(file == 0 ? first : other, name); !filled) return filled.error();
        sources.push_back({spool.path(), name, files[file]});
    }
    auto reader = open_arrow(sources, options);  // which opens the files once more, for itself
    if (!reader) return reader.error();
    return with_number_words(std::move(*reader), options);
}

}  // namespace suffice
