// The unpacked bytes of one file after the other: a look at the start of each, then all of it in pieces. Files of other
// formats than delimited text are rewritten as CSV (rewritten.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "suffice/read/bytes.hpp"

namespace suffice {

class CsvBytes {
public:
    CsvBytes(bool keep_for_rewind, bool latin1, std::string query = {})
        : keep_(keep_for_rewind), latin1_(latin1), query_(std::move(query)) {}

    // The file from its start; `number` tells a pipe that was kept from the others. Errors name `name`.
    Result<void> open(std::size_t number, const std::string& path, const std::string& name);
    void close();  // a pipe, which cannot be opened a second time, stays open until it is asked for again
    void read_as_latin1() { latin1_ = true; }  // from the next open on
    bool is_open() const { return source_ != nullptr; }
    bool is_rewritten() const { return rewritten_; }
    std::int64_t line_shift() const { return line_shift_; }  // from lines of the CSV to those of the file
    void stop_keeping();

    Result<void> look(std::size_t wanted);  // reads on until start() is so long or the file ends
    std::string_view start() const { return std::string_view(start_).substr(next_); }
    bool start_is_all() const { return ended_; }  // the file ends where start() ends
    void skip(std::size_t count);                 // so many bytes of start() are not wanted

    Result<std::size_t> read(char* into, std::size_t size);  // less than `size` only at the end
    bool at_end() const { return ended_ && next_ == start_.size(); }
    std::uint64_t consumed() const { return source_->consumed(); }

private:
    Result<void> rewrite(const std::string& path, const std::string& name);

    bool keep_, latin1_, rewritten_ = false;
    std::int64_t line_shift_ = 0;
    std::string query_;  // of database files
    std::size_t number_ = 0;
    std::map<std::size_t, std::unique_ptr<RawFile>> kept_;  // pipes
    std::unique_ptr<RawFile> raw_;
    std::unique_ptr<ByteSource> source_;
    std::string start_;  // looked at; read up to `next_`
    std::size_t next_ = 0;
    bool ended_ = false;
};

}  // namespace suffice
