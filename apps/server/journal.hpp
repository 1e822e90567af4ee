// The write-ahead log of one model: what it learned since the last snapshot, in order, each entry with a checksum.
//
//   FOLDER/NAME.S.suf   the model after change S (none for S = 0: the file that is served)
//   FOLDER/NAME.S.log   the changes behind it: a header, then length, checksum, sequence, change and payload of each
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/server.hpp"

#include "suffice/flow/model.hpp"

namespace suffice::server {

enum class Change : std::uint8_t { learn = 1, forget, decay, merge };

struct Entry {
    std::uint64_t sequence = 0;
    Change change = Change::learn;
    std::string payload = {};
};

// What a killed server left.
struct Recovered {
    std::optional<Model> snapshot;  // none: from the file that is served
    std::uint64_t sequence = 0;     // of the snapshot
    std::vector<Entry> entries;
    bool other_base = false;  // it began from another file than the one that is served now
};

class Journal {
public:
    // `base` is the checksum of the served file. An Error where another server holds the log.
    static Result<std::unique_ptr<Journal>> open(const std::string& folder, const std::string& name, Sync sync,
                                                 std::uint64_t base, Recovered& recovered);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // One writer at a time. The entry is with the system when this returns.
    Result<void> append(const Entry& entry);
    // By any thread: returns when the entry is as safe as was asked for. Those who wait together share one sync.
    Result<void> settle(std::uint64_t sequence);
    // By the writer: the model after `sequence` takes the place of the log so far.
    Result<void> begin_from(const Model& model, std::uint64_t sequence, std::uint64_t base);
    std::uint64_t bytes() const { return bytes_; }
    // The disk refused. The system then forgets what it could not write, and tells the next sync that all is well: so
    // nothing more is told as safe until the model as it is begins another log.
    bool broken() const { return fault_ != 0; }
    Result<void> sync_now();

private:
    Journal(std::string folder, std::string name, Sync sync)
        : folder_(std::move(folder)), name_(std::move(name)), sync_(sync) {}
    std::string path(std::uint64_t sequence, std::string_view ending) const;
    std::vector<std::uint64_t> sequences(std::string_view ending) const;
    Result<void> open_log(std::uint64_t sequence, std::uint64_t base, Recovered& recovered);
    Result<int> new_log(std::uint64_t sequence, std::uint64_t base) const;
    void remove_before(std::uint64_t sequence) const;
    Result<void> write_all(std::string_view bytes);
    Result<void> sync_file();  // under syncing_

    std::string folder_, name_;
    Sync sync_;
    int lock_ = -1, file_ = -1;
    std::mutex syncing_;  // also held while the file is exchanged
    std::atomic<std::uint64_t> appended_{0}, synced_{0}, bytes_{0};
    std::atomic<int> fault_{0};  // what the system said
};

std::uint64_t checksum(std::string_view bytes);

}  // namespace suffice::server
