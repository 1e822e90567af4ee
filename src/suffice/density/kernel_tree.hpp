// Kernel densities from a tree over the points: a box of points whose kernel values differ by little is taken whole.
// The error is bounded, not estimated: |found - exact| <= absolute + relative * exact. With both zero only boxes are
// spared whose points all give the same, which makes kernels of bounded reach exact and quick. Gray and Moore,
// "Nonparametric density estimation: toward computational tractability", 2003.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/density/kernel_density.hpp"

namespace suffice {

struct DensityTolerance {
    double absolute = 0;  // of the density
    double relative = 0;
};

class KernelTree {
public:
    // A bandwidth for each column; the covariance of the rows as a scale is refused.
    static Result<KernelTree> from(const KernelDensity& density);

    Result<std::vector<double>> log_density(const Matrix& rows, const DensityTolerance& tolerance,
                                            const Context& context = {}) const;

private:
    struct Node {
        std::size_t begin = 0, end = 0;   // of the points
        std::size_t left = 0, right = 0;  // children; 0: none
        double weight = 0;
    };
    struct Reach {
        double nearest = 0, farthest = 0;  // squared distances to a box
    };
    explicit KernelTree(const KernelDensity& density);
    std::size_t build(std::size_t begin, std::size_t end, std::vector<std::size_t>& order);
    Reach reach(std::size_t node, std::span<const double> query) const;
    double sum_of_leaf(const Node& leaf, std::span<const double> query) const;
    double sum_at(std::span<const double> query, double absolute, double relative) const;

    const KernelDensity* density_;  // outlives the tree
    std::size_t dimension_ = 0;
    std::vector<double> bandwidth_;  // of each column
    double log_peak_ = 0;            // log density of one point alone, where it lies
    std::vector<Node> nodes_;
    std::vector<double> low_, high_;  // corners of each node's box
    // In the order of the tree: points in bandwidths, column by column, and their weights.
    std::vector<double> columns_, weight_;
};

}  // namespace suffice
