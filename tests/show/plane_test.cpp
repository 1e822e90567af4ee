// Models in two dimensions, against models fitted to these two columns alone; rows of a report.
#include "suffice/show/plane.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/show/report.hpp"
#include "suffice/suffice.hpp"

namespace suffice {
namespace {

const std::string iris = std::string(SUFFICE_SOURCE_DIR) + "/data/iris.csv";

Model fitted(const std::string& model, std::vector<std::string> exclude = {}) {
    FitOptions options;
    options.target = "species";
    options.model = model;
    options.exclude = std::move(exclude);
    return fit(std::vector<std::string>{iris}, options).value();
}

ReportRows rows_of(const Model& model) { return gather_rows(model, {iris}, {}, {}).value(); }

// Integrating columns out of a Gaussian or a product leaves the model of the others.
void expect_marginal(const std::string& name) {
    const Model all = fitted(name), two = fitted(name, {"sepal_width", "petal_width"});
    PlaneOptions options;
    options.columns = {"sepal_length", "petal_length"};
    options.grid_columns = 21;
    options.grid_rows = 17;
    const PlaneView wide = plane_of(all, rows_of(all).sample, options).value();
    const PlaneView narrow = plane_of(two, rows_of(two).sample, options).value();
    EXPECT_NE(wide.others.find("integrated out"), std::string::npos);
    EXPECT_EQ(narrow.others, "");
    ASSERT_EQ(wide.log_density.size(), 21u * 17u * 3u);
    for (std::size_t k = 0; k < wide.log_density.size(); ++k) {
        EXPECT_NEAR(wide.log_density[k], narrow.log_density[k], 1e-6 * (1 + std::abs(narrow.log_density[k])));
        EXPECT_NEAR(wide.posterior[k], narrow.posterior[k], 1e-6);
    }
    EXPECT_EQ(wide.rows.size(), 150u);
}

TEST(PlaneOf, QuadraticDiscriminantIsThatOfTheTwoColumns) { expect_marginal("quadratic_discriminant"); }
TEST(PlaneOf, LinearDiscriminantIsThatOfTheTwoColumns) { expect_marginal("linear_discriminant"); }
TEST(PlaneOf, NaiveBayesIsThatOfTheTwoColumns) { expect_marginal("naive_bayes"); }

TEST(PlaneOf, DiscriminantCoordinatesOfThreeClassesLoseNothing) {
    // Two coordinates hold all that tells three classes apart, so at a row's place stands the row's own posterior.
    const Model model = fitted("linear_discriminant");
    const ReportRows rows = rows_of(model);
    PlaneOptions options;
    options.grid_columns = 401;
    options.grid_rows = 401;
    const PlaneView view = plane_of(model, rows.sample, options).value();
    EXPECT_TRUE(view.straight);
    EXPECT_NE(view.x.title.find("discriminant coordinate 1 (99.1 %)"), std::string::npos);  // as R's lda prints
    const Block block = suffice::rows(rows.sample.values.values.data(), rows.sample.size(), 4);
    const Matrix posterior = model.posteriors(block).value();
    for (std::size_t row = 0; row < view.rows.size(); ++row) {
        const auto& [x, y] = view.rows[row].at;
        const auto column =
            static_cast<std::size_t>(std::lround((x - view.grid.x_low) / (view.grid.x_high - view.grid.x_low) * 400));
        const auto line =
            static_cast<std::size_t>(std::lround((y - view.grid.y_low) / (view.grid.y_high - view.grid.y_low) * 400));
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(view.posterior[(line * 401 + column) * 3 + c], posterior(row, c), 0.05);
    }
}

TEST(PlaneOf, NamesWhatItCannotDraw) {
    const Model model = fitted("naive_bayes");
    PlaneOptions options;
    options.columns = {"sepal_length", "age"};
    EXPECT_EQ(plane_of(model, rows_of(model).sample, options).error().message, "the model has no column age");
    options.columns = {"sepal_length", "sepal_length"};
    EXPECT_FALSE(plane_of(model, rows_of(model).sample, options));
}

TEST(GatherRows, KeepTheWorstMistakesFirstAndAreTheEvaluation) {
    const Model model = fitted("quadratic_discriminant");
    const ReportRows rows = rows_of(model);
    const Scores scores = rows.evaluation.scores();
    EXPECT_DOUBLE_EQ(*scores.accuracy, 0.98);
    ASSERT_EQ(rows.mistakes.size(), 3u);
    for (std::size_t k = 0; k < rows.mistakes.size(); ++k) {
        EXPECT_NE(rows.mistakes[k].row.best, rows.mistakes[k].truth);
        EXPECT_GT(rows.mistakes[k].log_odds, 0);
        if (k > 0) {
            EXPECT_LE(rows.mistakes[k].log_odds, rows.mistakes[k - 1].log_odds);
        }
    }
    for (std::size_t k = 1; k < rows.odd.size(); ++k) EXPECT_GE(rows.odd[k].log_evidence, rows.odd[k - 1].log_evidence);
}

TEST(GatherRows, SampleTheSameRowsForAnyThreadCount) {
    const Model model = fitted("naive_bayes");
    ReportLimits limits;
    limits.sample = 40;
    Context one, four;
    one.thread_count = 1;
    four.thread_count = 4;
    const auto a = gather_rows(model, {iris}, {}, limits, one).value(),
               b = gather_rows(model, {iris}, {}, limits, four).value();
    EXPECT_EQ(a.sample.size(), 40u);
    EXPECT_EQ(a.sample.row_count, 150u);
    EXPECT_EQ(a.sample.values, b.sample.values);
}

TEST(Report, OfRowsInMemoryIsThatOfTheFile) {
    const Model model = fitted("naive_bayes");
    const ReportRows rows = rows_of(model);
    ReportOptions options;
    options.format = ReportFormat::json;
    const LabeledBlock block{suffice::rows(rows.sample.values.values.data(), 150, 4), rows.sample.label, {}, 0};
    std::string memory = report(model, block, options).value().text;
    std::string file = report(model, {iris}, options).value().text;
    const std::string names = "\"files\": [\"iris.csv\"]";
    file.replace(file.find(names), names.size(), "\"files\": []");
    EXPECT_EQ(memory, file);
}

}  // namespace
}  // namespace suffice
