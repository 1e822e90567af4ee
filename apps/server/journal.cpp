// Entries to disk and back. An entry whose checksum is wrong was being written when the server died, and nobody was
// told that it was there: the log ends before it.
#include "server/journal.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <unistd.h>
#include <xxhash.h>

#include <sys/file.h>

namespace suffice::server {
namespace {

constexpr std::string_view magic = "SUFLOG01";
constexpr std::size_t file_head = 16, entry_head = 21;

Error log_failed(const std::string& what, const std::string& path) {
    return Error(ErrorKind::io, what + ": " + std::strerror(errno)).in_file(path);
}

template <class T>
void append_raw(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T read_raw_at(std::string_view bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// length, checksum of all behind it, sequence, change, payload.
std::string entry_bytes(const Entry& entry) {
    std::string inner;
    append_raw(inner, entry.sequence);
    append_raw(inner, static_cast<std::uint8_t>(entry.change));
    inner += entry.payload;
    std::string bytes;
    append_raw(bytes, static_cast<std::uint32_t>(entry.payload.size()));
    append_raw(bytes, checksum(inner));
    return bytes + inner;
}

// The entry at the front, which is taken off; none where it is not whole.
std::optional<Entry> take_entry(std::string_view& bytes) {
    if (bytes.size() < entry_head) return {};
    const std::size_t length = read_raw_at<std::uint32_t>(bytes, 0);
    if (bytes.size() - entry_head < length) return {};
    if (read_raw_at<std::uint64_t>(bytes, 4) != checksum(bytes.substr(12, 9 + length))) return {};
    Entry entry{read_raw_at<std::uint64_t>(bytes, 12), static_cast<Change>(bytes[20]),
                std::string(bytes.substr(entry_head, length))};
    bytes.remove_prefix(entry_head + length);
    return entry;
}

// Whether this is more than the one entry that was being written when the server died, or zeros that a file system
// left of it: then what was acknowledged is lost, which must be told.
bool is_damaged(std::string_view rest) {
    if (rest.size() < entry_head || rest.find_first_not_of('\0') == std::string_view::npos) return false;
    return rest.size() - entry_head > read_raw_at<std::uint32_t>(rest, 0);
}

void sync_folder(const std::string& folder) {
    const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (number < 0) return;
    ::fsync(number);
    ::close(number);
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string Journal::path(std::uint64_t sequence, std::string_view ending) const {
    return folder_ + "/" + name_ + "." + std::to_string(sequence) + std::string(ending);
}

std::vector<std::uint64_t> Journal::sequences(std::string_view ending) const {
    std::vector<std::uint64_t> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with(name_ + ".") || !file.ends_with(ending)) continue;
        const char *first = file.data() + name_.size() + 1, *last = file.data() + file.size() - ending.size();
        std::uint64_t sequence = 0;
        if (first < last && std::from_chars(first, last, sequence).ptr == last) found.push_back(sequence);
    }
    std::ranges::sort(found, std::greater{});
    return found;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::string& folder, const std::string& name, Sync sync,
                                               std::uint64_t base, Recovered& recovered) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    std::unique_ptr<Journal> journal(new Journal(folder, name, sync));
    const std::string lock = folder + "/" + name + ".lock";
    journal->lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (journal->lock_ < 0) return log_failed("the log cannot be opened", folder);
    if (::flock(journal->lock_, LOCK_EX | LOCK_NB) != 0)
        return Error(ErrorKind::usage, "another server learns by this log").in_file(folder);
    for (const auto sequence : journal->sequences(".suf")) {
        auto model = load(journal->path(sequence, ".suf"));
        if (!model) return model.error();
        recovered.snapshot = std::move(*model);
        recovered.sequence = sequence;
        break;
    }
    if (auto opened = journal->open_log(recovered.sequence, base, recovered); !opened) return opened.error();
    return journal;
}

Journal::~Journal() {
    if (file_ >= 0) ::fsync(file_), ::close(file_);
    if (lock_ >= 0) ::close(lock_);
}

Result<int> Journal::new_log(std::uint64_t sequence, std::uint64_t base) const {
    const std::string name = path(sequence, ".log");
    const int number = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (number < 0) return log_failed("the log cannot be opened", name);
    std::string head(magic);
    append_raw(head, base);
    if (::write(number, head.data(), head.size()) != static_cast<ssize_t>(head.size()) || ::fsync(number) != 0) {
        const Error failed = log_failed("the log cannot be written", name);
        ::close(number);
        return failed;
    }
    sync_folder(folder_);
    return number;
}

Result<void> Journal::open_log(std::uint64_t sequence, std::uint64_t base, Recovered& recovered) {
    const std::string name = path(sequence, ".log");
    auto bytes = std::filesystem::exists(name) ? read_whole_file(name) : Result<std::string>(std::string());
    if (!bytes) return bytes.error();
    std::string_view rest = *bytes;
    appended_ = synced_ = sequence;
    if (rest.size() < file_head || !rest.starts_with(magic)) {  // none yet, or killed before its head was there
        auto made = new_log(sequence, base);
        if (!made) return made.error();
        file_ = *made;
        bytes_ = file_head;
        return {};
    }
    recovered.other_base = read_raw_at<std::uint64_t>(rest, magic.size()) != base;
    rest.remove_prefix(file_head);
    while (auto entry = take_entry(rest)) {
        appended_ = entry->sequence;
        recovered.entries.push_back(std::move(*entry));
    }
    const std::size_t good = bytes->size() - rest.size();
    if (is_damaged(rest))
        return Error(ErrorKind::io, "the log is damaged behind byte " + std::to_string(good) +
                                        "; cut it there (truncate -s " + std::to_string(good) +
                                        ") to go on without what is behind")
            .in_file(name);
    file_ = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (file_ < 0) return log_failed("the log cannot be opened", name);
    if (::ftruncate(file_, static_cast<off_t>(good)) != 0) return log_failed("the log cannot be cut", name);
    if (::lseek(file_, 0, SEEK_END) < 0) return log_failed("the log cannot be written", name);
    bytes_ = good;
    if (::fsync(file_) != 0) return log_failed("the log cannot be synced", name);
    synced_ = appended_.load();
    return {};
}

Result<void> Journal::write_all(std::string_view bytes) {
    const std::uint64_t before = bytes_;
    while (!bytes.empty()) {
        const auto written = ::write(file_, bytes.data(), bytes.size());
        if (written <= 0) {
            const Error failed = log_failed("the log cannot be written", folder_);
            if (::ftruncate(file_, static_cast<off_t>(before)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) fault_ = errno;
            bytes_ = before;
            return failed;
        }
        bytes_ += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> Journal::append(const Entry& entry) {
    if (entry.payload.size() > std::numeric_limits<std::uint32_t>::max())
        return Error("a change of more than 4 GiB does not fit into the log; send it in pieces");
    if (auto written = write_all(entry_bytes(entry)); !written) return written;
    appended_ = entry.sequence;
    return {};
}

Result<void> Journal::settle(std::uint64_t sequence) {
    if (sync_ != Sync::always || synced_ >= sequence) return {};
    const std::scoped_lock lock(syncing_);
    return synced_ >= sequence ? Result<void>() : sync_file();
}

Result<void> Journal::sync_now() {
    if (sync_ == Sync::never || synced_ >= appended_ || broken()) return {};
    const std::scoped_lock lock(syncing_);
    return sync_file();
}

Result<void> Journal::sync_file() {
    const std::uint64_t reached = appended_;
    if (!broken() && ::fdatasync(file_) != 0) fault_ = errno;
    if (broken()) {
        errno = fault_;
        return log_failed("the log cannot be synced, so that what was changed may be lost with this machine", folder_);
    }
    synced_ = reached;
    return {};
}

// The log first: a snapshot without one would hide the log before it, to which others might still be added.
Result<void> Journal::begin_from(const Model& model, std::uint64_t sequence, std::uint64_t base) {
    const std::scoped_lock lock(syncing_);
    auto made = new_log(sequence, base);
    if (!made) return made.error();
    if (auto saved = save(model, path(sequence, ".suf")); !saved) {
        ::close(*made);
        return saved;
    }
    ::close(std::exchange(file_, *made));
    bytes_ = file_head;
    appended_ = synced_ = sequence;
    fault_ = 0;
    remove_before(sequence);
    return {};
}

void Journal::remove_before(std::uint64_t sequence) const {
    std::error_code ignored;
    for (const std::string_view ending : {".suf", ".log"})
        for (const auto old : sequences(ending))
            if (old < sequence) std::filesystem::remove(path(old, ending), ignored);
}

}  // namespace suffice::server
