// Calibrations against scikit-learn and SciPy, their saved form, and the choice among them.
#include "suffice/decide/calibration.hpp"

#include <cmath>
#include <deque>
#include <map>
#include <numeric>

#include "evaluate/golden.hpp"
#include <gtest/gtest.h>

#include "suffice/base/random.hpp"
#include "suffice/evaluate/evaluation.hpp"

namespace suffice {
namespace {

template <class Stage>
Stage fitted(const PosteriorRows& rows) {
    return std::get<Stage>(fit_calibration(Stage::name, rows).value().stage());
}

TEST(Calibration, FitsWhatAGeneralOptimiserFinds) {
    const auto cases = golden::cases();
    std::size_t compared = 0;
    for (const auto& [name, values] : golden::values("evaluate_calibration.csv")) {
        const PosteriorRows rows = cases.at(name).rows();
        const auto temperature = fitted<TemperatureScaling>(rows);
        const auto platt = fitted<PlattScaling>(rows);
        const auto beta = fitted<BetaCalibration>(rows);
        const auto isotonic = fitted<IsotonicCalibration>(rows);
        const std::map<std::string, std::vector<double>> ours{{"temperature", {temperature.temperature}},
                                                              {"platt_slope", platt.slope},
                                                              {"platt_intercept", platt.intercept},
                                                              {"beta_a", beta.a},
                                                              {"beta_b", beta.b},
                                                              {"beta_c", beta.c}};
        for (const golden::Value& value : values) {
            SCOPED_TRACE(name + " " + value.name + " " + std::to_string(value.index));
            if (value.name.starts_with("isotonic_")) {
                const auto code = static_cast<std::size_t>(value.name.back() - '0');
                EXPECT_NEAR(isotonic.curves[code].at(static_cast<double>(value.index) / 20), *value.value, 1e-12);
            } else {
                EXPECT_NEAR(ours.at(value.name)[value.index] / (1 + std::abs(*value.value)),
                            *value.value / (1 + std::abs(*value.value)), 1e-6);
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 300u);
}

// Posteriors of three classes drawn as they say, then sharpened to p^4: too sure of themselves.
golden::Case sharpened(std::size_t row_count) {
    golden::Case rows;
    rows.class_count = 3;
    Rng rng(4);
    for (std::size_t row = 0; row < row_count; ++row) {
        double honest[3], sum = 0, sharp_sum = 0;
        for (double& each : honest) sum += each = std::exp(4 * rng.uniform());
        for (double& each : honest) sharp_sum += std::pow(each /= sum, 4);
        const double draw = rng.uniform();
        rows.truths.push_back(draw < honest[0] ? 0 : draw < honest[0] + honest[1] ? 1 : 2);
        rows.weights.push_back(1);
        for (const double each : honest) rows.posteriors.push_back(std::pow(each, 4) / sharp_sum);
    }
    return rows;
}

double calibration_error_of(const golden::Case& rows, const std::vector<double>& posteriors) {
    Evaluation evaluation = Evaluation::make(3).value();
    evaluation.observe({posteriors, 3, rows.truths}).value();
    return *evaluation.scores().calibration_error;
}

TEST(Calibration, UndoesSharpeningAndIsChosenByCrossValidatedLogLoss) {
    const golden::Case rows = sharpened(3000);
    EXPECT_NEAR(fitted<TemperatureScaling>(rows.rows()).temperature, 4, 0.3);
    const CalibrationChoice choice = choose_calibration(rows.rows()).value();
    EXPECT_EQ(choice.calibration.name(), "temperature");
    ASSERT_EQ(choice.scores.size(), 5u);
    EXPECT_EQ(choice.scores[0].name, "none");
    const double before = calibration_error_of(rows, rows.posteriors);
    EXPECT_GT(before, 0.2);
    for (const std::string_view name : calibration_names()) {
        if (name == "none") continue;
        std::vector<double> posteriors = rows.posteriors;
        fit_calibration(name, rows.rows()).value().apply(posteriors, 3).value();
        EXPECT_LT(calibration_error_of(rows, posteriors), before / 4) << name;
    }
}

TEST(Calibration, LeavesHonestPosteriorsAlone) {
    golden::Case rows = sharpened(3000);
    for (std::size_t row = 0; row < rows.truths.size(); ++row) {
        double sum = 0;
        for (std::size_t code = 0; code < 3; ++code) {
            double& each = rows.posteriors[3 * row + code];
            sum += each = std::pow(each, 0.25);
        }
        for (std::size_t code = 0; code < 3; ++code) rows.posteriors[3 * row + code] /= sum;
    }
    const auto scores = choose_calibration(rows.rows()).value().scores;
    for (const CalibrationScore& score : scores) EXPECT_GT(score.log_loss, scores[0].log_loss - 2e-3) << score.name;
}

TEST(Calibration, GivesDistributionsThatAreFiniteInLogAtTheExtremes) {
    const golden::Case rows = sharpened(300);
    for (const std::string_view name : calibration_names()) {
        std::vector<double> posteriors{1, 0, 0, 1e-300, 1, 0, 1 - 0x1p-53, 0x1p-53, 1e-20, 0.25, 0.25, 0.5};
        fit_calibration(name, rows.rows()).value().apply(posteriors, 3).value();
        for (std::size_t row = 0; row < 4; ++row) {
            const auto own = std::span(posteriors).subspan(3 * row, 3);
            EXPECT_NEAR(std::accumulate(own.begin(), own.end(), 0.0), 1, 1e-12) << name;
            for (const double each : own) EXPECT_TRUE(each > 0 || name == "none") << name;
        }
    }
}

TEST(Calibration, KeepsAClassWithoutRowsAsItWas) {
    golden::Case rows = sharpened(300);
    for (std::int32_t& truth : rows.truths) truth = truth == 2 ? -1 : truth;
    EXPECT_EQ(fitted<PlattScaling>(rows.rows()).slope[2], 1);
    EXPECT_EQ(fitted<BetaCalibration>(rows.rows()).c[2], 0);
    EXPECT_EQ(fitted<IsotonicCalibration>(rows.rows()).curves[2].at(0.3), 0.3);
}

TEST(Calibration, StaysFiniteOnSeparableRows) {
    const std::vector<double> posteriors{0.9, 0.1, 0.8, 0.2, 0.3, 0.7, 0, 1};
    const std::vector<std::int32_t> truths{0, 0, 1, 1};
    for (const std::string_view name : calibration_names()) {
        std::vector<double> own = posteriors;
        fit_calibration(name, {posteriors, 2, truths}).value().apply(own, 2).value();
        for (const double each : own) EXPECT_TRUE(each >= 0 && each <= 1) << name;
    }
}

TEST(Calibration, WeightTwoIsTwoRows) {
    const golden::Case rows = sharpened(200);
    golden::Case twice = rows;
    twice.truths.insert(twice.truths.end(), rows.truths.begin(), rows.truths.end());
    twice.posteriors.insert(twice.posteriors.end(), rows.posteriors.begin(), rows.posteriors.end());
    twice.weights.assign(400, 1.0);
    const std::vector<double> two(200, 2.0);
    const PosteriorRows doubled{rows.posteriors, 3, rows.truths, two};
    for (const std::string_view name : calibration_names()) {
        std::vector<double> one = rows.posteriors, other = rows.posteriors;
        fit_calibration(name, twice.rows()).value().apply(one, 3).value();
        fit_calibration(name, doubled).value().apply(other, 3).value();
        for (std::size_t at = 0; at < one.size(); ++at) ASSERT_NEAR(one[at], other[at], 1e-9) << name;
    }
}

// Values in the order written; names and structure are dropped.
struct Tape final : FieldSink, FieldSource {
    std::deque<double> values;
    std::deque<std::string> texts;

    void number(std::string_view, double value) override { values.push_back(value); }
    void whole(std::string_view, std::uint64_t value) override { values.push_back(static_cast<double>(value)); }
    void text(std::string_view, std::string_view value) override { texts.emplace_back(value); }
    void numbers(std::string_view, std::span<const double> many) override {
        values.push_back(static_cast<double>(many.size()));
        values.insert(values.end(), many.begin(), many.end());
    }
    void open_list(std::string_view, std::size_t count) override { values.push_back(static_cast<double>(count)); }
    void open_record(std::string_view) override {}
    void close() override {}

    double number() override {
        if (values.empty()) return fail(), 0;
        const double value = values.front();
        values.pop_front();
        return value;
    }
    std::uint64_t whole() override { return static_cast<std::uint64_t>(number()); }
    std::string text() override {
        if (texts.empty()) return fail(), std::string();
        const std::string value = texts.front();
        texts.pop_front();
        return value;
    }
    std::vector<double> numbers() override {
        std::vector<double> many(list());
        for (double& value : many) value = number();
        return many;
    }
    std::size_t list() override { return static_cast<std::size_t>(number()); }
};

TEST(Calibration, ReadsBackWhatItWroteAndRefusesNonsense) {
    const golden::Case rows = sharpened(300);
    for (const std::string_view name : calibration_names()) {
        const Calibration written = fit_calibration(name, rows.rows()).value();
        Tape tape;
        write_value(tape, "calibration", written);
        Tape broken = tape, unknown = tape;
        Calibration read;
        read_value(tape, read);
        EXPECT_FALSE(tape.failed());
        EXPECT_EQ(read, written);
        if (!broken.values.empty() && name != "none") {
            broken.values.back() = NAN;
            read_value(broken, read);
            EXPECT_TRUE(broken.failed()) << name;
        }
        unknown.texts.front() = "magic";
        read_value(unknown, read);
        EXPECT_TRUE(unknown.failed());
    }
}

TEST(Calibration, RefusesRowsAndNamesItCannotUse) {
    const golden::Case rows = sharpened(50);
    EXPECT_EQ(fit_calibration("magic", rows.rows()).error().message,
              "There is no calibration \"magic\"; choose one of none, temperature, platt, beta, isotonic.");
    const std::vector<std::int32_t> one(50, 1), unknown(50, -1);
    EXPECT_EQ(fit_calibration("platt", {rows.posteriors, 3, one}).error().message,
              "Calibration needs rows of at least two classes, but all are of one.");
    EXPECT_FALSE(fit_calibration("platt", {rows.posteriors, 3, unknown}));
    EXPECT_FALSE(fit_calibration("platt", {{}, 3, {}}));
    EXPECT_FALSE(choose_calibration(rows.rows(), 1));
    EXPECT_FALSE(choose_calibration(rows.rows(), 51));
    std::vector<double> two{0.5, 0.5};
    EXPECT_FALSE(fit_calibration("platt", rows.rows()).value().apply(two, 2));
}

}  // namespace
}  // namespace suffice
