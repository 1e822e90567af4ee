// A scorer for services: the same posteriors as the model, and no memory asked for once it is made.
#include "suffice/flow/row_scorer.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "suffice/flow/fit.hpp"
#include "suffice/model/model_table.hpp"

namespace {
std::atomic<long> asked_for{0};
}

void* operator new(std::size_t size) {
    ++asked_for;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++asked_for;
    return std::malloc(size);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace suffice {
namespace {

constexpr std::size_t row_total = 120, width = 3;

// Whole numbers from 0 on, which every family but flags takes.
std::vector<double> counts() {
    std::vector<double> values(row_total * width);
    Rng rng(1, "row scorer");
    for (std::size_t at = 0; at < values.size(); ++at)
        values[at] = std::floor(8 * rng.uniform() + static_cast<double>(at / width % 3));
    return values;
}

std::vector<std::string> labels() {
    std::vector<std::string> all;
    for (std::size_t row = 0; row < row_total; ++row) all.push_back(row % 3 == 0 ? "a" : row % 3 == 1 ? "b" : "c");
    return all;
}

struct Case {
    std::string name;
    std::vector<double> values;
    Model model;
};

std::vector<Case> fitted_models() {
    std::vector<Case> all;
    for (const ModelEntry& entry : models()) {
        if (entry.sequences || entry.family == "categorical") continue;  // of text alone, of words alone
        FitOptions options;
        options.model = std::string(entry.name);
        if (entry.sharing == Sharing::groups) options.settings.groups = {{"a", "b"}, {"c"}};
        std::vector<double> values = counts();
        if (entry.family == "bernoulli")
            for (double& each : values) each = each > 4 ? 1 : 0;
        auto model = fit(rows(values.data(), row_total, width), labels(), options);
        EXPECT_TRUE(model) << entry.name << ": " << (model ? "" : model.error().message);
        if (model) all.push_back({std::string(entry.name), std::move(values), std::move(*model)});
    }
    return all;
}

// Points and regressions still ask for some.
TEST(RowScorer, OfAModelThatIsASumAsksForNoMemoryOnceItIsMade) {
    for (const Case& each : fitted_models()) {
        const ModelEntry& entry = *find_model(each.name);
        if (entry.points || !entry.is_sum()) continue;
        RowScorer scorer(each.model);
        std::vector<double> out(scorer.class_count());
        std::vector<double> hole(each.values.begin(), each.values.begin() + width);
        hole[1] = std::nan("");
        const auto before = asked_for.load();
        for (std::size_t row = 0; row < 50; ++row)
            ASSERT_TRUE(scorer.posteriors(std::span(each.values).subspan(row * width, width), out)) << each.name;
        EXPECT_EQ(asked_for.load() - before, 0) << each.name;
        ASSERT_TRUE(scorer.posteriors(hole, out)) << each.name;  // the first of its pattern is learned
    }
}

TEST(RowScorer, AgreesWithTheModelToTheLastBit) {
    for (const Case& each : fitted_models()) {
        RowScorer scorer(each.model);
        const auto all = each.model.posteriors(rows(each.values.data(), row_total, width));
        ASSERT_TRUE(all) << each.name;
        std::vector<double> out(scorer.class_count());
        for (std::size_t row = 0; row < row_total; ++row) {
            ASSERT_TRUE(scorer.posteriors(std::span(each.values).subspan(row * width, width), out));
            for (std::size_t c = 0; c < out.size(); ++c) EXPECT_NEAR(out[c], (*all)(row, c), 1e-14) << each.name;
        }
    }
}

TEST(RowScorer, TakesColumnsByName) {
    const auto values = counts();
    FitOptions options;
    options.model = "gaussian_nb";
    const auto model = fit(rows(values.data(), row_total, width), labels(), options);
    ASSERT_TRUE(model);
    RowScorer scorer(*model);
    std::vector<double> by_name(3), in_order(3);
    const auto names = model->columns();
    for (std::size_t k = width; k-- > 0;) ASSERT_TRUE(scorer.set(names[k], values[k]));
    ASSERT_TRUE(scorer.posteriors(by_name));
    ASSERT_TRUE(scorer.posteriors(std::span(values).first(width), in_order));
    EXPECT_EQ(by_name, in_order);
    EXPECT_FALSE(scorer.set("elsewhere", 1.0));
    EXPECT_FALSE(scorer.set(names[0], "word"));
    scorer.clear();
    ASSERT_TRUE(scorer.posteriors(by_name));  // the prior alone
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(by_name[c], std::exp(model->predictor().log_prior()[c]), 1e-12);
}

TEST(RowScorer, TheModelItselfAsksForLittle) {
    const Case nb = fitted_models()[1];
    (void)nb.model.posteriors(rows(nb.values.data(), 1, width));
    const auto before = asked_for.load();
    ASSERT_TRUE(nb.model.posteriors(rows(nb.values.data(), 1, width)));
    EXPECT_LT(asked_for.load() - before, 12);
}

}  // namespace
}  // namespace suffice
