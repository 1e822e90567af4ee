// Test-then-learn over a stream: online_bench FILE TARGET [LEFT-OUT COLUMN]. Prints model, memory, accuracy and the
// nanoseconds of processor time per row, scoring and learning together, best of five.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <vector>

#include "suffice/model/online.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/read/table.hpp"

namespace {

using namespace suffice;

struct Rows {
    std::vector<double> values;
    std::vector<std::size_t> labels;
    Schema schema;
};

Rows read(const char* path, const std::string& target, const std::string& left_out) {
    Rows rows;
    auto reader = open_table({path}, {}).value();
    const auto& found = reader->columns();
    std::uint32_t of_target = 0;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const bool is_target = found[k].name == target, out = found[k].name == left_out;
        reader->want(k, !out, is_target ? ColumnKind::category : ColumnKind::number);
        if (is_target) of_target = k;
        if (is_target || out) continue;
        numbers.push_back(k);
        rows.schema.columns.push_back({found[k].name});
    }
    std::map<std::string, std::size_t, std::less<>> codes;
    TableUnit unit;
    while (reader->draw(unit).value()) {
        reader->decode(unit).value();
        for (std::size_t row = 0; row < unit.row_count; ++row) {
            for (auto k : numbers) rows.values.push_back(unit.columns[k].numbers[row]);
            const std::string name(unit.columns[of_target].words[row]);
            const auto [place, fresh] = codes.try_emplace(name, codes.size());
            if (fresh) rows.schema.classes.push_back(name);
            rows.labels.push_back(place->second);
        }
    }
    return rows;
}

struct Outcome {
    double accuracy = 0, nanoseconds = 1e300;
};

Outcome run(const Rows& rows, const char* model, double memory) {
    Outcome best;
    const std::size_t width = rows.schema.columns.size();
    std::vector<double> scores(rows.schema.classes.size());
    for (int repeat = 0; repeat < 5; ++repeat) {
        auto online = OnlineClassifier::from(make_state({model}, rows.schema).value(), memory).value();
        std::size_t right = 0;
        const std::clock_t start = std::clock();
        for (std::size_t row = 0; row < rows.labels.size(); ++row) {
            const auto x = std::span(rows.values).subspan(row * width, width);
            online.score(x, scores).value();
            right += static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin()) == rows.labels[row];
            online.learn(x, rows.labels[row]).value();
        }
        const auto count = static_cast<double>(rows.labels.size());
        const double spent = 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        best = {static_cast<double>(right) / count, std::min(best.nanoseconds, spent / count)};
    }
    return best;
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) return std::fprintf(stderr, "usage: online_bench FILE TARGET [LEFT-OUT COLUMN]\n"), 2;
    const Rows rows = read(words[1], words[2], count > 3 ? words[3] : "");
    for (const char* model : {"gaussian_nb", "linear_discriminant", "quadratic_discriminant"})
        for (const double memory : {1.0, 0.999, 0.99, 0.97}) {
            const Outcome outcome = run(rows, model, memory);
            std::printf("%s %g %.4f %.1f\n", model, memory, outcome.accuracy, outcome.nanoseconds);
        }
}
