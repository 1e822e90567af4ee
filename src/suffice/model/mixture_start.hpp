// Where EM starts: rows as points of Euclidean space, centres among them, and the components that the rows around each
// centre give. Numbers count in standard deviations, so units do not matter; a category is a corner; a missing value
// lies at the mean.
#pragma once
#include "suffice/model/classifier.hpp"
#include "suffice/model/row_sample.hpp"

namespace suffice {

enum class MixtureStart : std::uint8_t { k_means, k_means_plus_plus, random_rows, random_shares };

class Embedding {
public:
    Embedding(const Schema& schema, const LookedAt& looked);

    std::size_t dimension() const { return dimension_; }
    // Rows of the looked-at columns -> points.
    void write(kernel::Rows rows, std::vector<double>& points) const;
    // Of the rows seen: the least positive variance of a column of numbers; 0 where there is none.
    double least_variance() const { return least_variance_; }

private:
    struct Piece {
        std::size_t width = 1;  // levels of a category
        std::vector<double> mean;
        double scale = 1;
    };
    std::vector<Piece> pieces_;  // one per looked-at column
    std::size_t dimension_ = 0;
    double least_variance_ = 0;
};

// A model whose components are the rows nearest to each centre, or (random_shares) random parts of every row. `recipe`
// is blank, with a class for each component.
Result<Classifier> start_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked, MixtureStart start,
                                 std::uint64_t attempt, const Context& context);

}  // namespace suffice
