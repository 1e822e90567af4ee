// EM over the rows, where the patterns of missing values are too many to keep, against EM over the patterns.
#include "suffice/model/missing_patterns.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/estimate/gaussians.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

struct HoledRows {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    Schema schema{{{"w"}, {"x"}, {"y"}, {"z"}}, {"a", "b", "c"}};

    explicit HoledRows(std::size_t rows, std::uint64_t seed) {
        Rng rng(seed);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto c = static_cast<std::int32_t>(row % 3);
            const double common = rng.uniform() + rng.uniform() + 2 * c;
            labels.push_back(c);
            for (std::size_t k = 0; k < 4; ++k) {
                const double x = common * (1 + static_cast<double>(k)) + rng.uniform() * (3 - c);
                values.push_back(rng.uniform() < 0.15 ? std::nan("") : x);
            }
        }
    }
    LabeledBlock block() const {
        return {DenseBlock{values.data(), Element::f64, labels.size(), 4, 4, 1}, labels, {}, 0};
    }
    ModelState recipe(const Settings& settings, std::size_t room, bool names_known = true) const {
        const Schema known{schema.columns, names_known ? schema.classes : std::vector<std::string>{}};
        CovariancePart part(known, {0, 1, 2, 3}, false);
        part.room.bytes = room;
        return {"quadratic_discriminant", settings, ModelStatistic(known, {Part(part)})};
    }
};

// Numbers the classes backwards, as files number them in the order met and models in the order of names.
class Backwards final : public Stream {
public:
    explicit Backwards(const HoledRows& rows)
        : schema_(rows.schema), labels_(rows.labels), inner_(rows.block(), schema_) {
        std::ranges::reverse(schema_.classes);
        for (auto& label : labels_) label = 2 - label;
        LabeledBlock block = rows.block();
        block.label = labels_;
        inner_ = MemoryStream(block, schema_);
    }
    std::unique_ptr<Drawn> drawn() const override { return inner_.drawn(); }
    std::unique_ptr<Lane> lane() const override { return inner_.lane(); }
    Result<bool> draw(Drawn& unit) override { return inner_.draw(unit); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override { return inner_.decode(unit, lane); }
    Result<void> rewind() override { return inner_.rewind(); }
    std::uint64_t unit_count() const override { return 0; }
    std::uint64_t byte_count() const override { return inner_.byte_count(); }
    Progress progress() const override { return {}; }

private:
    Schema schema_;
    std::vector<std::int32_t> labels_;
    MemoryStream inner_;
};

std::vector<Settings> structures() {
    Settings own, shared, grouped;
    own.sharing = Sharing::own;
    shared.sharing = Sharing::all;
    grouped.sharing = Sharing::groups;
    grouped.groups = {{"a", "b"}, {"c"}};
    return {own, shared, grouped};
}

void expect_same(const Classifier& by_passes, const Classifier& by_patterns, const HoledRows& data) {
    EXPECT_NEAR(by_passes.log_likelihood(), by_patterns.log_likelihood(),
                1e-8 * std::abs(by_patterns.log_likelihood()));
    EXPECT_EQ(by_passes.class_weight(), by_patterns.class_weight());
    const auto one = by_passes.posteriors(data.block().rows).value();
    const auto other = by_patterns.posteriors(data.block().rows).value();
    for (std::size_t at = 0; at < one.values.size(); ++at) ASSERT_NEAR(one.values[at], other.values[at], 1e-9);
}

TEST(MissingPatterns, EmOverTheRowsGivesWhatEmOverThePatternsGives) {
    const HoledRows data(9000, 7);  // three units, so several lanes
    for (const Settings& settings : structures()) {
        MemoryStream stream(data.block(), data.schema);
        const auto by_patterns = fit(data.recipe(settings, CovariancePart::most_pattern_bytes), stream);
        ASSERT_TRUE(by_patterns) << by_patterns.error().message;
        EXPECT_TRUE(by_patterns->state().is_sum());
        ASSERT_TRUE(stream.rewind());
        const auto by_passes = fit(data.recipe(settings, 2000), stream);
        ASSERT_TRUE(by_passes) << by_passes.error().message;
        EXPECT_EQ(by_passes->state().passes, Passes::missing_patterns);
        EXPECT_FALSE(by_passes->state().statistic.parts[0].as<CovariancePart>()->has_holes());
        expect_same(*by_passes, *by_patterns, data);

        Backwards other_names(data);
        const auto renumbered = fit(data.recipe(settings, 2000, false), other_names);
        ASSERT_TRUE(renumbered) << renumbered.error().message;
        expect_same(*renumbered, *by_patterns, data);
    }
}

// Where only y is ever missing, the likelihood splits into x and y given x: T. W. Anderson (1957), JASA 52, 200-203.
TEST(MissingPatterns, MonotoneHolesGiveAndersonsClosedForm) {
    const Schema schema{{{"x"}, {"y"}}, {"only"}};
    Rng rng(12);
    std::vector<double> values;
    double n = 0, x = 0, xx = 0, m = 0, u = 0, v = 0, uu = 0, uv = 0, vv = 0;
    for (int row = 0; row < 500; ++row) {
        const double a = rng.uniform(), b = 2 * a + rng.uniform();
        const bool there = rng.uniform() + a > 0.6;  // depends on x, so leaving rows out would be wrong
        values.insert(values.end(), {a, there ? b : std::nan("")});
        n += 1, x += a, xx += a * a;
        if (there) m += 1, u += a, v += b, uu += a * a, uv += a * b, vv += b * b;
    }
    const double slope = (uv - u * v / m) / (uu - u * u / m), s_xx = xx / n - x * x / n / n;
    const double around = (vv - v * v / m - slope * (uv - u * v / m)) / m;
    const std::vector<std::int32_t> labels(500);
    for (const std::size_t room : {CovariancePart::most_pattern_bytes, std::size_t{0}}) {
        CovariancePart part(schema, {0, 1}, false);
        part.room.bytes = room;
        MemoryStream stream({DenseBlock{values.data(), Element::f64, 500, 2, 2, 1}, labels, {}, 0}, schema);
        const auto state = feed({"quadratic_discriminant", {}, ModelStatistic(schema, {Part(part)})}, stream, {});
        ASSERT_TRUE(state) << state.error().message;
        EXPECT_EQ(state->is_sum(), room > 0);
        const auto found = gaussians_of(*state->statistic.parts[0].as<CovariancePart>(), state->settings, schema);
        ASSERT_TRUE(found) << found.error().message;
        const auto& mean = found->parameters.mean[0];
        const auto covariance = found->parameters.covariance(0);
        EXPECT_NEAR(mean[0], x / n, 1e-12);
        EXPECT_NEAR(mean[1], v / m + slope * (x / n - u / m), 1e-9);
        EXPECT_NEAR(covariance[0], s_xx, 1e-12);
        EXPECT_NEAR(covariance[1], slope * s_xx, 1e-9);
        EXPECT_NEAR(covariance[3], around + slope * slope * s_xx, 1e-9);
    }
}

TEST(MissingPatterns, AModelFittedByPassesSaysSoOnceAndCannotBeMerged) {
    const HoledRows data(300, 8);
    MemoryStream stream(data.block(), data.schema);
    const auto model = fit(data.recipe(structures()[0], 1000), stream);
    ASSERT_TRUE(model) << model.error().message;
    const std::vector<Note> note{passes_text(Passes::missing_patterns) +
                                 ": EM read the rows again for each step, and the model cannot be merged"};
    EXPECT_EQ(model->notes(), note);
    EXPECT_EQ(Classifier::from(model->state()).value().notes(), note);
    const auto merged = merge(*model, *model);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().message, passes_text(Passes::missing_patterns) +
                                          ", so the model is no sum of its rows and cannot be combined; use update");
    EXPECT_FALSE(decay(*model, 0.5));
}

TEST(MissingPatterns, RowsThatAModelHasForgottenCannotBeReadAgain) {
    const HoledRows data(300, 9);
    MemoryStream stream(data.block(), data.schema);
    auto state = feed(data.recipe(structures()[0], CovariancePart::most_pattern_bytes), stream, {});
    ASSERT_TRUE(state);
    state->statistic.parts[0].as<CovariancePart>()->room.bytes = 1000;
    ASSERT_TRUE(stream.rewind());
    const auto more = feed(*state, stream, {});
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message,
              passes_text(Passes::missing_patterns) + " beside those of the model; fit again to all rows together");
}

}  // namespace
}  // namespace suffice
