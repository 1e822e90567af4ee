// One model asked, saved, loaded and exchanged by many threads at once, as a service does it. What this looks for is
// seen by the thread sanitizer (tools/test races); without it the answers are looked at.
#include <atomic>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/flow/algebra.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/row_scorer.hpp"

namespace suffice {
namespace {

constexpr std::size_t row_count = 60, column_count = 3;

std::vector<double> some_rows(double shift) {
    std::vector<double> x(row_count * column_count);
    for (std::size_t k = 0; k < x.size(); ++k)
        x[k] = std::sin(1.7 * static_cast<double>(k * k % 97)) + (k / column_count % 2 == 0 ? 0 : shift);
    return x;
}

Model fitted(const std::string& model, double shift) {
    const auto x = some_rows(shift);
    std::vector<std::string> labels;
    for (std::size_t row = 0; row < row_count; ++row) labels.emplace_back(row % 2 == 0 ? "stays" : "leaves");
    return fit(rows(x.data(), row_count, column_count), labels, {.model = model, .columns = {"a", "b", "c"}}).value();
}

// A model that is exchanged while others ask it; each asks the one it took.
class Slot {
public:
    explicit Slot(Model first) : held_(std::make_shared<const Model>(std::move(first))) {}
    std::shared_ptr<const Model> take() const {
        const std::lock_guard lock(guard_);
        return held_;
    }
    void put(Model next) {
        auto fresh = std::make_shared<const Model>(std::move(next));
        const std::lock_guard lock(guard_);
        held_.swap(fresh);
    }

private:
    mutable std::mutex guard_;
    std::shared_ptr<const Model> held_;
};

void ask(const Slot& slot, const std::vector<double>& x, std::atomic<int>& wrong) {
    const auto model = slot.take();
    const auto all = model->posteriors(rows(x.data(), row_count, column_count));
    RowScorer scorer(*model);
    double out[2] = {};
    for (std::size_t row = 0; row < row_count; ++row) {
        const auto scored = scorer.posteriors(std::span(x).subspan(row * column_count, column_count), out);
        if (!all || !scored || !(std::abs(out[0] - (*all)(row, 0)) < 1e-12) || !(std::abs(out[0] + out[1] - 1) < 1e-12))
            ++wrong;
    }
}

class SharedModel : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedModel, IsAskedSavedLoadedAndExchangedByThreadsAtOnce) {
    const auto folder = std::filesystem::temp_directory_path() / ("suffice_shared_" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const std::string path = folder / "m.suf";
    const Model first = fitted(GetParam(), 2), second = fitted(GetParam(), 3);
    Slot slot(first);
    ASSERT_TRUE(save(first, path));
    const auto x = some_rows(2.5);
    std::atomic<int> wrong{0};
    constexpr int times = 20;
    {
        std::vector<std::jthread> threads;
        for (int asker = 0; asker < 2; ++asker)
            threads.emplace_back([&] {
                for (int k = 0; k < times; ++k) ask(slot, x, wrong);
            });
        for (const Model* mine : {&first, &second})
            threads.emplace_back([&, mine] {
                for (int k = 0; k < times; ++k)
                    if (!save(*mine, path)) ++wrong;
            });
        threads.emplace_back([&] {
            for (int k = 0; k < times; ++k) {
                auto loaded = load(path);
                if (!loaded || !(loaded->file() == first.file() || loaded->file() == second.file())) ++wrong;
                if (loaded) slot.put(std::move(*loaded));
            }
        });
        threads.emplace_back([&] {
            for (int k = 0; k < times; ++k) {
                auto both = merge(first, *slot.take());
                if (both) slot.put(std::move(*both));  // those of repeated passes refuse
            }
        });
    }
    EXPECT_EQ(wrong, 0);
    std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SharedModel,
                         ::testing::Values("naive_bayes", "qda", "lda", "logistic_regression", "mixture_discriminant"));

}  // namespace
}  // namespace suffice
