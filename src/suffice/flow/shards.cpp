// Deals the input out to shards, and puts shards together again.
#include "suffice/flow/shards.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "suffice/flow/fit.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/persist/tensor_layout.hpp"
#include "suffice/read/folders.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {
namespace {

constexpr std::uint64_t unit_bytes = std::uint64_t{1} << 20;  // about, of a file

// A share of the units of a table, or of the rows of each unit where there are few units.
class Share final : public TableReader {
public:
    Share(std::unique_ptr<TableReader> all, const Shard& shard)
        : all_(std::move(all)),
          shard_(shard),
          by_units_(all_->progress().total_bytes >= 8 * shard.count * unit_bytes) {}
    const std::vector<FoundColumn>& columns() const override { return all_->columns(); }
    const std::vector<std::string>& files() const override { return all_->files(); }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override { all_->want(column, wanted, kind); }
    Result<bool> draw(TableUnit& unit) override {
        for (;;) {
            auto more = all_->draw(unit);
            if (!more || !*more || !by_units_ || unit.index % shard_.count == shard_.number - 1) return more;
        }
    }
    Result<void> decode(TableUnit& unit) const override {
        if (auto decoded = all_->decode(unit); !decoded || by_units_) return decoded;
        const std::size_t rows = unit.row_count, first = (shard_.number - 1) * rows / shard_.count;
        const std::size_t count = shard_.number * rows / shard_.count - first;
        for (Cells& cells : unit.columns) {
            keep(cells.numbers, first, count);
            keep(cells.words, first, count);
            keep(cells.codes, first, count);
        }
        unit.row_count = count;
        unit.first_row += first;
        unit.skipped_before.clear();
        const std::scoped_lock lock(guard_);
        first_of_[unit.index] = first;
        return {};
    }
    std::uint64_t line_of(const TableUnit& unit, std::size_t row) const override {
        const std::scoped_lock lock(guard_);
        const auto first = first_of_.find(unit.index);
        return all_->line_of(unit, row + (first == first_of_.end() ? 0 : first->second));
    }
    Result<void> rewind() override { return all_->rewind(); }
    void stop_keeping() override { all_->stop_keeping(); }
    Progress progress() const override { return all_->progress(); }
    std::uint64_t skipped_rows() const override { return all_->skipped_rows(); }

private:
    template <class T>
    static void keep(std::vector<T>& values, std::size_t first, std::size_t count) {
        if (values.empty()) return;
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        values = std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(count));
    }

    std::unique_ptr<TableReader> all_;
    Shard shard_;
    bool by_units_;
    mutable std::mutex guard_;
    mutable std::map<std::uint64_t, std::size_t> first_of_;  // of each unit: where its share of rows begins
};

// Its size, and the bytes at its start and its end.
std::string look_of(const std::string& path) {
    constexpr std::streamoff ends = 1 << 16;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
    std::string bytes(static_cast<std::size_t>(std::min(size, 2 * ends)), '\0');
    const std::streamoff head = std::min(size, ends), tail = static_cast<std::streamoff>(bytes.size()) - head;
    file.seekg(0);
    file.read(bytes.data(), head);
    file.seekg(size - tail);
    file.read(bytes.data() + head, tail);
    return std::to_string(size) + ' ' + tensor_checksum(recorded_name(path), bytes) + '\n';
}

// The files that are this shard's alone; empty: all shards read all of them.
std::vector<std::string> own_files(const ShardPlan& plan) {
    const std::size_t count = plan.files.size(), n = plan.shard.count, i = plan.shard.number;
    if (count < n || are_class_folders(plan.files)) return {};
    const auto first = plan.files.begin();
    return {first + static_cast<std::ptrdiff_t>((i - 1) * count / n),
            first + static_cast<std::ptrdiff_t>(i * count / n)};
}

}  // namespace

Result<Shard> Shard::parse(const std::string& text) {
    Shard made;
    const char *end = text.data() + text.size(), *slash = std::find(text.data(), end, '/');
    const auto first = std::from_chars(text.data(), slash, made.number);
    const auto second = slash == end ? std::from_chars_result{end, std::errc::invalid_argument}
                                     : std::from_chars(slash + 1, end, made.count);
    const bool read = first.ec == std::errc{} && first.ptr == slash && second.ec == std::errc{} && second.ptr == end;
    if (!read || made.number == 0 || made.number > made.count)
        return Error(ErrorKind::usage, "shards are told as i/n, such as 2/5, with i from 1 to n, not \"" + text + "\"");
    return made;
}

Result<ShardPlan> plan_shard(const std::vector<std::string>& files, const FitOptions& options, const Shard& shard) {
    if (std::ranges::find(files, "-") != files.end())
        return Error(ErrorKind::usage, "shards are cut from files that all of them can read, not from standard input");
    ShardPlan plan{shard, files, {}, {}};
    if (!are_class_folders(files)) {
        auto expanded = expand_paths(files);
        if (!expanded) return expanded.error();
        plan.files = std::move(*expanded);
    }
    auto parts = plan_parts(plan.files, options);
    if (!parts) return parts.error();
    plan.parts = std::move(*parts);
    if (auto one = check_one_pass(plan.parts.options); !one) return one.error();
    std::string input = options.weight + '\n' + shard.text() + '\n';
    auto all = expand_paths(plan.files);
    for (const std::string& file : all ? *all : plan.files) input += look_of(file);
    plan.mark = shard.text() + ' ' + tensor_checksum(to_file_bytes(plan.parts.blank), input);
    return plan;
}

Result<ModelFile> fit_shard(const ShardPlan& plan, const Context& context) {
    const FitOptions& options = plan.parts.options;
    const std::vector<std::string> own = own_files(plan);
    ReadOptions read = options.read;
    read.other_columns = true;
    auto reader = open_table(own.empty() ? plan.files : own, read);
    if (!reader) return reader.error();
    if (own.empty()) reader = std::unique_ptr<TableReader>(std::make_unique<Share>(std::move(*reader), plan.shard));
    auto made = statistics_of(plan.parts.blank, std::move(*reader), options, context);
    if (!made) return made.error();
    for (const auto& file : own.empty() ? plan.files : own) made->seen.files.push_back(recorded_name(file));
    made->shards = {plan.mark};
    return made;
}

bool is_made(const ShardPlan& plan, const std::string& path) {
    std::error_code problem;
    const auto made = std::filesystem::last_write_time(path, problem);
    if (problem) return false;
    const auto files = expand_paths(plan.files);
    for (const std::string& file : files ? *files : plan.files)
        if (const auto changed = std::filesystem::last_write_time(file, problem); problem || changed > made)
            return false;
    const auto there = load_model_file(path);
    return there && there->shards == std::vector{plan.mark};
}

Result<Model> merge_shards(std::vector<ModelFile> shards, const std::vector<std::string>& names) {
    std::vector<std::pair<Shard, std::size_t>> order;
    for (std::size_t k = 0; k < shards.size(); ++k) {
        if (shards[k].shards.size() != 1)
            return Error("this is no shard of a fit, and shards merge with each other alone").in_file(names[k]);
        const auto shard = Shard::parse(shards[k].shards[0].substr(0, shards[k].shards[0].find(' ')));
        if (!shard) return Error(shard.error()).in_file(names[k]);
        order.emplace_back(*shard, k);
    }
    std::ranges::stable_sort(order, {}, [](const auto& each) { return each.first.number; });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& [shard, place] = order[k];
        if (shard.count != order[0].first.count)
            return Error("this is shard " + shard.text() + ", and the others are of " +
                         std::to_string(order[0].first.count))
                .in_file(names[place]);
        if (k > 0 && shard.number == order[k - 1].first.number)
            return Error("shard " + shard.text() + " is there twice").in_file(names[place]);
    }
    for (std::size_t k = 0; k < order[0].first.count; ++k)
        if (k >= order.size() || order[k].first.number != k + 1)
            return Error("shard " + Shard{k + 1, order[0].first.count}.text() + " is missing");
    std::vector<ModelFile> sorted;
    for (const auto& [shard, place] : order) sorted.push_back(std::move(shards[place]));
    auto all = merge_parts(std::move(sorted));
    if (!all) return all.error();
    all->shards.clear();
    return finish_sum(std::move(*all));
}

}  // namespace suffice
