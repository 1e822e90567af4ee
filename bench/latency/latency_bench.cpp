// Small problems: microseconds to fit and predict 150 rows of 4 columns, and to score one row of a model with 50
// columns and 5 classes: latency_bench SMALL WIDE (doubles by rows; the class of a row is its number modulo the
// classes). Prints what, model, the median and the 99th percentile of many calls, and the answer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "suffice/flow/row_scorer.hpp"

namespace {

using namespace suffice;

struct Sample {
    Schema schema;
    std::vector<double> values;
    std::vector<std::int32_t> labels;

    Sample(const char* path, std::size_t rows, std::size_t columns, std::size_t classes) : values(rows * columns) {
        for (std::size_t k = 0; k < columns; ++k) schema.columns.push_back({"x" + std::to_string(k)});
        for (std::size_t c = 0; c < classes; ++c) schema.classes.push_back("c" + std::to_string(c));
        std::ifstream(path, std::ios::binary)
            .read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
        for (std::size_t row = 0; row < rows; ++row) labels.push_back(static_cast<std::int32_t>(row % classes));
    }
    Block rows(std::size_t count) const {
        const std::size_t width = schema.columns.size();
        return DenseBlock{values.data(), Element::f64, count, width, static_cast<std::ptrdiff_t>(width), 1};
    }
    Result<Classifier> fit(const char* model) const {
        MemoryStream stream({rows(labels.size()), labels, {}, 0}, schema);
        Recipe recipe{model};
        recipe.settings.estimate = Estimate::likelihood;  // as scikit-learn's classes estimate
        return suffice::fit(make_state(recipe, schema).value(), stream);
    }
};

double microseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

template <class Work>
void print_quantiles(const char* what, const char* model, std::size_t calls, Work&& work) {
    std::vector<double> times;
    for (std::size_t k = 0; k < calls; ++k) {
        const double start = microseconds();
        work();
        times.push_back(microseconds() - start);
    }
    std::sort(times.begin(), times.end());
    std::printf("%s %s %.3f %.3f", what, model, times[calls / 2], times[calls * 99 / 100]);
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) return std::fprintf(stderr, "usage: latency_bench SMALL WIDE\n"), 2;
    const Sample small(words[1], 150, 4, 3);
    for (const char* model : {"gaussian_nb", "lda", "qda"}) {
        std::vector<std::int32_t> answer;
        print_quantiles("fit_predict", model, 2000,
                        [&] { answer = small.fit(model).value().predict(small.rows(150)).value(); });
        for (const std::int32_t each : answer) std::printf(" %d", each);
        std::printf("\n");
    }
    const Sample wide(words[2], 5000, 50, 5);
    const std::span<const double> row(wide.values.data(), 50);
    std::vector<double> scores(5);
    for (const char* model : {"gaussian_nb", "lda", "qda"}) {
        RowScorer scorer(Model::from({wide.fit(model).value().state()}).value());
        print_quantiles("one_row", model, 100'000, [&] { scorer.posteriors(row, scores).value(); });
        for (const double score : scores) std::printf(" %.17g", score);
        std::printf("\n");
    }
}
