// k-means over rows in memory. Each row's centre is remembered, and two bounds on its distances spare the search once
// centres settle: a row whose own centre is surely nearer than any other keeps it unseen. Hamerly, "Making k-means even
// faster", 2010. The answer is Lloyd's.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"

namespace suffice {

struct KMeansRun {
    Matrix centres;
    std::vector<std::int32_t> nearest;  // of each row
    double inertia = 0;                 // sum of w |x - its centre|^2
    std::size_t steps = 0;
    bool unchanged = false;         // the last step left every row where it was
    double moved = 0;               // sum of squared moves of the centres in the last step
    std::vector<double> path = {};  // the inertia before each step, where asked for
};

struct KMeansLimits {
    std::size_t steps = 300;
    double move = 0;  // of the squared moves of all centres together
    bool wants_path = false;
};

// Rows of one batch at their nearest centres: what a step of mini-batch k-means needs.
struct AssignedBatch {
    std::vector<double> weight_of;  // of the rows of each centre
    Matrix sum;                     // of w x, by centre
    double inertia = 0;
};
// Rows numbered `which` of the block, or all of them where it is empty; `weight` is of the rows taken, empty: one each.
Result<AssignedBatch> assign_batch(const Block& rows, std::span<const std::int32_t> which,
                                   std::span<const double> weight, const Matrix& centres);

class KMeansRows {
public:
    // Views: the rows must outlive this. A value that is not finite is an Error.
    static Result<KMeansRows> from(LabeledBlock rows, const Context& context);

    const std::vector<double>& mean() const { return mean_; }  // without weights
    double mean_variance() const { return mean_variance_; }    // over columns, without weights
    Result<KMeansRun> run(const Matrix& start, const KMeansLimits& limits, const Context& context) const;
    // Greedy k-means++: `uniform` holds the draws, `uniform.size() / (count - 1)` for each centre after the first.
    // Fewer than `count` rows where no others are distinct.
    Result<std::vector<std::size_t>> spread(std::size_t first, std::size_t count, std::span<const double> uniform,
                                            const Context& context) const;

private:
    LabeledBlock rows_;
    std::vector<double> mean_;
    double mean_variance_ = 0;
};

}  // namespace suffice
