// k-means: each row belongs to its nearest centre, each centre is the mean of its rows, until nothing moves. It is EM
// with equal spherical components in the limit of no variance, and folds over the same streams. Lloyd (1982); starts by
// greedy k-means++, Arthur and Vassilvitskii (2007).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/base/random.hpp"
#include "suffice/data/stream.hpp"

namespace suffice {

enum class CentreStart : std::uint8_t { k_means_plus_plus, random_rows, given };

struct KMeansSettings {
    std::size_t centre_count = 8;
    CentreStart start = CentreStart::k_means_plus_plus;
    Matrix given = {};        // centre_count rows, for CentreStart::given
    std::size_t starts = 10;  // tried on a sample of the rows; the best goes on with all of them
    std::size_t step_limit = 300;
    double tolerance = 1e-4;  // of the squared moves of all centres, relative to the mean variance of a column
    std::size_t sample_limit = 20'000;
    bool follow = false;  // the centres before each step are kept, and those after the last

    Result<void> check(std::size_t column_count) const;
};

struct KMeans {
    Matrix centres;
    std::vector<double> weight;    // of the rows of each centre
    double inertia = 0;            // sum of weighted squared distances to the nearest centre
    std::size_t steps = 0;         // of the way to these centres
    std::size_t search_steps = 0;  // of all starts, and moves from them, on the sample
    bool settled = false;          // else the limit of steps was reached
    std::vector<double> path;      // the inertia before each step; it never rises
    std::vector<Matrix> followed;  // where asked for: centres, and the weight of their rows as the last column
    std::vector<Note> notes;

    // The nearest centre of each row, and unless nullptr the squared distance to it.
    Result<std::vector<std::int32_t>> predict(const LabeledBlock& rows, const Context& context = {},
                                              std::vector<double>* squared_distance = nullptr) const;
    // Distances of each row to every centre.
    Result<Matrix> distances(const LabeledBlock& rows) const;
};

// All columns of the stream are numbers. Labels are not looked at.
Result<KMeans> fit_k_means(Stream& stream, const Schema& schema, const KMeansSettings& settings,
                           const Context& context = {});

// Greedy k-means++ among weighted points: each centre is the best of 2 + log k draws. Row numbers of `points`; fewer
// than `count` where there are not that many distinct points.
std::vector<std::size_t> spread_rows(const Matrix& points, const std::vector<double>& weight, std::size_t count,
                                     Rng& rng);
// Different rows, drawn in proportion to their weights.
std::vector<std::size_t> random_rows(const std::vector<double>& weight, std::size_t count, Rng& rng);

}  // namespace suffice
