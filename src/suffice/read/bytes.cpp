// Reads files and pipes, spools what cannot be read twice, and turns Latin-1 into UTF-8.
#include "suffice/read/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>

namespace suffice {
namespace {

class Latin1Source final : public ByteSource {
public:
    explicit Latin1Source(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

    Result<std::size_t> read(char* into, std::size_t size) override {
        std::size_t written = 0;
        while (written < size) {
            if (next_ == held_.size()) {
                if (auto more = refill(); !more) return more.error();
                if (held_.empty()) break;
            }
            const std::size_t count = std::min(size - written, held_.size() - next_);
            std::memcpy(into + written, held_.data() + next_, count);
            written += count;
            next_ += count;
        }
        return written;
    }
    std::uint64_t consumed() const override { return bytes_->consumed(); }

private:
    Result<void> refill() {
        raw_.resize(std::size_t{1} << 16);
        auto got = bytes_->read(raw_.data(), raw_.size());
        if (!got) return got.error();
        held_.clear();
        next_ = 0;
        for (std::size_t k = 0; k < *got; ++k) {
            const auto byte = static_cast<unsigned char>(raw_[k]);
            if (byte < 0x80) {
                held_.push_back(raw_[k]);
            } else {
                held_.push_back(static_cast<char>(0xC0 | byte >> 6));
                held_.push_back(static_cast<char>(0x80 | (byte & 0x3F)));
            }
        }
        return {};
    }

    std::unique_ptr<ByteSource> bytes_;
    std::vector<char> raw_, held_;
    std::size_t next_ = 0;
};

// Bytes as they are; the file stays with its owner.
class PlainSource final : public ByteSource {
public:
    explicit PlainSource(RawFile& raw) : raw_(raw) {}
    Result<std::size_t> read(char* into, std::size_t size) override { return raw_.read(into, size); }
    std::uint64_t consumed() const override { return raw_.consumed(); }

private:
    RawFile& raw_;
};

}  // namespace

Result<std::unique_ptr<RawFile>> RawFile::open(const std::string& path, bool keep_for_rewind) {
    const int file =
        path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::unique_ptr<RawFile> raw(new RawFile(path == "-" ? "stdin" : path, file));
    if (file < 0) return errno == ENOENT ? Error("there is no such file").in_file(path) : raw->failure("opened");
    struct stat about{};
    if (::fstat(file, &about) != 0) return raw->failure("opened");
    if (S_ISDIR(about.st_mode)) return Error("this is a directory, not a file").in_file(path);
    raw->seekable_ = S_ISREG(about.st_mode) && path != "-";
    raw->keeps_ = !raw->seekable_ && keep_for_rewind;
    if (raw->keeps_) raw->spool_ = make_spool();
    return raw;
}

RawFile::~RawFile() {
    if (file_ >= 0) ::close(file_);
    if (spool_ >= 0) ::close(spool_);
}

Error RawFile::failure(const char* what) const {
    return Error(errno == EACCES ? ErrorKind::input : ErrorKind::io,
                 "the file could not be " + std::string(what) + ": " + std::strerror(errno))
        .in_file(path_);
}

Result<std::size_t> RawFile::read_file(char* into, std::size_t size) {
    std::size_t got = 0;
    while (got < size) {
        const ssize_t count = ::read(file_, into + got, std::min(size - got, std::size_t{1} << 30));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("read");
        if (count == 0) break;
        got += static_cast<std::size_t>(count);
    }
    return got;
}

// What an earlier pass kept, then what is still in the pipe, keeping that too.
Result<std::size_t> RawFile::read_spool(char* into, std::size_t size) {
    std::size_t got = 0;
    while (got < size && position_ + got < spooled_) {
        const std::size_t want = std::min<std::uint64_t>(size - got, spooled_ - position_ - got);
        const ssize_t count = ::pread(spool_, into + got, want, static_cast<off_t>(position_ + got));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return failure("read again from its temporary copy");
        got += static_cast<std::size_t>(count);
    }
    if (got == size) return got;
    auto fresh = read_file(into + got, size - got);
    if (!fresh) return fresh;
    if (!keeps_) {
        lost_ = lost_ || *fresh > 0;
        return got + *fresh;
    }
    if (!write_all(spool_, into + got, *fresh, spooled_)) return failure("copied to a temporary file");
    spooled_ += *fresh;
    return got + *fresh;
}

Result<std::size_t> RawFile::read(char* into, std::size_t size) {
    const std::size_t early = std::min(size, peeked_.size());
    std::memcpy(into, peeked_.data(), early);
    peeked_.erase(0, early);
    auto got = spool_ >= 0 ? read_spool(into + early, size - early) : read_file(into + early, size - early);
    if (!got) return got;
    *got += early;
    position_ += *got;
    return got;
}

Result<std::string> RawFile::peek(std::size_t size) {
    std::string bytes(size, '\0');
    auto got = read(bytes.data(), size);
    if (!got) return got.error();
    bytes.resize(*got);
    if (seekable_ || spool_ >= 0) {
        if (auto back = rewind(); !back) return back.error();
    } else {
        peeked_ = bytes;
        position_ = 0;
    }
    return bytes;
}

Result<void> RawFile::rewind() {
    position_ = 0;
    if (spool_ >= 0 && !lost_) return {};
    if (keeps_)
        return Error(ErrorKind::io, "no temporary file could be made to keep the input for a second pass; set TMPDIR")
            .in_file(path_);
    if (!seekable_)
        return Error("the input is a pipe and was not kept for a second pass; save it to a file and name that")
            .in_file(path_);
    if (::lseek(file_, 0, SEEK_SET) < 0) return failure("read a second time");
    return {};
}

int make_spool() {
    const char* folder = std::getenv("TMPDIR");
    std::string name = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/suffice-XXXXXX";
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) ::unlink(name.c_str());
    return file;
}

bool write_all(int file, const char* from, std::size_t size, std::uint64_t at) {
    while (size > 0) {
        const ssize_t done = ::pwrite(file, from, size, static_cast<off_t>(at));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        size -= static_cast<std::size_t>(done);
        at += static_cast<std::uint64_t>(done);
    }
    return true;
}

std::optional<std::uint64_t> regular_size(const std::string& path) {
    struct stat about{};
    if (path == "-" || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(about.st_size);
}

Packing packing_of(const std::string& first_bytes) {
    using namespace std::string_view_literals;
    const std::string_view start = first_bytes;
    if (start.starts_with("\x1f\x8b"sv)) return Packing::gzip;
    if (start.starts_with("\x28\xb5\x2f\xfd"sv)) return Packing::zstd;
    if (start.starts_with("BZh"sv) && start.size() > 4 && start.substr(4).starts_with("1AY"sv))
        return Packing::unsupported;
    if (start.starts_with("\xfd\x37zXZ\0"sv)) return Packing::unsupported;
    return Packing::none;
}

std::unique_ptr<ByteSource> latin1_to_utf8(std::unique_ptr<ByteSource> bytes) {
    return std::make_unique<Latin1Source>(std::move(bytes));
}

Result<std::unique_ptr<ByteSource>> open_bytes(RawFile& raw, const std::string& path, bool latin1) {
    auto start = raw.peek(8);
    if (!start) return start.error();
    std::unique_ptr<ByteSource> bytes;
    switch (packing_of(*start)) {
        case Packing::none:
            bytes = std::make_unique<PlainSource>(raw);
            break;
        case Packing::gzip:
            bytes = unpack_gzip(raw, path);
            break;
        case Packing::zstd:
            bytes = unpack_zstd(raw, path);
            break;
        case Packing::unsupported:
            return Error("the file is packed in a way that is not read; unpack it, or pack it with gzip or zstd")
                .in_file(path);
    }
    if (latin1) bytes = latin1_to_utf8(std::move(bytes));
    return bytes;
}

}  // namespace suffice
