// Unpacks gzip and zstd, several members or frames in a row included.
#include <cstring>
#include <string_view>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "suffice/read/bytes.hpp"

namespace suffice {
namespace {

// Packed bytes, read in pieces; the unpackers below consume them.
class PackedSource : public ByteSource {
public:
    PackedSource(RawFile& raw, std::string path) : raw_(raw), path_(std::move(path)), input_(std::size_t{1} << 16) {}
    std::uint64_t consumed() const override { return raw_.consumed(); }

protected:
    bool exhausted() const { return next_ == size_; }
    Result<void> refill() {
        auto got = raw_.read(input_.data(), input_.size());
        if (!got) return got.error();
        next_ = 0;
        size_ = *got;
        return {};
    }
    Error truncated(const char* format) const {
        return Error("the file ends in the middle of its " + std::string(format) + " data; it was cut off")
            .in_file(path_);
    }
    Error corrupt(const char* format) const {
        return Error("the " + std::string(format) + " data of the file is damaged").in_file(path_);
    }

    RawFile& raw_;
    std::string path_;
    std::vector<char> input_;
    std::size_t next_ = 0, size_ = 0;
    bool inside_ = false;  // a member or frame has begun and not ended
};

class GzipSource final : public PackedSource {
public:
    GzipSource(RawFile& raw, std::string path) : PackedSource(raw, std::move(path)) {
        ready_ = ::inflateInit2(&stream_, 15 + 16) == Z_OK;  // 16: a gzip header is expected
    }
    ~GzipSource() override {
        if (ready_) ::inflateEnd(&stream_);
    }

    Result<std::size_t> read(char* into, std::size_t size) override {
        if (!ready_) return Error(ErrorKind::internal, "the gzip unpacker could not start").in_file(path_);
        std::size_t written = 0;
        while (written < size && !ended_) {
            if (exhausted()) {
                if (auto more = refill(); !more) return more.error();
                if (exhausted()) {
                    if (inside_) return truncated("gzip");
                    ended_ = true;
                    break;
                }
            }
            if (!inside_ && input_[next_] == 0) {  // tapes and some tools fill up with zeros
                ++next_;
                continue;
            }
            if (auto step = inflate_some(into, size, written); !step) return step.error();
        }
        return written;
    }

private:
    Result<void> inflate_some(char* into, std::size_t size, std::size_t& written) {
        inside_ = true;
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + next_);
        stream_.avail_in = static_cast<uInt>(size_ - next_);
        stream_.next_out = reinterpret_cast<Bytef*>(into + written);
        stream_.avail_out = static_cast<uInt>(std::min(size - written, std::size_t{1} << 30));
        const uInt room = stream_.avail_out;
        const int outcome = ::inflate(&stream_, Z_NO_FLUSH);
        next_ = size_ - stream_.avail_in;
        written += room - stream_.avail_out;
        if (outcome == Z_STREAM_END) {
            inside_ = false;
            ::inflateReset(&stream_);
        } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
            return corrupt("gzip");
        }
        return {};
    }

    z_stream stream_{};
    bool ready_ = false, ended_ = false;
};

class ZstdSource final : public PackedSource {
public:
    ZstdSource(RawFile& raw, std::string path) : PackedSource(raw, std::move(path)), stream_(::ZSTD_createDStream()) {}
    ~ZstdSource() override { ::ZSTD_freeDStream(stream_); }

    Result<std::size_t> read(char* into, std::size_t size) override {
        if (stream_ == nullptr) return Error(ErrorKind::internal, "the zstd unpacker could not start").in_file(path_);
        ZSTD_outBuffer out{into, size, 0};
        while (out.pos < size) {
            if (exhausted() && !flushing_) {
                if (auto more = refill(); !more) return more.error();
                if (exhausted()) {
                    if (inside_) return truncated("zstd");
                    break;
                }
            }
            ZSTD_inBuffer in{input_.data(), size_, next_};
            const std::size_t outcome = ::ZSTD_decompressStream(stream_, &out, &in);
            if (::ZSTD_isError(outcome)) return corrupt("zstd");
            next_ = in.pos;
            inside_ = outcome != 0;
            flushing_ = inside_ && out.pos == out.size;  // it may hold more than there was room for
        }
        return out.pos;
    }

private:
    ZSTD_DStream* stream_;
    bool flushing_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_gzip(RawFile& raw, std::string path) {
    return std::make_unique<GzipSource>(raw, std::move(path));
}

std::unique_ptr<ByteSource> unpack_zstd(RawFile& raw, std::string path) {
    return std::make_unique<ZstdSource>(raw, std::move(path));
}

}  // namespace suffice
