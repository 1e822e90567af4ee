// Which fold each row belongs to, known without looking at other rows again.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/data/stream_over.hpp"

namespace suffice {

class FoldPlan {
public:
    // Stratified: within each class by a running count, through an order shuffled by the context's seed. A cheap pass
    // over the labels, so that units can be folded in any order later.
    static Result<FoldPlan> stratified(Stream& stream, std::size_t class_count, std::uint32_t fold_count,
                                       const Context& context);
    // As told, row by row.
    static Result<FoldPlan> given(std::vector<std::uint32_t> fold_of_row);

    std::uint32_t fold_count() const { return fold_count_; }
    // One fold per row; rows of no class get none (-1).
    std::vector<std::int32_t> folds(const LabeledBlock& unit) const;

private:
    std::uint32_t fold_count_ = 0;
    std::vector<std::uint32_t> fold_of_row_;                      // empty: stratified
    std::vector<std::vector<std::uint32_t>> order_;               // of each class
    std::map<std::uint64_t, std::vector<std::uint64_t>> before_;  // first row of a unit -> rows of each class before it
};

// All rows, but those of one fold have no class: what a model is fitted to that is fitted again for each fold.
class AllButFold final : public StreamOver {
public:
    AllButFold(Stream& all, const FoldPlan& plan, std::uint32_t fold) : StreamOver(all), plan_(plan), fold_(fold) {}

    std::unique_ptr<Lane> lane() const override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;

private:
    const FoldPlan& plan_;
    std::uint32_t fold_;
};

}  // namespace suffice
