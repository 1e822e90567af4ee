// Saves and loads models.
#include "suffice/persist/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include "suffice/persist/tensor_file.hpp"

namespace suffice {
namespace {

Error io_error(const std::string& doing, const std::string& path) {
    return Error(ErrorKind::io, "cannot " + doing + ": " + std::strerror(errno)).in_file(path);
}

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// Closes, and removes the file unless it was kept.
struct OpenFile {
    int number = -1;
    std::string name = {};
    ~OpenFile() {
        if (number >= 0) ::close(number);
        if (!name.empty()) ::unlink(name.c_str());
    }
};

bool write_all(int number, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(number, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void Provenance::merge(const Provenance& from) {
    rows += from.rows;
    for (const auto& file : from.files)
        if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

std::string to_file_bytes(const ModelFile& model) { return to_tensor_file(model); }
Result<ModelFile> from_file_bytes(std::string_view bytes) { return from_tensor_file<ModelFile>(bytes); }

Result<void> write_atomically(const std::string& path, std::string_view bytes) {
    struct stat existing{};
    const bool replaces = ::stat(path.c_str(), &existing) == 0;
    if (replaces && !S_ISREG(existing.st_mode)) {  // a device or a pipe is written to, not replaced
        OpenFile out{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
        if (out.number < 0 || !write_all(out.number, bytes)) return io_error("write", path);
        return {};
    }
    std::string name = path + ".XXXXXX";
    OpenFile out{::mkostemp(name.data(), O_CLOEXEC), name};
    if (out.number < 0) {
        out.name.clear();
        return io_error("write", path);
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(out.number, replaces ? existing.st_mode & 07777 : 0666 & ~mask) != 0 ||
        !write_all(out.number, bytes) || ::fsync(out.number) != 0 || ::rename(name.c_str(), path.c_str()) != 0)
        return io_error("write", path);
    out.name.clear();
    const OpenFile folder{::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (folder.number >= 0) ::fsync(folder.number);
    return {};
}

Result<std::string> read_whole_file(const std::string& path) {
    const OpenFile in{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (in.number < 0) {
        Error error = io_error("open", path);
        error.kind = ErrorKind::input;
        return error;
    }
    std::string bytes;
    for (;;) {
        constexpr std::size_t piece = std::size_t{1} << 20;
        const std::size_t size = bytes.size();
        bytes.resize(size + piece);
        const auto got = ::read(in.number, bytes.data() + size, piece);
        bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            Error error = io_error("read", path);
            if (errno == EISDIR) error.kind = ErrorKind::input;
            return error;
        }
        if (got == 0) return bytes;
    }
}

Result<void> save_model_file(const ModelFile& model, const std::string& path) {
    return write_atomically(path, to_file_bytes(model));
}

Result<ModelFile> load_model_file(const std::string& path) {
    const auto bytes = read_whole_file(path);
    if (!bytes) return bytes.error();
    auto model = from_file_bytes(*bytes);
    if (!model) return Error(model.error()).in_file(path);
    return model;
}

}  // namespace suffice
