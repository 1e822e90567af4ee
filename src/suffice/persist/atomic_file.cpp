// Writes files beside their targets.
#include "suffice/persist/atomic_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
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

std::string unfinished(const std::string& path) { return path + ".suffice-unfinished"; }

std::string behind_links(const std::string& path) {
    char* real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) return path;
    std::string found = real;
    std::free(real);
    return found;
}

bool is_link(const std::string& path) {
    struct stat about{};
    return ::lstat(path.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
}

}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::open(const std::string& path, bool may_be_nameless) {
    std::unique_ptr<AtomicFile> file(new AtomicFile(is_link(path) ? behind_links(path) : path));
    struct stat existing{};
    const bool replaces = ::stat(path.c_str(), &existing) == 0;
    if (replaces && !S_ISREG(existing.st_mode)) {
        file->in_place_ = true;
        file->number_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file->number_ < 0) return cannot_write(path);
        return file;
    }
    if (!(may_be_nameless && file->open_nameless()) && !file->open_unfinished()) return cannot_write(path);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file->number_, replaces ? existing.st_mode & 07777 : 0666 & ~mask) != 0) return cannot_write(path);
    return file;
}

// It gets its name through the list of open files.
bool AtomicFile::open_nameless() {
    if (::access("/proc/self/fd", X_OK) != 0) return false;
    number_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    return number_ >= 0;
}

// The lock tells a living writer from a file that a killed one has left.
bool AtomicFile::open_unfinished() {
    for (int attempt = 0; attempt < 8; ++attempt) {
        temporary_ = unfinished(path_);
        number_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (number_ < 0) break;
        struct stat held{}, named{};
        if (::flock(number_, LOCK_EX | LOCK_NB) != 0) {
            ::close(std::exchange(number_, -1));
            break;
        }
        if (::fstat(number_, &held) == 0 && ::lstat(temporary_.c_str(), &named) == 0 && held.st_ino == named.st_ino)
            return ::ftruncate(number_, 0) == 0;
        ::close(std::exchange(number_, -1));  // its writer has just put it in its place
    }
    temporary_ = path_ + ".XXXXXX";
    number_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (number_ < 0) temporary_.clear();
    return number_ >= 0;
}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    if (number_ >= 0) ::close(number_);
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

// Linking cannot replace a file, so it takes a name for the moment before it is renamed. Who is killed in that moment
// leaves it to the next writer; of two writers at once one may take the other's name away, who then tries again.
bool AtomicFile::put_in_place() {
    if (!temporary_.empty()) {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
        temporary_.clear();
        return true;
    }
    const std::string open_file = "/proc/self/fd/" + std::to_string(number_), name = unfinished(path_);
    const auto link_to = [&](const std::string& to) {
        return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_to(path_)) return true;
    if (errno != EEXIST) return false;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        if (!link_to(name)) {
            if (errno != EEXIST) return false;
            ::unlink(name.c_str());
        } else if (::rename(name.c_str(), path_.c_str()) == 0) {
            return true;
        } else if (const int why = errno; why != ENOENT) {
            ::unlink(name.c_str());
            errno = why;
            return false;
        }
    }
    errno = EBUSY;
    return false;
}

Result<void> AtomicFile::commit() {
    if (in_place_) return {};
    if (::fsync(number_) != 0 || !put_in_place()) return cannot_write(path_);
    const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return {};
}

}  // namespace suffice
