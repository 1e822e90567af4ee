// The statistics of all folds, gathered in one pass: candidates whose Parts are arranged alike share them.
#pragma once
#include <span>

#include "suffice/compare/candidates.hpp"
#include "suffice/compare/folds.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

class FoldStatistics {
public:
    static Result<FoldStatistics> gather(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                         const FoldPlan& plan, const Context& context);

    const Settings& settings(std::size_t m) const { return settings_[m]; }
    const ModelStatistic& statistic(std::size_t m) const { return whole_[arrangement_[m]]; }
    Result<Classifier> whole(std::size_t m, const Candidate& candidate) const;
    // What is learned from where these folds are left out; of folds in order, from those before the first of them.
    Result<Classifier> all_but(std::size_t m, const Candidate& candidate, std::span<const std::uint32_t> folds) const;
    // The folds that come after this one, so many of them.
    Result<Classifier> after(std::size_t m, const Candidate& candidate, std::uint32_t fold, std::uint32_t count) const;

private:
    // Without the classes and levels of which there is no row, as if they had never been seen.
    Result<Classifier> fit_statistic(std::size_t m, const Candidate& candidate, ModelStatistic statistic) const;

    static constexpr std::size_t nowhere = ~std::size_t{0};
    bool ordered_ = false;
    std::vector<Settings> settings_;
    std::vector<std::size_t> arrangement_;            // of each candidate
    std::vector<std::vector<ModelStatistic>> folds_;  // of each arrangement
    std::vector<ModelStatistic> whole_;
};

}  // namespace suffice
