// Weight, mean and scatter of rows, per class: the statistic behind every Gaussian structure.
//
// Scatter is kept per class, or pooled: one within-class matrix for all, when per-class ones would not fit. Both merge
// exactly; from the pooled form only shared covariances can be estimated.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/workspace.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

struct ClassScatterStatistic {
    std::uint64_t dimension = 0;
    bool pooled = false;
    std::vector<double> class_weight;  // k
    std::vector<double> mean;          // k x d
    std::vector<double> scatter;       // k x d x d, or d x d when pooled; both triangles
    static constexpr auto fields = FieldTuple{
        field("dimension", &ClassScatterStatistic::dimension), field("pooled", &ClassScatterStatistic::pooled),
        field("class_weight", &ClassScatterStatistic::class_weight), field("mean", &ClassScatterStatistic::mean),
        field("scatter", &ClassScatterStatistic::scatter)};
    bool operator==(const ClassScatterStatistic&) const = default;

    ClassScatterStatistic() = default;
    ClassScatterStatistic(std::size_t class_count, std::size_t columns, bool one_scatter);

    std::size_t class_count() const { return class_weight.size(); }
    double weight() const;
    std::span<const double> mean_of(std::size_t c) const { return std::span(mean).subspan(c * dimension, dimension); }
    std::span<const double> scatter_of(std::size_t c) const {
        const std::size_t cells = dimension * dimension;
        return std::span(scatter).subspan(pooled ? 0 : c * cells, cells);
    }
    bool finite() const;

    // Rows without holes. A value that is not finite makes the sums so, which finite() tells; then nothing of the unit
    // should be kept. What is returned lies in the workspace, until the next rows are summed there.
    static const ClassScatterStatistic& of_rows(kernel::Rows rows, const Membership& membership, bool pooled,
                                                Workspace& workspace);
    // Floats, each row of one class, scatter per class. Nothing: the unit needs a second look, as doubles.
    static const ClassScatterStatistic* of_floats(kernel::FloatRows rows, const Membership& membership,
                                                  Workspace& workspace);

    void merge(const ClassScatterStatistic& from);
    void remove(const ClassScatterStatistic& rows);
    void scale(double factor);
    void recode(const CodeMap& classes);
    void pool();  // from per-class to pooled; exact, and not to be undone
    bool valid() const;

private:
    // scatter += sign * that of `from`, and spread_c times the square of the way to its mean for each class c; both
    // triangles.
    void add_with_between(const ClassScatterStatistic& from, double sign, std::span<const double> spread);
};

}  // namespace suffice
