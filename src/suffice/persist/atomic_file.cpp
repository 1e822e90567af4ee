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

// Held while it lives, by one writer of the folder at a time; the system releases that of a killed one.
class FolderLock {
public:
    explicit FolderLock(const std::string& folder)
        : number_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        while (number_ >= 0 && !held_) {
            held_ = ::flock(number_, LOCK_EX) == 0;
            if (!held_ && errno != EINTR) break;
        }
    }
    ~FolderLock() {
        if (number_ >= 0) ::close(number_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    bool held() const { return held_; }

private:
    int number_ = -1;
    bool held_ = false;
};

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
    // A new file is made with all bits, of which the system takes the process's mask; asking for the mask would change
    // it for a moment, for every thread.
    if (replaces && ::fchmod(file->number_, existing.st_mode & 07777) != 0) return cannot_write(path);
    return file;
}

// It gets its name through the list of open files.
bool AtomicFile::open_nameless() {
    if (::access("/proc/self/fd", X_OK) != 0) return false;
    number_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    return number_ >= 0;
}

// The lock tells a living writer from a file that a killed one has left.
bool AtomicFile::open_unfinished() {
    for (int attempt = 0; attempt < 8; ++attempt) {
        temporary_ = unfinished(path_);
        number_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
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
    for (unsigned attempt = 0; attempt < 1000; ++attempt) {
        temporary_ = unfinished(path_) + "." + std::to_string(::getpid()) + "." + std::to_string(attempt);
        number_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (number_ >= 0) return true;
        if (errno != EEXIST) break;
    }
    temporary_.clear();
    return false;
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
// leaves it to the next writer. A file whose name was taken away cannot be linked again, so writers of one folder take
// turns: the lock of the folder is held for these two steps alone. Where a folder cannot be locked the name is our own.
bool AtomicFile::put_in_place() {
    if (!temporary_.empty()) {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
        temporary_.clear();
        return true;
    }
    const std::string open_file = "/proc/self/fd/" + std::to_string(number_);
    std::string name = unfinished(path_);
    const auto link_to = [&](const std::string& to) {
        return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    const FolderLock lock(folder_of(path_));
    if (!lock.held()) name += "." + std::to_string(::getpid()) + "." + std::to_string(number_);
    ::unlink(name.c_str());  // of a writer that was killed
    if (!link_to(name)) return false;
    if (::rename(name.c_str(), path_.c_str()) == 0) return true;
    const int why = errno;
    ::unlink(name.c_str());
    errno = why;
    return false;
}

Result<void> AtomicFile::commit() {
    if (in_place_) return {};
    const std::string folder_name = folder_of(path_);  // behind the renaming nothing may fail any more
    if (::fsync(number_) != 0 || !put_in_place()) return cannot_write(path_);
    const int folder = ::open(folder_name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return {};
}

}  // namespace suffice
