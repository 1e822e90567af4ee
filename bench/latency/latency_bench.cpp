// Small problems: microseconds of processor time to fit and predict 150 rows of 4 columns, and to score one row of a
// model with 50 columns and 5 classes. Prints what, model and the least of many repetitions.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "suffice/base/random.hpp"
#include "suffice/model/recipe.hpp"

namespace {

using namespace suffice;

struct Table {
    Schema schema;
    std::vector<double> values;
    std::vector<std::int32_t> labels;

    Table(std::size_t rows, std::size_t columns, std::size_t classes) {
        for (std::size_t k = 0; k < columns; ++k) schema.columns.push_back({"x" + std::to_string(k)});
        for (std::size_t c = 0; c < classes; ++c) schema.classes.push_back("c" + std::to_string(c));
        Rng rng(1);
        for (std::size_t row = 0; row < rows; ++row) {
            labels.push_back(static_cast<std::int32_t>(row % classes));
            for (std::size_t k = 0; k < columns; ++k)
                values.push_back(rng.uniform() + 0.2 * static_cast<double>(row % classes));
        }
    }
    Block rows(std::size_t count) const {
        const std::size_t width = schema.columns.size();
        return DenseBlock{values.data(), Element::f64, count, width, static_cast<std::ptrdiff_t>(width), 1};
    }
    Result<Classifier> fit(const char* model) const {
        MemoryStream stream({rows(labels.size()), labels, {}, 0}, schema);
        return suffice::fit(make_state({model}, schema).value(), stream);
    }
};

double processor_microseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

template <class Work>
double least(std::size_t repetitions, std::size_t calls, Work&& work) {
    double best = 1e300;
    for (std::size_t r = 0; r < repetitions; ++r) {
        const double start = processor_microseconds();
        for (std::size_t k = 0; k < calls; ++k) work();
        best = std::min(best, (processor_microseconds() - start) / static_cast<double>(calls));
    }
    return best;
}

}  // namespace

int main() {
    const Table small(150, 4, 3);
    for (const char* model : {"gaussian_nb", "lda", "qda"}) {
        const double time = least(300, 1, [&] { (void)small.fit(model).value().predict(small.rows(150)).value(); });
        std::printf("fit_predict %s %.3f\n", model, time);
    }
    const Table wide(5000, 50, 5);
    const Context context;
    const Block row = wide.rows(1);
    std::vector<double> scores(5);
    ScoreSink sink;
    sink.scores = scores.data();
    sink.stride = 5;
    for (const char* model : {"gaussian_nb", "lda", "qda"}) {
        const Classifier fitted = wide.fit(model).value();
        const double time = least(200, 1000, [&] { fitted.score(row, sink, context).value(); });
        std::printf("one_row %s %.3f\n", model, time);
    }
}
