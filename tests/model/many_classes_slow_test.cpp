// A linear discriminant of a thousand classes and 784 columns stays below 100 MB: one scatter is kept, not a thousand.
#include <cmath>
#include <fstream>
#include <unistd.h>

#include "model/labeled_table.hpp"
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "suffice/part/covariance_part.hpp"

// Under AddressSanitizer what was freed stays resident in a quarantine; here it must not count.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=1"; }

namespace suffice {
namespace {

constexpr std::size_t class_count = 1000, width = 784, row_count = 12288;

double resident_megabytes() {
    std::ifstream statm("/proc/self/statm");
    double total = 0, resident = 0;
    statm >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

testing_rows::LabeledTable rows() {
    testing_rows::LabeledTable table;
    table.name_numbers(width, class_count);
    Rng rng(1);
    table.values.resize(row_count * width);
    for (std::size_t row = 0; row < row_count; ++row) {
        table.labels.push_back(static_cast<std::int32_t>(row % class_count));
        for (std::size_t k = 0; k < width; ++k)
            table.values[row * width + k] = rng.uniform() + (k == row % class_count % width ? 5 : 0);
    }
    return table;
}

// In a process of its own, so that the memory is this fit's alone. 0: good; else what went wrong. Counted is what the
// process holds afterwards, with all that the fit has left in the heap; a scatter per class alone would be 4.9 GB.
int fit_within(double megabytes) {
    const auto table = rows();
    const double before = resident_megabytes();
    const auto model = testing_rows::fit_table(table, {"lda"}, 2);
    if (!model) return 1;
    if (resident_megabytes() - before > megabytes) return 2;
    const auto block = slice(table.rows(), 0, 1000);
    const auto codes = model->predict(block).value();
    std::size_t right = 0;
    for (std::size_t row = 0; row < 1000; ++row)
        right += model->schema().classes[static_cast<std::size_t>(codes[row])] ==
                 table.schema.classes[static_cast<std::size_t>(table.labels[row])];
    return right > 750 ? 0 : 3;  // the last 216 classes look like the first
}

TEST(ManyClasses, ALinearDiscriminantOfAThousandHoldsLessThanAHundredMegabytes) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(fit_within(100));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "1: no model, 2: too much memory, 3: wrong classes";
}

// As from a file or from Python, where the model is made before any class is known.
TEST(ManyClasses, TheirScattersArePooledAlsoWhenTheClassesComeLater) {
    testing_rows::LabeledTable table;
    table.name_numbers(width, class_count);
    Schema later = table.schema;
    later.classes.clear();
    auto statistic = make_state({"lda"}, later).value().statistic.blank();
    EXPECT_FALSE(statistic.parts[0].as<CovariancePart>()->complete.pooled);
    statistic.grow(table.schema);
    EXPECT_TRUE(statistic.parts[0].as<CovariancePart>()->complete.pooled);
    EXPECT_LT(statistic.footprint(), (class_count * width + width * width) * sizeof(double) + 100000);
    Recipe all{"lda"};
    all.parts.keep = Keep::per_class;
    auto kept = make_state(all, later).value().statistic.blank();
    Schema few = table.schema;
    few.classes.resize(20);  // 98 MB, as asked for
    kept.grow(few);
    EXPECT_FALSE(kept.parts[0].as<CovariancePart>()->complete.pooled);
}

// k d + d d numbers.
TEST(ManyClasses, TheStatisticItselfHoldsOneScatter) {
    testing_rows::LabeledTable table;
    table.name_numbers(width, class_count);
    const auto state = make_state({"lda"}, table.schema).value();
    EXPECT_LT(state.statistic.footprint(), (class_count * width + width * width) * sizeof(double) + 100000);
}

}  // namespace
}  // namespace suffice
