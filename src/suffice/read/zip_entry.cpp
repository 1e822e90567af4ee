// Reads zip archives: the directory at their end, then entries that are stored or deflated (APPNOTE.TXT 6.3.10).
#include "suffice/read/zip_entry.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <zlib.h>

namespace suffice {
namespace {

constexpr std::size_t end_size = 22, directory_size = 46, header_size = 30, most_comment = 65535;
constexpr std::uint64_t most_whole = std::uint64_t{1} << 30;  // of an entry that is read in one piece

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t k = size; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
    return value;
}

Error damaged_zip(const std::string& path) {
    return Error("the file starts as a zip archive and does not end as one; it may be cut off").in_file(path);
}

class Entry final : public ByteSource {
public:
    Entry(std::ifstream file, std::string path, std::uint64_t packed, bool deflated)
        : file_(std::move(file)), path_(std::move(path)), left_(packed), deflated_(deflated) {
        if (deflated_ && inflateInit2(&stream_, -MAX_WBITS) != Z_OK) failed_ = true;
    }
    ~Entry() override {
        if (deflated_) inflateEnd(&stream_);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    Result<std::size_t> read(char* into, std::size_t size) override {
        if (failed_) return damaged_zip(path_);
        if (!deflated_) return take(into, size);
        stream_.next_out = reinterpret_cast<Bytef*>(into);
        stream_.avail_out = static_cast<uInt>(size);
        while (stream_.avail_out > 0 && !ended_) {
            if (stream_.avail_in == 0) {
                stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
                stream_.avail_in = static_cast<uInt>(take(packed_.data(), packed_.size()));
                if (stream_.avail_in == 0) break;
            }
            const int done = inflate(&stream_, Z_NO_FLUSH);
            ended_ = done == Z_STREAM_END;
            if (done != Z_OK && !ended_) return damaged_zip(path_);
        }
        return size - stream_.avail_out;
    }
    std::uint64_t consumed() const override { return consumed_; }

private:
    std::size_t take(char* into, std::size_t size) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
        file_.read(into, static_cast<std::streamsize>(wanted));
        const auto got = static_cast<std::size_t>(file_.gcount());
        left_ -= got;
        consumed_ += got;
        return got;
    }

    std::ifstream file_;
    std::string path_;
    std::uint64_t left_, consumed_ = 0;
    bool deflated_, ended_ = false, failed_ = false;
    z_stream stream_{};
    std::array<char, 1 << 16> packed_{};
};

}  // namespace

Result<ZipArchive> ZipArchive::open(const std::string& path) {
    ZipArchive made;
    made.path_ = path;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
    std::string tail(std::min<std::uint64_t>(size, end_size + most_comment), '\0');
    file.seekg(static_cast<std::streamoff>(size - tail.size()));
    file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
    const std::size_t end = tail.rfind("PK\x05\x06");
    if (!file || end == std::string::npos || tail.size() - end < end_size) return damaged_zip(path);
    const std::uint64_t length = number_at(tail, end + 12, 4), start = number_at(tail, end + 16, 4);
    if (start + length > size) return damaged_zip(path);
    std::string directory(length, '\0');
    file.seekg(static_cast<std::streamoff>(start));
    file.read(directory.data(), static_cast<std::streamsize>(length));
    for (std::size_t at = 0; at + directory_size <= directory.size();) {
        if (std::string_view(directory).substr(at, 4) != "PK\x01\x02") break;
        const std::uint64_t name = number_at(directory, at + 28, 2), extra = number_at(directory, at + 30, 2),
                            comment = number_at(directory, at + 32, 2);
        if (at + directory_size + name > directory.size()) break;
        made.places_.push_back({directory.substr(at + directory_size, name), number_at(directory, at + 42, 4),
                                number_at(directory, at + 20, 4),
                                static_cast<std::uint16_t>(number_at(directory, at + 10, 2))});
        at += directory_size + name + extra + comment;
    }
    if (made.places_.empty()) return damaged_zip(path);
    return made;
}

bool ZipArchive::holds(std::string_view name) const {
    return std::ranges::find(places_, name, &Place::name) != places_.end();
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> all;
    for (const Place& place : places_) all.push_back(place.name);
    return all;
}

Result<std::unique_ptr<ByteSource>> ZipArchive::entry(std::string_view name) const {
    const auto place = std::ranges::find(places_, name, &Place::name);
    if (place == places_.end()) return Error("the archive holds no " + std::string(name)).in_file(path_);
    if (place->method != 0 && place->method != 8)
        return Error("the archive packs " + std::string(name) + " in a way that is not known here").in_file(path_);
    std::ifstream file(path_, std::ios::binary);
    std::string header(header_size, '\0');
    file.seekg(static_cast<std::streamoff>(place->header));
    file.read(header.data(), header_size);
    if (!file || !header.starts_with("PK\x03\x04")) return damaged_zip(path_);
    file.seekg(
        static_cast<std::streamoff>(place->header + header_size + number_at(header, 26, 2) + number_at(header, 28, 2)));
    return std::unique_ptr<ByteSource>(
        std::make_unique<Entry>(std::move(file), path_, place->packed_size, place->method == 8));
}

Result<std::string> ZipArchive::whole(std::string_view name) const {
    const auto bytes = entry(name);
    if (!bytes) return bytes.error();
    std::string all;
    for (constexpr std::size_t piece = 1 << 16;;) {
        const std::size_t had = all.size();
        all.resize(had + piece);
        const auto got = (*bytes)->read(all.data() + had, piece);
        if (!got) return got.error();
        all.resize(had + *got);
        if (*got < piece) return all;
        if (all.size() > most_whole)
            return Error("the archive holds a " + std::string(name) + " of more than 1 GiB").in_file(path_);
    }
}

}  // namespace suffice
