// Counts classes and deals rows out to folds.
#include "suffice/compare/folds.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

struct FoldLane final : Stream::Lane {
    std::unique_ptr<Stream::Lane> inner;
    std::vector<std::int32_t> label;
};

// How many rows of each class each unit has, by its first row.
struct UnitCounts {
    std::map<std::uint64_t, std::vector<std::uint64_t>> rows;
    static constexpr auto fields = FieldTuple{field("rows", &UnitCounts::rows)};
    bool operator==(const UnitCounts&) const = default;
    double weight() const { return static_cast<double>(rows.size()); }
    void merge(const UnitCounts& from) { rows.insert(from.rows.begin(), from.rows.end()); }
};

struct CountClasses {
    using Statistic = UnitCounts;
    std::size_t class_count;

    UnitCounts empty() const { return {}; }
    std::size_t footprint() const { return class_count * sizeof(std::uint64_t); }
    Result<void> observe(UnitCounts& into, const LabeledBlock& unit, const Schema&, Workspace&) const {
        auto& rows = into.rows[unit.first_row];
        rows.resize(class_count);
        for (std::size_t row = 0; row < unit.size(); ++row)
            if (const auto c = unit.label_of(row); c >= 0) ++rows[static_cast<std::size_t>(c)];
        return {};
    }
};

}  // namespace

Result<void> check_fold_count(std::uint64_t fold_count, std::optional<std::uint64_t> rows) {
    if (fold_count < 2) return Error(ErrorKind::usage, "cross-validation needs at least two folds");
    const std::string asked = std::to_string(fold_count) + " folds are too many";
    const Remedy instead{"leave_one_out", "true", "use"};
    if (rows && fold_count > *rows)
        return Error(ErrorKind::usage, asked + " for " + std::to_string(*rows) + " rows").advise(instead);
    if (fold_count > most_folds)
        return Error(ErrorKind::usage, asked + ", there may be " + std::to_string(most_folds)).advise(instead);
    return {};
}

Result<FoldPlan> FoldPlan::stratified(Stream& stream, std::size_t class_count, std::uint32_t fold_count,
                                      const Context& context) {
    if (auto good = check_fold_count(fold_count); !good) return good.error();
    FoldPlan plan;
    plan.fold_count_ = fold_count;
    std::vector<std::uint64_t> before(class_count);
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    const auto counted = fold(CountClasses{class_count}, stream, context);
    if (!counted) return counted.error();
    for (const auto& [first_row, rows] : counted->rows) {
        plan.before_[first_row] = before;
        for (std::size_t c = 0; c < class_count; ++c) before[c] += rows[c];
    }
    const auto rows = std::accumulate(before.begin(), before.end(), std::uint64_t{0});
    if (auto good = check_fold_count(fold_count, rows); !good) return good.error();
    Rng rng(context.seed, "folds");
    for (std::size_t c = 0; c < class_count; ++c) {
        std::vector<std::uint32_t> order(fold_count);
        for (std::uint32_t f = 0; f < fold_count; ++f) order[f] = f;
        shuffle(std::span(order), rng);
        plan.order_.push_back(std::move(order));
    }
    return plan;
}

std::vector<std::uint32_t> FoldPlan::of_groups(const std::vector<std::uint32_t>& group_of_row, std::uint32_t fold_count,
                                               const Context& context) {
    std::vector<std::uint64_t> rows(group_of_row.empty() ? 0 : 1 + *std::ranges::max_element(group_of_row));
    for (const auto group : group_of_row) ++rows[group];
    std::vector<std::uint32_t> order(rows.size()), fold_of_group(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    Rng rng(context.seed, "folds");
    shuffle(std::span(order), rng);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return rows[a] > rows[b]; });
    std::vector<std::uint64_t> size(fold_count);
    for (const auto group : order) {  // the largest first, each to the fold that has the fewest rows
        const auto smallest = std::ranges::min_element(size);
        *smallest += rows[group];
        fold_of_group[group] = static_cast<std::uint32_t>(smallest - size.begin());
    }
    std::vector<std::uint32_t> fold;
    for (const auto group : group_of_row) fold.push_back(fold_of_group[group]);
    return fold;
}

Result<FoldPlan> FoldPlan::given(std::vector<std::uint32_t> fold_of_row, bool ordered) {
    FoldPlan plan;
    plan.ordered_ = ordered;
    if (!fold_of_row.empty()) plan.fold_count_ = *std::ranges::max_element(fold_of_row) + 1;
    if (plan.fold_count_ < 2) return Error(ErrorKind::usage, "cross-validation needs at least two folds");
    plan.fold_of_row_ = std::move(fold_of_row);
    return plan;
}

std::vector<std::int32_t> FoldPlan::folds(const LabeledBlock& unit) const {
    std::vector<std::int32_t> fold(unit.size(), -1);
    std::vector<std::uint64_t> count;
    if (fold_of_row_.empty()) count = before_.at(unit.first_row);
    for (std::size_t row = 0; row < fold.size(); ++row) {
        const auto c = unit.label_of(row);
        if (c < 0) continue;
        if (!fold_of_row_.empty()) {
            const std::size_t at = unit.first_row + row;
            if (at < fold_of_row_.size()) fold[row] = static_cast<std::int32_t>(fold_of_row_[at]);
        } else {
            const auto at = static_cast<std::size_t>(c);
            fold[row] = static_cast<std::int32_t>(order_[at][count[at]++ % fold_count_]);
        }
    }
    return fold;
}

std::unique_ptr<Stream::Lane> AllButFold::lane() const { return lane_over<FoldLane>(); }

Result<LabeledBlock> AllButFold::decode(Drawn& unit, Lane& lane) const {
    auto& own = static_cast<FoldLane&>(lane);
    auto block = all_.decode(unit, *own.inner);
    if (!block) return block;
    const auto fold = plan_.folds(*block);
    own.label.assign(block->label.begin(), block->label.end());
    for (std::size_t row = 0; row < own.label.size(); ++row)
        if (!std::ranges::all_of(left_out_, [&](auto out) { return plan_.learns(fold[row], out); }))
            own.label[row] = -1;
    block->label = own.label;
    return block;
}

}  // namespace suffice
