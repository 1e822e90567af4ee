// Marching squares.
#include "suffice/report/contour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace suffice {
namespace {

// Edges are numbered so that cells that share one agree on its number: 2 * corner for the edge to the right of a
// corner, 2 * corner + 1 for the edge above it.
struct Segment {
    std::array<std::size_t, 2> edge;
    std::array<PlotPoint, 2> end;
};

// The segments of one cell. Corners counterclockwise from the lower left; edge k runs from corner k to k + 1.
template <class Emit>
void cut_cell(const PlaneGrid& grid, std::size_t column, std::size_t row, const std::array<double, 4>& above,
              Emit&& emit) {
    const std::array<PlotPoint, 4> corner{grid.corner(column, row), grid.corner(column + 1, row),
                                          grid.corner(column + 1, row + 1), grid.corner(column, row + 1)};
    const std::size_t here = row * grid.columns + column;
    const std::array<std::size_t, 4> number{2 * here, 2 * (here + 1) + 1, 2 * (here + grid.columns), 2 * here + 1};
    std::vector<std::size_t> crossed;
    std::array<PlotPoint, 4> cut;
    for (std::size_t k = 0; k < 4; ++k) {
        const double from = above[k], to = above[(k + 1) % 4];
        if ((from > 0) == (to > 0)) continue;
        const double t = from / (from - to);
        const PlotPoint &p = corner[k], &q = corner[(k + 1) % 4];
        cut[k] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        crossed.push_back(k);
    }
    const auto segment = [&](std::size_t i, std::size_t j) { emit(Segment{{number[i], number[j]}, {cut[i], cut[j]}}); };
    if (crossed.size() == 2) segment(crossed[0], crossed[1]);
    if (crossed.size() == 4) {  // a saddle: the mean of the corners decides which two are joined
        const bool middle = above[0] + above[1] + above[2] + above[3] > 0;
        if (middle == (above[0] > 0)) {
            segment(0, 1);
            segment(2, 3);
        } else {
            segment(3, 0);
            segment(1, 2);
        }
    }
}

std::vector<Polyline> joined(const std::vector<Segment>& segments) {
    std::multimap<std::size_t, std::size_t> at_edge;
    for (std::size_t k = 0; k < segments.size(); ++k)
        for (const std::size_t edge : segments[k].edge) at_edge.emplace(edge, k);
    std::vector<bool> used(segments.size());
    const auto next_at = [&](std::size_t edge) -> std::optional<std::size_t> {
        for (auto [at, end] = at_edge.equal_range(edge); at != end; ++at)
            if (!used[at->second]) return at->second;
        return std::nullopt;
    };
    const auto follow = [&](std::size_t edge, Polyline& line) {
        while (const auto found = next_at(edge)) {
            used[*found] = true;
            const std::size_t far = segments[*found].edge[0] == edge ? 1 : 0;
            line.push_back(segments[*found].end[far]);
            edge = segments[*found].edge[far];
        }
    };
    std::vector<Polyline> lines;
    for (std::size_t k = 0; k < segments.size(); ++k) {
        if (used[k]) continue;
        used[k] = true;
        Polyline forward{segments[k].end[0], segments[k].end[1]}, backward;
        follow(segments[k].edge[1], forward);
        follow(segments[k].edge[0], backward);
        std::ranges::reverse(backward);
        backward.insert(backward.end(), forward.begin(), forward.end());
        lines.push_back(std::move(backward));
    }
    return lines;
}

}  // namespace

std::vector<Polyline> contour_lines(const PlaneGrid& grid, std::span<const double> values, double level) {
    std::vector<Segment> segments;
    for (std::size_t row = 0; row + 1 < grid.rows; ++row)
        for (std::size_t column = 0; column + 1 < grid.columns; ++column) {
            const std::size_t here = row * grid.columns + column;
            const std::array<double, 4> above{values[here] - level, values[here + 1] - level,
                                              values[here + grid.columns + 1] - level,
                                              values[here + grid.columns] - level};
            if (std::ranges::all_of(above, [](double x) { return std::isfinite(x); }))
                cut_cell(grid, column, row, above, [&](const Segment& found) { segments.push_back(found); });
        }
    return joined(segments);
}

std::vector<Polyline> boundary_lines(const PlaneGrid& grid, std::span<const double> scores, std::size_t class_count,
                                     std::size_t a, std::size_t b) {
    std::vector<double> difference(grid.size()), lead(grid.size());
    for (std::size_t k = 0; k < grid.size(); ++k) {
        const auto score = scores.subspan(k * class_count, class_count);
        double others = -INFINITY;
        for (std::size_t c = 0; c < class_count; ++c)
            if (c != a && c != b) others = std::max(others, score[c]);
        difference[k] = score[a] - score[b];
        lead[k] = class_count > 2 ? std::max(score[a], score[b]) - others : 1;
    }
    const auto lead_at = [&](const PlotPoint& point) {  // bilinear
        const double u = (point.x - grid.x_low) / (grid.x_high - grid.x_low) * static_cast<double>(grid.columns - 1);
        const double v = (point.y - grid.y_low) / (grid.y_high - grid.y_low) * static_cast<double>(grid.rows - 1);
        const auto column = std::min(static_cast<std::size_t>(std::max(0.0, u)), grid.columns - 2);
        const auto row = std::min(static_cast<std::size_t>(std::max(0.0, v)), grid.rows - 2);
        const double s = u - static_cast<double>(column), t = v - static_cast<double>(row);
        const double* here = lead.data() + row * grid.columns + column;
        return (1 - t) * ((1 - s) * here[0] + s * here[1]) +
               t * ((1 - s) * here[grid.columns] + s * here[grid.columns + 1]);
    };
    std::vector<Polyline> kept;
    for (const auto& line : contour_lines(grid, difference, 0)) {
        Polyline piece;
        const auto end_piece = [&] {
            if (piece.size() > 1) kept.push_back(std::move(piece));
            piece.clear();
        };
        for (std::size_t k = 0; k < line.size(); ++k) {
            const double now = lead_at(line[k]);
            if (k > 0) {
                const double before = lead_at(line[k - 1]);
                if ((before >= 0) != (now >= 0)) {  // the line ends or begins between the two, where three classes meet
                    const double t = before / (before - now);
                    piece.push_back({line[k - 1].x + t * (line[k].x - line[k - 1].x),
                                     line[k - 1].y + t * (line[k].y - line[k - 1].y)});
                    if (now < 0) end_piece();
                }
            }
            if (now >= 0) piece.push_back(line[k]);
        }
        end_piece();
    }
    return kept;
}

}  // namespace suffice
