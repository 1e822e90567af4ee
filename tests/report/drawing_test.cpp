// The drawing layer: level lines against circles and straight lines, ticks, PNG and base64 against their standards.
#include <algorithm>
#include <cmath>
#include <zlib.h>

#include <gtest/gtest.h>

#include "suffice/report/chart_axis.hpp"
#include "suffice/report/contour.hpp"
#include "suffice/report/figure.hpp"
#include "suffice/report/png.hpp"
#include "suffice/report/svg.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

template <class Function>
std::vector<double> on_grid(const PlaneGrid& grid, Function&& f) {
    std::vector<double> values;
    for (std::size_t row = 0; row < grid.rows; ++row)
        for (std::size_t column = 0; column < grid.columns; ++column) {
            const auto [x, y] = grid.corner(column, row);
            for (const double value : f(x, y)) values.push_back(value);
        }
    return values;
}

TEST(ContourLines, OfACircleAreOneClosedLineOnIt) {
    const PlaneGrid grid{101, 81, -2, 2, -2, 2};
    const auto values = on_grid(grid, [](double x, double y) { return std::vector{x * x + y * y}; });
    const auto lines = contour_lines(grid, values, 1);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NEAR(lines[0].front().x, lines[0].back().x, 1e-12);
    EXPECT_NEAR(lines[0].front().y, lines[0].back().y, 1e-12);
    double length = 0;
    for (std::size_t k = 0; k < lines[0].size(); ++k) {
        EXPECT_NEAR(std::hypot(lines[0][k].x, lines[0][k].y), 1, 1e-3);
        if (k > 0) length += std::hypot(lines[0][k].x - lines[0][k - 1].x, lines[0][k].y - lines[0][k - 1].y);
    }
    EXPECT_NEAR(length, 2 * std::acos(-1.0), 5e-3);
}

TEST(ContourLines, LeaveOutCellsThatAreNotFinite) {
    const PlaneGrid grid{3, 3, 0, 2, 0, 2};
    std::vector<double> values(9, NAN);
    EXPECT_TRUE(contour_lines(grid, values, 0).empty());
}

TEST(BoundaryLines, OfTwoPlanesAreTheirCutExactly) {
    const PlaneGrid grid{11, 11, 0, 1, 0, 1};
    const auto scores = on_grid(grid, [](double x, double y) { return std::vector{2 * x + y, 1.2}; });
    const auto lines = boundary_lines(grid, scores, 2, 0, 1);
    ASSERT_EQ(lines.size(), 1u);
    for (const auto& point : lines[0]) EXPECT_NEAR(2 * point.x + point.y, 1.2, 1e-12);
}

TEST(BoundaryLines, EndWhereAThirdClassTakesTheLead) {
    // Classes lead to the left, to the right, and above y = 0.5: the first two meet only below it.
    const PlaneGrid grid{41, 41, -1, 1, -1, 1};
    const auto scores = on_grid(grid, [](double x, double y) { return std::vector{-x, x, 4 * (y - 0.5)}; });
    const auto lines = boundary_lines(grid, scores, 3, 0, 1);
    ASSERT_EQ(lines.size(), 1u);
    double highest = -1;
    for (const auto& point : lines[0]) {
        EXPECT_NEAR(point.x, 0, 1e-12);
        highest = std::max(highest, point.y);
    }
    EXPECT_NEAR(highest, 0.5, 0.03);
}

TEST(RoundTicks, AreMultiplesOfOneTwoOrFive) {
    const auto labels = [](double low, double high, std::size_t most) {
        std::vector<std::string> all;
        for (const auto& tick : round_ticks(low, high, most)) all.push_back(tick.label);
        return all;
    };
    EXPECT_EQ(labels(0, 1, 6), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(-3, 12, 5), (std::vector<std::string>{"0", "5", "10"}));
    EXPECT_EQ(labels(4.29, 7.91, 6), (std::vector<std::string>{"5", "6", "7"}));
    EXPECT_EQ(labels(1234, 5678, 5), (std::vector<std::string>{"2000", "3000", "4000", "5000"}));
    EXPECT_EQ(labels(0, 3e-7, 4).back(), "3e-07");
}

TEST(NumberAxis, OfOneValueOrOfNoneHasARange) {
    EXPECT_LT(number_axis("", 5, 5).low, number_axis("", 5, 5).high);
    EXPECT_LT(number_axis("", NAN, NAN).low, number_axis("", NAN, NAN).high);
}

TEST(Base64, IsThatOfRfc4648) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(PngBytes, UnpackToTheRowsWithTheirFilter) {
    const std::vector<std::uint8_t> rgba{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18};
    const std::string png = png_bytes({2, 2, rgba});
    ASSERT_EQ(png.substr(1, 3), "PNG");
    const auto at = png.find("IDAT");
    std::uint32_t size = 0;
    for (std::size_t k = 4; k > 0; --k) size = size << 8 | static_cast<std::uint8_t>(png[at - k]);
    std::vector<std::uint8_t> rows(100);
    uLongf length = rows.size();
    ASSERT_EQ(uncompress(rows.data(), &length, reinterpret_cast<const Bytef*>(png.data() + at + 4), size), Z_OK);
    rows.resize(length);
    EXPECT_EQ(rows, (std::vector<std::uint8_t>{2, 1, 2, 3, 4, 5, 6, 7, 8, 2, 10, 10, 10, 10, 10, 10, 10, 10}));
    // The checksum of an empty IEND chunk, as every PNG ends.
    EXPECT_EQ(png.substr(png.size() - 4), "\xAE\x42\x60\x82");
}

TEST(Markup, CannotBeBrokenOutOf) {
    EXPECT_EQ(markup("<script>\"a\" & b</script>"), "&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;");
    EXPECT_EQ(markup(std::string("a\0b\x1b", 4)), "a\\x00b\\x1b");
}

TEST(FittedText, IsCutBetweenLettersAndNeverInsideOne) {
    EXPECT_EQ(fitted_text("short", 1000, 12), "short");
    const std::string cut = fitted_text("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6", 30, 12);
    EXPECT_TRUE(cut.ends_with("\xE2\x80\xA6"));
    EXPECT_EQ((cut.size() - 3) % 2, 0u);
}

TEST(MixedColour, OfOneClassIsItsColourAndOfTwoLiesBetween) {
    const std::vector<double> sure{0, 1}, torn{0.5, 0.5};
    EXPECT_EQ(css_colour(mixed_colour(sure)), "#d55e00");
    EXPECT_GT(mixed_colour(torn).red, class_colour(0).red);
    EXPECT_LT(mixed_colour(torn).red, class_colour(1).red);
}

TEST(StandaloneSvg, TellsWhatItShows) {
    const std::string svg = standalone_svg({"A <title>", "What is & to be seen.", 200, 100, "<g/>"});
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_NE(svg.find("<title>A &lt;title&gt;</title>"), svg.npos);
    EXPECT_NE(svg.find("<desc>What is &amp; to be seen.</desc>"), svg.npos);
    EXPECT_NE(svg.find("prefers-color-scheme:dark"), svg.npos);
}

}  // namespace
}  // namespace suffice
