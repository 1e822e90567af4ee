// Chooses ranges and ticks.
#include "suffice/report/chart_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

std::string tick_label(double at, double step) {
    if (std::abs(at) < step * 1e-9) return "0";
    const double size = std::max(std::abs(at), step);
    char text[40];
    if (size >= 1e6 || size < 1e-4) {
        std::snprintf(text, sizeof text, "%.3g", at);
        return text;
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    std::snprintf(text, sizeof text, "%.*f", decimals, at);
    return text;
}

}  // namespace

std::vector<ChartTick> round_ticks(double low, double high, std::size_t most) {
    const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(most, 2));
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    std::vector<ChartTick> ticks;
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
        const double step = factor * power;
        const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
        if (last - first + 1 > static_cast<double>(most) && factor < 20) continue;
        for (double k = first; k <= last; ++k) ticks.push_back({k * step, tick_label(k * step, step)});
        return ticks;
    }
    return ticks;
}

ChartAxis number_axis(std::string title, double low, double high, std::size_t most_ticks) {
    if (!(std::isfinite(low) && std::isfinite(high))) {
        low = 0;
        high = 1;
    }
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {
        const double half = low == 0 ? 1 : std::abs(low) / 2;
        low -= half;
        high += half;
    }
    return {std::move(title), low, high, round_ticks(low, high, most_ticks)};
}

ChartAxis padded_axis(std::string title, std::span<const double> values, double padding) {
    double low = INFINITY, high = -INFINITY;
    for (const double value : values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    const double more = high > low ? padding * (high - low) : 0;
    return number_axis(std::move(title), low - more, high + more);
}

ChartAxis share_axis(std::string title) {
    ChartAxis axis = number_axis(std::move(title), 0, 1, 6);
    axis.low = -0.02;
    axis.high = 1.02;
    return axis;
}

ChartAxis power_axis(std::string title, double low, double high) {
    ChartAxis axis{std::move(title), std::floor(low), std::max(std::ceil(high), std::floor(low) + 1), {}};
    const double step = std::max(1.0, std::ceil((axis.high - axis.low) / 6));
    for (double power = axis.low; power <= axis.high; power += step)
        axis.ticks.push_back({power, "1e" + std::to_string(static_cast<int>(power))});
    return axis;
}

ChartAxis magnitude_axis(std::string title, double low, double high) {
    const double room = 0.03 * std::max(high - low, 0.1);
    ChartAxis axis{std::move(title), low - room, high + room, {}};
    const bool fine = high - low < 2.5;
    for (double power = std::floor(low); power <= high; ++power)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double at = power + std::log10(factor);
            if (at >= axis.low && at <= axis.high && (fine || factor == 1.0))
                axis.ticks.push_back({at, short_number(factor * std::pow(10, power), 6)});
        }
    return axis;
}

ChartAxis amount_axis(std::string title, double largest) {
    return number_axis(std::move(title), 0, largest > 0 ? 1.06 * largest : 1, 5);
}

}  // namespace suffice
