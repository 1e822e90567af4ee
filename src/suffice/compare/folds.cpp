// Counts classes and deals rows out to folds.
#include "suffice/compare/folds.hpp"

#include <algorithm>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

struct FoldLane final : Stream::Lane {
    std::unique_ptr<Stream::Lane> inner;
    std::vector<std::int32_t> label;
};

struct UnitCount {
    std::uint64_t first_row = 0;
    std::vector<std::uint64_t> rows;  // of each class
};

}  // namespace

Result<FoldPlan> FoldPlan::stratified(Stream& stream, std::size_t class_count, std::uint32_t fold_count,
                                      const Context& context) {
    if (fold_count < 2) return Error(ErrorKind::usage, "cross-validation needs at least two folds");
    FoldPlan plan;
    plan.fold_count_ = fold_count;
    Rng rng(context.seed, "folds");
    for (std::size_t c = 0; c < class_count; ++c) {
        std::vector<std::uint32_t> order(fold_count);
        for (std::uint32_t f = 0; f < fold_count; ++f) order[f] = f;
        shuffle(std::span(order), rng);
        plan.order_.push_back(std::move(order));
    }
    std::vector<std::uint64_t> before(class_count);
    const auto count = [&](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&,
                           Workspace&) -> Result<UnitCount> {
        UnitCount counted{unit.first_row, std::vector<std::uint64_t>(class_count)};
        for (std::size_t row = 0; row < unit.size(); ++row)
            if (const auto c = unit.label_of(row); c >= 0) ++counted.rows[static_cast<std::size_t>(c)];
        return counted;
    };
    const auto add = [&](const UnitCount& unit) -> Result<void> {
        plan.before_[unit.first_row] = before;
        for (std::size_t c = 0; c < class_count; ++c) before[c] += unit.rows[c];
        return {};
    };
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    if (auto counted = map_in_order(stream, context, count, add); !counted) return counted.error();
    return plan;
}

Result<FoldPlan> FoldPlan::given(std::vector<std::uint32_t> fold_of_row) {
    FoldPlan plan;
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
        if (fold[row] == static_cast<std::int32_t>(fold_)) own.label[row] = -1;
    block->label = own.label;
    return block;
}

}  // namespace suffice
