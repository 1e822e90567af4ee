// Where EM starts: rows as points of Euclidean space, centres among them, and the components that the rows around each
// centre give. Numbers count in standard deviations, so units do not matter; a category is a corner; a missing value
// lies at the mean.
#pragma once
#include <span>

#include "suffice/accumulate/row_sample.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

enum class MixtureStart : std::uint8_t {
    several,  // another kind for each attempt, in a fixed order
    k_means,
    k_means_plus_plus,
    random_rows,
    random_shares,
    hierarchical,  // Ward's groups
    quantiles,     // equal parts along the first principal axis
};
// In which units rows are near each other.
enum class StartUnits : std::uint8_t { standardized, raw, whitened };

class Embedding {
public:
    Embedding(const Schema& schema, const LookedAt& looked, StartUnits units = StartUnits::standardized);

    std::size_t dimension() const { return dimension_; }
    // Rows of the looked-at columns -> points.
    void write(kernel::Rows rows, std::vector<double>& points) const;
    // Of the rows seen: the least positive variance of a column of numbers; 0 where there is none.
    double least_variance() const { return least_variance_; }
    Matrix points(const RowSample& sample) const;

private:
    struct Piece {
        std::size_t width = 1;  // levels of a category
        std::vector<double> mean;
        double scale = 1;
    };
    void whiten(const RowSample& sample);

    std::vector<Piece> pieces_;  // one per looked-at column
    std::vector<double> turn_;   // of whitened points: lower triangular; empty: they stay
    std::size_t dimension_ = 0;
    double least_variance_ = 0;
};

// An Error where there are fewer distinct rows than components.
Result<void> check_distinct(const Schema& schema, const LookedAt& looked, std::size_t count);

// A model whose components are the rows nearest to each centre, or (random_shares) random parts of every row. `recipe`
// is blank, with a class for each component. `attempt`: which of several starts, and of the draws of each.
Result<Classifier> start_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked, MixtureStart start,
                                 std::uint64_t attempt, const Context& context);
// A model whose components are the rows of each label; label_of is by row number, -1: in no component.
Result<Classifier> start_from_labels(const ModelState& recipe, Stream& stream, std::span<const std::int32_t> label_of,
                                     const Context& context);
// A model whose components are the rows as far as they belong to each: component-major, by row number.
Result<Classifier> start_from_shares(const ModelState& recipe, Stream& stream, std::span<const double> share,
                                     const Context& context);

}  // namespace suffice
