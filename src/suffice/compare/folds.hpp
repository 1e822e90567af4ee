// Which fold each row belongs to, known without looking at other rows again.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/data/stream_over.hpp"

namespace suffice {

inline constexpr std::uint64_t most_folds = 10'000;  // each of them has sums of its own
// Refuses fewer than two folds, more than there may be, and more than there are rows where these are known.
Result<void> check_fold_count(std::uint64_t fold_count, std::optional<std::uint64_t> rows = {});

class FoldPlan {
public:
    // Stratified: within each class by a running count, through an order shuffled by the context's seed. A cheap pass
    // over the labels, so that units can be folded in any order later.
    static Result<FoldPlan> stratified(Stream& stream, std::size_t class_count, std::uint32_t fold_count,
                                       const Context& context);
    // As told, row by row. In order: the model of a fold learns from the folds before it alone, and the first is not
    // scored.
    static Result<FoldPlan> given(std::vector<std::uint32_t> fold_of_row, bool ordered = false);
    // Rows of one group stay together; groups are dealt out so that folds are about as large as each other.
    static std::vector<std::uint32_t> of_groups(const std::vector<std::uint32_t>& group_of_row,
                                                std::uint32_t fold_count, const Context& context);

    std::uint32_t fold_count() const { return fold_count_; }
    bool ordered() const { return ordered_; }
    // Whether rows of this fold are learned from where the other is left out.
    bool learns(std::int32_t fold, std::uint32_t left_out) const {
        const auto out = static_cast<std::int32_t>(left_out);
        return ordered_ ? fold < out : fold != out;
    }
    // One fold per row; rows of no class get none (-1).
    std::vector<std::int32_t> folds(const LabeledBlock& unit) const;

private:
    std::uint32_t fold_count_ = 0;
    bool ordered_ = false;
    std::vector<std::uint32_t> fold_of_row_;                      // empty: stratified
    std::vector<std::vector<std::uint32_t>> order_;               // of each class
    std::map<std::uint64_t, std::vector<std::uint64_t>> before_;  // first row of a unit -> rows of each class before it
};

// All rows, but those of some folds have no class: what a model is fitted to that is fitted again for each fold.
class AllButFold final : public StreamOver {
public:
    AllButFold(Stream& all, const FoldPlan& plan, std::vector<std::uint32_t> left_out)
        : StreamOver(all), plan_(plan), left_out_(std::move(left_out)) {}

    std::unique_ptr<Lane> lane() const override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;

private:
    const FoldPlan& plan_;
    std::vector<std::uint32_t> left_out_;
};

}  // namespace suffice
