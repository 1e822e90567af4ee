// A file whose rows have more patterns of missing values than are kept is read again for each step of EM.
#include "suffice/model/missing_patterns.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "suffice/base/random.hpp"
#include "suffice/encode/table_stream.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

TEST(MissingPatterns, AFileReadAgainGivesWhatItsPatternsGive) {
    const auto path =
        (std::filesystem::temp_directory_path() / ("suffice_" + std::to_string(::getpid()) + "_holes.csv")).string();
    {
        std::ofstream file(path);
        file << "x,y,z,class\n";
        Rng rng(11);
        for (int row = 0; row < 4000; ++row) {
            const bool late = rng.uniform() < 0.4;
            const double common = rng.uniform() + (late ? 1 : 0);
            for (int k = 1; k <= 3; ++k) {
                if (rng.uniform() > 0.2) file << k * common + rng.uniform();
                file << ',';
            }
            file << (row == 0 || late ? "late" : "early") << '\n';  // the first class met is not the first by name
        }
    }
    const auto reader = open_table({path}, {});
    ASSERT_TRUE(reader) << reader.error().message;
    for (std::uint32_t k = 0; k < 4; ++k) (*reader)->want(k, true, k < 3 ? ColumnKind::number : ColumnKind::category);
    const Schema schema{{{"x"}, {"y"}, {"z"}}, {}};
    ColumnPlan plan;
    plan.columns = {0, 1, 2};
    plan.target = 3;
    TableStream stream(**reader, plan, schema);
    const auto fit_with_room = [&](std::size_t bytes) {
        EXPECT_TRUE(stream.rewind());
        CovariancePart part(schema, {0, 1, 2}, false);
        part.room.bytes = bytes;
        return fit({"quadratic_discriminant", {}, ModelStatistic(schema, {Part(part)})}, stream).value();
    };
    const Classifier by_patterns = fit_with_room(CovariancePart::most_pattern_bytes), by_passes = fit_with_room(1000);
    std::filesystem::remove(path);
    EXPECT_TRUE(by_patterns.state().is_sum());
    EXPECT_EQ(by_passes.state().passes, Passes::missing_patterns);
    EXPECT_EQ(by_passes.schema().classes, (std::vector<std::string>{"early", "late"}));
    EXPECT_EQ(by_passes.class_weight(), by_patterns.class_weight());
    EXPECT_NEAR(by_passes.log_likelihood(), by_patterns.log_likelihood(),
                1e-8 * std::abs(by_patterns.log_likelihood()));
    const auto one = by_passes.form(), other = by_patterns.form();
    ASSERT_TRUE(one && other);
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t i = 0; i < 9; ++i)
            EXPECT_NEAR(one->quadratic[c][i], other->quadratic[c][i], 1e-8 * std::abs(other->quadratic[c][i]));
}

TEST(MissingPatterns, APipeThatIsNeededAgainIsRefusedWithTheCure) {
    const auto path =
        (std::filesystem::temp_directory_path() / ("suffice_" + std::to_string(::getpid()) + "_holes.pipe")).string();
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::jthread writer([&] {
        std::ofstream pipe(path);
        pipe << "x,y,z,class\n";
        for (int row = 0; row < 2000; ++row)
            pipe << (row % 2 == 0 ? "" : "1.5") << ',' << (row % 3 == 0 ? "" : "2") << ',' << row % 7 << ",c" << row % 2
                 << '\n';
    });
    const auto reader = open_table({path}, {});
    ASSERT_TRUE(reader) << reader.error().message;
    for (std::uint32_t k = 0; k < 4; ++k) (*reader)->want(k, true, k < 3 ? ColumnKind::number : ColumnKind::category);
    const Schema schema{{{"x"}, {"y"}, {"z"}}, {}};
    ColumnPlan plan;
    plan.columns = {0, 1, 2};
    plan.target = 3;
    TableStream stream(**reader, plan, schema);
    CovariancePart part(schema, {0, 1, 2}, false);
    part.room.bytes = 100;
    const auto refused = fit({"quadratic_discriminant", {}, ModelStatistic(schema, {Part(part)})}, stream);
    writer.join();
    std::filesystem::remove(path);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "rows have too many patterns of missing values to be kept, so each step of EM reads the rows again: the "
              "input is a pipe and was not kept for a second pass; save it to a file and name that");
}

}  // namespace
}  // namespace suffice
