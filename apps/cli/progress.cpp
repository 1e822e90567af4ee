// Draws the progress bar.
#include "cli/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>

#include "cli/output.hpp"

#include "suffice/report/number_text.hpp"

namespace suffice::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string bar_text(const Progress& progress, double seconds) {
    constexpr std::size_t width = 24;
    std::string text = "\r";
    const auto rows = static_cast<double>(progress.rows), bytes = static_cast<double>(progress.bytes);
    if (progress.total_bytes > 0) {
        const double share = std::min(1.0, bytes / static_cast<double>(progress.total_bytes));
        const auto full = static_cast<std::size_t>(share * width);
        text += "[" + std::string(full, '=') + std::string(width - full, ' ') + "] ";
        if (share > 0.01) text += short_number(seconds / share * (1 - share), 2) + " s left, ";
    }
    text += whole_number(rows) + " rows, " + whole_number(static_cast<double>(static_cast<long>(rows / seconds))) +
            " rows/s, " + short_number(bytes / seconds / 1e6, 3) + " MB/s";
    return text + "\x1b[K";
}

}  // namespace

std::function<void(const Progress&)> progress_bar() {
    if (::isatty(STDERR_FILENO) == 0) return {};
    const auto started = Clock::now();
    const auto shown = std::make_shared<Clock::time_point>(started);
    return [started, shown](const Progress& progress) {
        const auto now = Clock::now();
        if (now - *shown < std::chrono::milliseconds(200)) return;
        *shown = now;
        steer(bar_text(progress, std::chrono::duration<double>(now - started).count()));
    };
}

void end_progress() {
    if (::isatty(STDERR_FILENO) != 0) steer("\r\x1b[K");
}

}  // namespace suffice::cli
