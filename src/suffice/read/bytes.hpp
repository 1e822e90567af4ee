// Where bytes come from: a file, a pipe or stdin, unpacked if they are gzip or zstd.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "suffice/base/result.hpp"

namespace suffice {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual Result<std::size_t> read(char* into, std::size_t size) = 0;  // less than `size` only at the end
    virtual std::uint64_t consumed() const = 0;  // bytes of the file taken so far, packed or not
};

// Bytes as they lie in the file. A pipe that must be read again is copied to an unlinked temporary file on the way.
class RawFile final : public ByteSource {
public:
    static Result<std::unique_ptr<RawFile>> open(const std::string& path, bool keep_for_rewind);
    ~RawFile() override;
    RawFile(const RawFile&) = delete;
    RawFile& operator=(const RawFile&) = delete;

    Result<std::size_t> read(char* into, std::size_t size) override;
    std::uint64_t consumed() const override { return position_; }
    bool can_be_opened_again() const { return seekable_; }  // not so of pipes
    Result<void> rewind();
    void stop_keeping() { keeps_ = false; }      // what is spooled is still read; what comes after it is not kept
    Result<std::string> peek(std::size_t size);  // the first bytes, left to be read; call before any read

private:
    RawFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
    Result<std::size_t> read_file(char* into, std::size_t size);
    Result<std::size_t> read_spool(char* into, std::size_t size);
    Error failure(const char* what) const;

    std::string path_;
    int file_ = -1, spool_ = -1;
    bool seekable_ = false, keeps_ = false, lost_ = false;  // lost: some of a pipe was handed out and not kept
    std::string peeked_;                                    // read from a pipe, not handed out yet
    std::uint64_t position_ = 0, spooled_ = 0;
};

// Bytes of a regular file; nothing for a pipe, stdin or what is not there. Opens nothing: a pipe would notice.
std::optional<std::uint64_t> regular_size(const std::string& path);

int make_spool();  // an unlinked file in TMPDIR; -1 where none can be made
bool write_all(int file, const char* from, std::size_t size, std::uint64_t at);

// How a file that starts so is packed.
enum class Packing { none, gzip, zstd, unsupported };
Packing packing_of(const std::string& first_bytes);

// `raw` must outlive the sources made of it. Errors name `path`.
std::unique_ptr<ByteSource> unpack_gzip(RawFile& raw, std::string path);
std::unique_ptr<ByteSource> unpack_zstd(RawFile& raw, std::string path);
std::unique_ptr<ByteSource> latin1_to_utf8(std::unique_ptr<ByteSource> bytes);

// The unpacked bytes of `raw` from its current start, in UTF-8 if it says latin1.
Result<std::unique_ptr<ByteSource>> open_bytes(RawFile& raw, const std::string& path, bool latin1);

}  // namespace suffice
