// Model files that somebody has changed, with the checksum put right: each is refused, or is a model whose posteriors
// are probabilities. Every kind of change is tried on a small model of each kind.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "right_checksum.hpp"
#include <gtest/gtest.h>

#include "suffice/persist/model_file.hpp"

namespace suffice {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), missing = std::numeric_limits<double>::quiet_NaN();

struct Seed {
    std::string name, bytes;
};

std::vector<Seed> seeds() {
    std::vector<Seed> all;
    for (const auto& file : std::filesystem::directory_iterator(SUFFICE_SOURCE_DIR "/tests/fuzz/corpus/model")) {
        std::ifstream in(file.path(), std::ios::binary);
        all.push_back({file.path().filename(), with_right_checksum({std::istreambuf_iterator<char>(in), {}})});
    }
    std::ranges::sort(all, {}, &Seed::name);
    return all;
}

std::unique_ptr<Predictor> predictor_of(const PredictorState& state) {
    return std::visit(
        [](const auto& each) -> std::unique_ptr<Predictor> {
            using State = std::decay_t<decltype(each)>;
            using Kind = std::conditional_t<
                std::is_same_v<State, ModelState>, Classifier,
                std::conditional_t<std::is_same_v<State, LogisticState>, LogisticRegression, MixtureDiscriminant>>;
            auto made = Kind::from(each);
            return made ? std::make_unique<Kind>(std::move(*made)) : nullptr;
        },
        state);
}

// Values that rows may have: the model's own levels, and numbers near and far.
std::vector<double> rows_for(const Schema& schema, std::size_t count) {
    const double numbers[] = {0, 1, 2, missing, 0.5, 3, 1e3, 2};
    std::vector<double> values;
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t k = 0; k < schema.columns.size(); ++k) {
            const Column& column = schema.columns[k];
            const bool words = column.kind == ColumnKind::category;
            const auto level = static_cast<double>(column.levels.empty() ? 0 : (row + k) % column.levels.size());
            values.push_back(row == 3                          ? missing
                             : words                           ? level
                             : column.kind == ColumnKind::flag ? static_cast<double>((row + k) % 2)
                                                               : numbers[(row + k) % std::size(numbers)]);
        }
    return values;
}

enum class Outcome { refused, sound, nonsense };

Outcome outcome_of(const std::string& bytes) {
    const auto file = from_file_bytes(bytes);
    if (!file) return Outcome::refused;
    const auto model = predictor_of(file->state);
    if (!model) return Outcome::refused;
    if (const auto* state = std::get_if<ModelState>(&file->state); state != nullptr && state->is_sum()) {
        ModelStatistic twice = state->statistic;  // what is loaded is merged, too
        twice.merge(state->statistic);
    }
    const Schema& schema = model->schema();
    if (std::ranges::any_of(schema.columns, [](const Column& c) { return c.kind == ColumnKind::text; }))
        return Outcome::sound;
    constexpr std::size_t count = 8;
    const std::size_t width = schema.columns.size();
    const auto values = rows_for(schema, count);
    const Block rows = DenseBlock{values.data(), Element::f64, count, width, static_cast<std::ptrdiff_t>(width), 1};
    auto posteriors = model->posteriors(rows);
    if (!posteriors) return Outcome::refused;
    if (!file->calibration.apply(posteriors->values, model->class_count())) return Outcome::refused;
    for (std::size_t row = 0; row < count; ++row) {
        double total = 0;
        for (std::size_t c = 0; c < model->class_count(); ++c) {
            const double p = (*posteriors)(row, c);
            if (!(p >= 0 && p <= 1)) return Outcome::nonsense;
            total += p;
        }
        if (!(std::abs(total - 1) < 1e-9)) return Outcome::nonsense;
    }
    return Outcome::sound;
}

// One change of the bytes.
std::string changed(std::string bytes, std::mt19937_64& random) {
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto data = static_cast<std::size_t>(std::min<std::uint64_t>(sizeof header + header, bytes.size()));
    const double odd[] = {missing, infinite, -infinite, -1, 0, 1e308, -1e308, 5e-324, 1e-300, 1e18, -0.0, 0.5};
    switch (below(5)) {
        case 0:  // a number among the tensors
            if (bytes.size() >= data + sizeof(double)) {
                const std::size_t at = data + below((bytes.size() - data) / sizeof(double)) * sizeof(double);
                std::memcpy(bytes.data() + at, &odd[below(std::size(odd))], sizeof(double));
            }
            break;
        case 1:  // a digit of the header
            for (int attempt = 0; attempt < 64; ++attempt) {
                const std::size_t at = sizeof header + below(data - sizeof header);
                if (bytes[at] < '0' || bytes[at] > '9') continue;
                bytes[at] = static_cast<char>('0' + below(10));
                break;
            }
            break;
        case 2:
            bytes[below(bytes.size())] = static_cast<char>(random());
            break;
        case 3:
            bytes[sizeof header + below(bytes.size() - sizeof header)] ^= static_cast<char>(1 << below(8));
            break;
        default:  // two numbers change places
            if (bytes.size() >= data + 2 * sizeof(double)) {
                const std::size_t count = (bytes.size() - data) / sizeof(double);
                char* const first = bytes.data() + data + below(count) * sizeof(double);
                std::swap_ranges(first, first + sizeof(double), bytes.data() + data + below(count) * sizeof(double));
            }
    }
    return with_right_checksum(std::move(bytes));
}

TEST(MutatedModel, IsRefusedOrGivesProbabilities) {
    constexpr int changes = 300;
    std::size_t refused = 0, sound = 0;
    const auto models = seeds();
    ASSERT_GE(models.size(), 32u);  // tests/fuzz/model_seeds makes them, one of each kind
    for (const auto& [name, bytes] : models) {
        std::mt19937_64 random(1);
        for (int change = 0; change < changes; ++change) {
            const std::string other = changed(bytes, random);
            const Outcome outcome = outcome_of(other);
            refused += outcome == Outcome::refused;
            sound += outcome == Outcome::sound;
            EXPECT_NE(outcome, Outcome::nonsense) << "change " << change << " of " << name;
        }
    }
    EXPECT_GT(refused, 1000u);
    EXPECT_GT(sound, 300u);  // else nothing behind the reader was tried
}

}  // namespace
}  // namespace suffice
