// Versions of models, and the scorers that threads keep of them.
#include "server/served.hpp"

#include <algorithm>
#include <filesystem>

#include "suffice/encode/dates.hpp"

namespace suffice::server {

std::shared_ptr<const Version> make_version(Model model, std::uint64_t number, std::uint64_t sequence) {
    const bool dense = std::ranges::none_of(model.schema().columns, [](const Column& column) {
        return column.kind == ColumnKind::text || part_named(column.name);
    });
    return std::make_shared<const Version>(Version{std::move(model), number, sequence, dense});
}

void Served::put(Model model, std::uint64_t sequence) {
    const auto old = now();
    std::atomic_store(&now_, make_version(std::move(model), old ? old->number + 1 : 1, sequence));
}

bool ModelTable::add(std::shared_ptr<Served> served) {
    const std::scoped_lock lock(writer_);
    Models next = *now();
    const std::string name = served->name();
    if (!next.emplace(name, std::move(served)).second) return false;
    std::atomic_store(&now_, std::make_shared<const Models>(std::move(next)));
    return true;
}

void ModelTable::drop(const std::string& name) {
    const std::scoped_lock lock(writer_);
    Models next = *now();
    next.erase(name);
    std::atomic_store(&now_, std::make_shared<const Models>(std::move(next)));
}

RowScorer& scorer_of_thread(const Served& served, const std::shared_ptr<const Version>& version) {
    struct Kept {
        std::weak_ptr<const Served> owner;
        std::shared_ptr<const Version> version;
        std::unique_ptr<RowScorer> scorer;
    };
    thread_local std::map<const Served*, Kept> kept;
    Kept& mine = kept[&served];
    if (mine.version != version) {
        mine = {served.weak_from_this(), version, std::make_unique<RowScorer>(version->model)};
        std::erase_if(kept, [](const auto& each) { return each.second.owner.expired(); });
    }
    return *mine.scorer;
}

void note_asked(const Served& served, const std::shared_ptr<const Version>& version, const Block& rows) {
    if (version->dense)
        served.asked.note({version, &version->model}, rows);
    else
        served.asked.note_text(row_count(rows));
}

std::string model_name(const std::string& path) { return std::filesystem::path(path).stem().string(); }

}  // namespace suffice::server
