// A calibrated model answers with calibrated posteriors and keeps its evidence and its explanation.
#include "suffice/model/calibrated.hpp"

#include <cmath>

#include "labeled_table.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

using testing_rows::fit_table;
using testing_rows::LabeledTable;

LabeledTable two_clouds() {
    LabeledTable table;
    table.name_numbers(2, 2);
    Rng rng(3, "clouds");
    for (std::size_t row = 0; row < 300; ++row) {
        table.labels.push_back(static_cast<std::int32_t>(row % 2));
        const double shared = rng.uniform();  // seen twice, so naive Bayes is too sure of itself
        for (int k = 0; k < 2; ++k) table.values.push_back(shared + 0.3 * table.labels.back() + 0.01 * rng.uniform());
    }
    return table;
}

TEST(Calibrated, PosteriorsPassTheCalibrationAndTheEvidenceStays) {
    const LabeledTable table = two_clouds();
    const auto model = std::make_shared<const Classifier>(fit_table(table, {.model = "gnb"}).value());
    const Matrix plain = model->posteriors(table.rows()).value();
    for (const auto name : calibration_names()) {
        const auto calibration = fit_calibration(name, {plain.values, 2, table.labels, {}}).value();
        const CalibratedPredictor calibrated(model, calibration);
        Matrix expected = plain, found(plain.row_count, 2);
        calibration.apply(expected.values, 2).value();
        std::vector<double> before(plain.row_count), after(plain.row_count);
        ScoreSink sink;
        sink.log_evidence = before.data();
        model->score(table.rows(), sink, {}).value();
        sink.log_evidence = after.data();
        sink.scores = found.values.data();
        sink.stride = 2;
        calibrated.score(table.rows(), sink, {}).value();
        for (std::size_t row = 0; row < plain.row_count; ++row) {
            EXPECT_NEAR(after[row], before[row], 1e-9) << name;
            for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(found(row, c), expected(row, c), 1e-12) << name;
            const Explanation told = calibrated.explain(table.rows(), row).value();
            double odds = told.intercept[1] - told.intercept[0];
            for (const auto& term : told.terms) odds += term.by_class[1] - term.by_class[0];
            if (expected(row, 0) > 1e-200 && expected(row, 1) > 1e-200) {
                EXPECT_NEAR(odds, std::log(expected(row, 1) / expected(row, 0)), 1e-9 * (1 + std::abs(odds))) << name;
            }
        }
    }
}

}  // namespace
}  // namespace suffice
