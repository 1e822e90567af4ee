// EM for missing values (Little & Rubin 2019, sec. 11.2). The E-step turns rows of one pattern of presence into the
// expected statistic of complete rows; the M-step is the ordinary estimator, so every covariance structure is served.
// A statistic for each pattern is enough, and the rows are not needed again; where the patterns are too many to keep,
// the E-step runs over the rows (part/complete_by_passes.hpp).
#pragma once
#include <functional>

#include "suffice/accumulate/class_scatter.hpp"
#include "suffice/accumulate/pattern_statistic.hpp"
#include "suffice/accumulate/several.hpp"
#include "suffice/estimate/gaussians.hpp"

namespace suffice {

// What rows with holes sum to by class, each hole filled by what is expected there.
struct CompletedRows {
    Several<GaussianVector::Statistic> by_class;
    double log_likelihood = 0;  // of what is there
    bool operator==(const CompletedRows&) const = default;

    double weight() const { return by_class.weight(); }
    void merge(const CompletedRows& from) {
        by_class.merge(from.by_class);
        log_likelihood += from.log_likelihood;
    }
};

// The E-step under parameters held fixed.
class Completion {
public:
    // `with_holes`: the classes that have rows with holes; empty: any may.
    explicit Completion(GaussianClasses parameters, const std::vector<bool>& with_holes = {});
    CompletedRows none() const;
    void add(const Several<PatternStatistic>& rows, CompletedRows& into) const;
    // The sums of all rows, those without holes among them.
    ClassScatterStatistic all_rows(const ClassScatterStatistic& complete, CompletedRows others) const;
    // What all that is there is worth: of `complete`, and of the rows that the others were made of.
    double log_likelihood(const ClassScatterStatistic& complete, const CompletedRows& others) const;

private:
    struct Scratch;
    struct GroupForms {
        std::vector<double> covariance, factor, precision;  // d x d; of groups without holes empty
        double log_determinant = 0;
    };
    void regress(const GroupForms& group, const Pattern& present, Scratch& scratch) const;
    void add_pattern(std::size_t of_class, const Pattern& present, const GaussianVector::Statistic& seen,
                     CompletedRows& into, Scratch& scratch) const;

    GaussianClasses parameters_;
    std::vector<GroupForms> groups_;
};

struct CompletedEstimate {
    EstimatedGaussians gaussians;
    bool settled = true;         // else the limit of steps was reached
    ClassScatterStatistic sums;  // of all rows, completed: the ordinary estimate from them is `gaussians`
};

// EM from `start`. `complete` are the rows without holes, kept per class; `expect` is the E-step over the others.
// `leaps`: where the likelihood has one top (completion_leaps.hpp).
inline constexpr int most_completions = 2000;
using Expectation = std::function<Result<CompletedRows>(const Completion&)>;
Result<CompletedEstimate> estimate_completed(const ClassScatterStatistic& complete, GaussianClasses start,
                                             const Expectation& expect, const Settings& settings,
                                             const GaussianNames& names, int most_steps = most_completions,
                                             bool leaps = false);

// What is there, by class and column; and where EM starts from it: means and variances, no correlations.
Several<Several<Gaussian::Statistic>> columns_present(const ClassScatterStatistic& complete,
                                                      const Several<PatternStatistic>& incomplete);
GaussianClasses available_cases(const Several<Several<Gaussian::Statistic>>& by_class);

Result<EstimatedGaussians> estimate_incomplete(const ClassScatterStatistic& complete,
                                               const Several<PatternStatistic>& incomplete, const Settings& settings,
                                               const GaussianNames& names);

}  // namespace suffice
