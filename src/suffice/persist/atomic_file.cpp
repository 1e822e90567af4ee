// Writes files beside their targets.
#include "suffice/persist/atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

namespace suffice {
namespace {

Error cannot_write(const std::string& path) {
    return Error(ErrorKind::io, std::string("cannot write: ") + std::strerror(errno)).in_file(path);
}

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::open(const std::string& path) {
    struct stat existing{};
    const bool replaces = ::stat(path.c_str(), &existing) == 0;
    if (replaces && !S_ISREG(existing.st_mode)) {
        const int number = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (number < 0) return cannot_write(path);
        return std::unique_ptr<AtomicFile>(new AtomicFile(path, number, {}));
    }
    std::string temporary = path + ".XXXXXX";
    const int number = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (number < 0) return cannot_write(path);
    std::unique_ptr<AtomicFile> file(new AtomicFile(path, number, std::move(temporary)));
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(number, replaces ? existing.st_mode & 07777 : 0666 & ~mask) != 0) return cannot_write(path);
    return file;
}

AtomicFile::~AtomicFile() {
    if (number_ >= 0) ::close(number_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(number_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return cannot_write(path_);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> AtomicFile::commit() {
    if (temporary_.empty()) return {};
    if (::fsync(number_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write(path_);
    temporary_.clear();
    const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return {};
}

}  // namespace suffice
