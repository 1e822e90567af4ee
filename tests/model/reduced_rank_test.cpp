// Discriminant coordinates against scikit-learn, and reduced-rank discrimination against the published vowel errors.
#include <cmath>

#include "model/discriminant_golden.hpp"
#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/model/discriminant_coordinates.hpp"

namespace suffice {
namespace {

using testing_rows::discriminant_answers;
using testing_rows::discriminant_cases;
using testing_rows::fit_table;

// scikit-learn's svd solver divides by n, as the likelihood does; signs are free.
TEST(DiscriminantCoordinates, AreThoseOfScikitLearn) {
    const auto answer = discriminant_answers();
    for (const auto& [name, table] : discriminant_cases()) {
        const auto found = answer.find(name + " coordinates");
        if (found == answer.end()) continue;
        const auto model = fit_table(table, {.model = "lda"}).value();
        const auto coordinates = discriminant_coordinates(model).value();
        const auto& explained = answer.at(name + " explained")[0];
        ASSERT_EQ(coordinates.count(), explained.size());
        const auto at = transform(model, table.rows()).value();
        for (std::size_t r = 0; r < explained.size(); ++r) {
            EXPECT_NEAR(coordinates.explained[r], explained[r], 1e-12);
            const double sign = at(0, r) * found->second[0][r] < 0 ? -1 : 1;
            for (std::size_t row = 0; row < at.row_count; ++row)
                EXPECT_NEAR(at(row, r), sign * found->second[row][r], 1e-9) << name << ", row " << row;
        }
    }
}

TEST(DiscriminantCoordinates, AreRefusedWhereCovariancesDiffer) {
    const auto table = discriminant_cases().at("iris");
    const auto refused = discriminant_coordinates(fit_table(table, {.model = "qda"}).value());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("linear_discriminant"), std::string::npos);
}

TEST(ReducedRank, ScoresAreDistancesInTheFirstCoordinates) {
    const auto table = discriminant_cases().at("iris");
    Recipe recipe{.model = "lda"};
    recipe.settings.rank = 1;
    const auto model = fit_table(table, recipe).value();
    const auto coordinates = discriminant_coordinates(model).value();
    const auto at = transform(model, table.rows()).value();
    const auto p = model.posteriors(table.rows()).value();
    const auto whole = fit_table(table, {.model = "lda"}).value();
    const auto described = whole.describe();
    for (std::size_t row = 0; row < p.row_count; row += 11) {
        std::vector<double> score;
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            std::vector<double> mean;
            for (const auto& column : described.columns) mean.push_back(column.by_class[c].number("mean"));
            const double way = at(row, 0) - coordinates.of_row(mean)[0];
            score.push_back(std::exp(-0.5 * way * way));
            sum += score.back();
        }
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p(row, c), score[c] / sum, 1e-9);
    }
    EXPECT_EQ(model.parameter_count(), 4u + 1 * (2 + 4 - 1) + 10 + 2);
}

TEST(ReducedRank, AllCoordinatesAreTheWholeModel) {
    const auto table = discriminant_cases().at("scales");
    Recipe recipe{.model = "lda"};
    const auto whole = fit_table(table, recipe).value();
    recipe.settings.rank = 2;
    const auto same = fit_table(table, recipe).value();
    EXPECT_EQ(same.posteriors(table.rows()).value(), whole.posteriors(table.rows()).value());
    EXPECT_EQ(same.parameter_count(), whole.parameter_count());
}

// Hastie, Tibshirani and Friedman (2009), figure 4.10: the test error of 1 to 10 coordinates.
TEST(ReducedRank, MakesThePublishedErrorsOnVowels) {
    SUFFICE_NEEDS_DATA("vowel/vowel.train");
    const auto train = read_real(data_folder() / "vowel/vowel.train", {"y"}, {"row.names"});
    const auto test = read_real(data_folder() / "vowel/vowel.test", {"y"}, {"row.names"});
    const double expected[] = {.6991, .4913, .4957, .5108, .5152, .5541, .5541, .5563, .5519, .5563};
    for (std::uint32_t rank = 1; rank <= 10; ++rank) {
        Recipe recipe{.model = "lda"};
        recipe.settings.rank = rank;
        const auto wrong = static_cast<double>(test.errors(train.fit(recipe)));
        EXPECT_NEAR(wrong / static_cast<double>(test.size()), expected[rank - 1], 6e-5) << "rank " << rank;
    }
}

}  // namespace
}  // namespace suffice
