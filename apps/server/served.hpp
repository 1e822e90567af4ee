// A model that is being served: requests read the version that is current when they begin, and a new one takes its
// place at once.
#pragma once
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "server/asked.hpp"
#include "server/journal.hpp"

#include "suffice/flow/model.hpp"
#include "suffice/flow/row_scorer.hpp"

namespace suffice::server {

// Never changed once it is there.
struct Version {
    Model model;
    std::uint64_t number = 0;    // counts replacements
    std::uint64_t sequence = 0;  // of the last change in the log
    bool dense = true;           // every column is a number or a category of its own, so that rows need no reader
};

std::shared_ptr<const Version> make_version(Model model, std::uint64_t number, std::uint64_t sequence);

class Served : public std::enable_shared_from_this<Served> {
public:
    Served(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

    const std::string& name() const { return name_; }
    const std::string& path() const { return path_; }
    std::shared_ptr<const Version> now() const { return std::atomic_load(&now_); }
    void put(Model model, std::uint64_t sequence);

    std::mutex writer;                 // held by whoever makes the next version
    std::unique_ptr<Journal> journal;  // null: the model does not learn
    std::uint64_t base = 0;            // checksum of the file that it began from
    std::uint64_t snapshot_after = 0;  // bytes of the log
    std::filesystem::file_time_type written = {};
    mutable Asked asked;     // what requests ask, which changes nothing of the model
    bool of_folder = false;  // found in a watched folder, and gone with its file
    std::atomic<std::uint64_t> reloads{0}, refused{0}, snapshots_failed{0};

private:
    std::string name_, path_;
    std::shared_ptr<const Version> now_;
};

using Models = std::map<std::string, std::shared_ptr<Served>, std::less<>>;

// The models by name. Requests hold the table that was current when they began.
class ModelTable {
public:
    std::shared_ptr<const Models> now() const { return std::atomic_load(&now_); }
    bool add(std::shared_ptr<Served> served);  // false: the name is taken
    void drop(const std::string& name);

private:
    std::mutex writer_;
    std::shared_ptr<const Models> now_ = std::make_shared<const Models>();
};

// One for each thread and version, so that scoring a row allocates nothing.
RowScorer& scorer_of_thread(const Served& served, const std::shared_ptr<const Version>& version);

// Rows that were answered.
void note_asked(const Served& served, const std::shared_ptr<const Version>& version, const Block& rows);

// "folder/churn.suf" -> "churn"
std::string model_name(const std::string& path);

}  // namespace suffice::server
