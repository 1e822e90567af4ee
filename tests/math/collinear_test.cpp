// Columns that others determine: relations made by hand are found again.
#include "suffice/math/collinear.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"

namespace suffice {
namespace {

using Columns = std::vector<std::size_t>;

// Covariance of rows whose columns are drawn and then replaced by `relate`.
template <class Relate>
std::vector<double> covariance_of(std::size_t d, Relate relate) {
    Rng rng(7);
    const std::size_t rows = 200;
    std::vector<std::vector<double>> x(rows, std::vector<double>(d));
    std::vector<double> mean(d), covariance(d * d);
    for (auto& row : x) {
        for (double& each : row) each = rng.uniform() - 0.5;
        relate(row);
        for (std::size_t i = 0; i < d; ++i) mean[i] += row[i] / static_cast<double>(rows);
    }
    for (const auto& row : x)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j)
                covariance[i * d + j] += (row[i] - mean[i]) * (row[j] - mean[j]) / static_cast<double>(rows);
    return covariance;
}

TEST(Collinear, ThreeCollinearColumnsAmongSixAreAllNamed) {
    const auto found =
        find_collinear(covariance_of(6, [](auto& row) { row[4] = 1000 * row[1] - 0.5 * row[3] + 7; }), 6, 6e-11);
    EXPECT_EQ(found.rank, 5);
    ASSERT_EQ(found.determined.size(), 1);
    Columns all = found.by;
    all.insert(all.end(), found.determined.begin(), found.determined.end());
    std::ranges::sort(all);
    EXPECT_EQ(all, (Columns{1, 3, 4}));
}

TEST(Collinear, MultiplesOfOneColumnLeaveOneOfThem) {
    const auto found = find_collinear(covariance_of(5,
                                                    [](auto& row) {
                                                        row[2] = 3 * row[0];
                                                        row[4] = -1e6 * row[0];
                                                    }),
                                      5, 5e-11);
    EXPECT_EQ(found.rank, 3);
    EXPECT_EQ(found.determined.size(), 2);
    EXPECT_EQ(found.by.size(), 1);
}

TEST(Collinear, AConstantColumnIsDeterminedByNone) {
    const auto found = find_collinear(covariance_of(3, [](auto& row) { row[1] = 0; }), 3, 3e-11);
    EXPECT_EQ(found.rank, 2);
    EXPECT_EQ(found.determined, Columns{1});
    EXPECT_TRUE(found.by.empty());
}

}  // namespace
}  // namespace suffice
