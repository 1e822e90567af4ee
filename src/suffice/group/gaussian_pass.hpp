// One pass of Gaussian components over rows: the E-step and the moments of the M-step at once, straight
// through the kernels. Responsibilities live for one tile, so nothing of size rows x components is ever there. What the
// components' scores are is the caller's: likelihood and variational Bayes differ in constants only.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/group/component_shape.hpp"
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

struct ComponentMoments {
    std::vector<double> weight;  // of each component, with a trifle added so that an empty one divides by something
    Matrix mean;                 // components x columns
    // About the means: full k x d x d, tied d x d, diagonal k x d, spherical k.
    std::vector<double> covariance;
    double total_weight = 0;
    double log_likelihood = 0;    // sum of w log sum_k exp(score)
    double negative_entropy = 0;  // sum of w r log r over rows and components
};

// log score of component k at x = offset_k + log N(x; mean_k, covariance of its group).
struct ScoredComponents {
    GaussianClasses gaussians;
    std::vector<double> offset;
};

// Components from means and precision factors A with A'A the precision: full k lower d x d, tied one, diagonal k x d,
// spherical k.
Result<ScoredComponents> scored_components(ComponentShape shape, const Matrix& mean, std::span<const double> factor,
                                           std::vector<double> offset);

// Rows whose class is known belong to its components alone; the others count `unlabeled_weight`.
struct Narrowing {
    std::vector<std::int32_t> class_of = {};  // of each component; empty: labels are not looked at
    double unlabeled_weight = 1;
};

enum class Assignment : std::uint8_t { soft, hard };  // hard: each row counts for its best component alone

class GaussianRows {
public:
    // Views: the rows must outlive this. Every value is finite.
    GaussianRows(LabeledBlock rows, ComponentShape shape)
        : memory_(std::make_unique<MemoryStream>(rows, Schema{})),
          stream_(*memory_),
          row_count_(rows.size()),
          column_count_(suffice::column_count(rows.rows)),
          shape_(shape) {}
    // The stream is run through once for each step; all its columns are numbers.
    GaussianRows(Stream& stream, std::size_t column_count, ComponentShape shape)
        : stream_(stream), column_count_(column_count), shape_(shape) {}

    // Finds the mean of all rows, which every pass needs; false where a value or the sum is not finite.
    Result<bool> look(const Context& context);

    Result<ComponentMoments> step(const ScoredComponents& components, Assignment assignment, bool wants_entropy,
                                  const Context& context, const Narrowing& narrowing = {});
    // Each row counts for the component of its label; -1: for none.
    Result<ComponentMoments> of_labels(std::span<const std::int32_t> labels, std::size_t component_count,
                                       const Context& context);
    Result<ComponentMoments> all(const Context& context);  // as one component
    std::size_t column_count() const { return column_count_; }

private:
    Result<void> find_centre(const Context& context);
    Result<std::vector<double>> first_row();
    template <class Share>
    Result<ComponentMoments> gather(std::size_t component_count, const Share& share, const Matrix* centres,
                                    const Context& context);

    std::unique_ptr<MemoryStream> memory_;
    Stream& stream_;
    std::size_t row_count_ = 0;  // of rows in memory
    std::size_t column_count_;
    ComponentShape shape_;
    std::vector<double> centre_;         // the mean of all rows
    std::vector<double> total_scatter_;  // of all rows about it; for tied components only
    double total_weight_ = 0;
    bool own_centres_ = false;  // sums about each component's mean, because the means lie far apart
};

struct ComponentScores {
    double* log_evidence = nullptr;  // of each row
    double* posterior = nullptr;     // rows x components
    std::int32_t* best = nullptr;
};
Result<void> score_rows(const Block& rows, const ScoredComponents& components, const ComponentScores& into,
                        const Context& context);

}  // namespace suffice
