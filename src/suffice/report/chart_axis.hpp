// Axes: ranges, and ticks at round numbers.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace suffice {

struct ChartTick {
    double at = 0;
    std::string label = {};
};

struct ChartAxis {
    std::string title;
    double low = 0, high = 1;
    std::vector<ChartTick> ticks = {};
    bool grid = true;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high]: at most `most` of them, and two where possible.
std::vector<ChartTick> round_ticks(double low, double high, std::size_t most = 6);

// From low to high as they are; an empty range is widened.
ChartAxis number_axis(std::string title, double low, double high, std::size_t most_ticks = 6);
// Widened by a share of the range on both sides, so that nothing lies on the frame.
ChartAxis padded_axis(std::string title, std::span<const double> values, double padding = 0.04);
// 0 to 1, with a little room so that nothing lies on the frame.
ChartAxis share_axis(std::string title);
// Logarithms to the base of ten, with ticks at whole powers.
ChartAxis power_axis(std::string title, double low, double high);
// The same between any two of them, with ticks at 1, 2, 5, 10, 20, ...
ChartAxis magnitude_axis(std::string title, double low, double high);
// 0 to a little above the largest.
ChartAxis amount_axis(std::string title, double largest);

}  // namespace suffice
