// Loads models at the start and follows their files.
#include "server/watch.hpp"

#include "server/learn.hpp"

namespace suffice::server {
namespace {

namespace files = std::filesystem;

bool same_folder(const std::string& left, const std::string& right) {
    std::error_code problem;
    return files::equivalent(left, right, problem) && !problem;
}

}  // namespace

Result<std::shared_ptr<Served>> Watch::load_one(const std::string& path, bool of_folder) const {
    auto served = std::make_shared<Served>(model_name(path), path);
    served->of_folder = of_folder;
    std::error_code ignored;
    served->written = files::last_write_time(path, ignored);
    auto model = load_served(path, served->base);
    if (!model) return model.error();
    if (!options_.learn) {
        served->put(std::move(*model), 0);
    } else if (auto found = recover(*served, options_, std::move(*model), served->base, tell_); !found) {
        return found.error();
    }
    return served;
}

Result<void> Watch::load_all() {
    for (const auto& path : options_.models) {
        if (files::is_directory(path)) {
            if (options_.learn && same_folder(path, options_.log))
                return Error(ErrorKind::usage, "the log cannot be kept in a folder whose models are served")
                    .in_file(path);
            look_into(path);
            continue;
        }
        auto served = load_one(path, false);
        if (!served) return served.error();
        if (!models_.add(*served))
            return Error(ErrorKind::usage,
                         "two models have the name " + model_name(path) + "; rename one of the files");
    }
    return {};
}

void Watch::look_into(const std::string& folder) {
    std::error_code problem;
    std::vector<std::string> found;
    for (const auto& entry : files::directory_iterator(folder, problem))
        if (entry.path().extension() == ".suf" && !entry.path().filename().string().starts_with('.') &&
            entry.is_regular_file(problem))
            found.push_back(entry.path().string());
    std::ranges::sort(found);
    for (const auto& path : found) {
        const auto models = models_.now();
        const auto known = models->find(model_name(path));
        if (known != models->end() && known->second->path() == path) continue;
        const auto written = files::last_write_time(path, problem);
        if (const auto before = left_out_.find(path); before != left_out_.end() && before->second == written) continue;
        auto served = load_one(path, true);
        if (served && models_.add(*served)) {
            left_out_.erase(path);
            tell_(model_name(path) + ": served from " + path);
        } else {
            left_out_[path] = written;
            tell_(served ? path + ": there is a model of this name already; it is left out"
                         : served.error().sentence() + "; it is left out");
        }
    }
}

void Watch::drop_gone() {
    std::error_code ignored;
    const auto models = models_.now();  // held: a loop over what only a temporary holds would lose it
    for (const auto& [name, served] : *models) {
        if (!served->of_folder || files::exists(served->path(), ignored)) continue;
        models_.drop(name);
        tell_(name + ": the file is gone, and the model with it");
    }
}

void Watch::look_at_log(Served& served) const {
    if (auto synced = served.journal->sync_now(); !synced) tell_(synced.error().sentence());
    if (served.journal->broken() && snapshot(served))
        tell_(served.name() + ": a snapshot stands in the place of the log");
}

void Watch::look() {
    const std::unique_lock lock(looking_, std::try_to_lock);
    if (!lock) return;  // a second was too short for the last look
    drop_gone();
    for (const auto& path : options_.models)
        if (files::is_directory(path)) look_into(path);
    const auto models = models_.now();
    for (const auto& [name, served] : *models) {
        if (served->journal) look_at_log(*served);
        reload_if_changed(*served, tell_);
        served->asked.fold();
    }
}

}  // namespace suffice::server
