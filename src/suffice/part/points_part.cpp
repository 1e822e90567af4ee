// Gathers, combines and hands on points.
#include "suffice/part/points_part.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/data/rows_of.hpp"
#include "suffice/estimate/points.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

struct PointsScratch {
    std::vector<double> gathered;
};

// Rows in the order of their values.
std::vector<std::size_t> sorted_rows(const PointList& list, std::size_t width) {
    std::vector<std::size_t> order(list.row_weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const double *left = list.values.data() + a * width, *right = list.values.data() + b * width;
        return std::lexicographical_compare(left, left + width, right, right + width);
    });
    return order;
}

}  // namespace

double PointList::weight() const { return std::accumulate(row_weight.begin(), row_weight.end(), 0.0); }

void PointList::merge(const PointList& from) {
    values.insert(values.end(), from.values.begin(), from.values.end());
    row_weight.insert(row_weight.end(), from.row_weight.begin(), from.row_weight.end());
}

void PointList::remove(const PointList& rows) {
    if (rows.row_weight.empty()) return;
    const std::size_t width = rows.values.size() / rows.row_weight.size();
    const auto here = sorted_rows(*this, width), gone = sorted_rows(rows, width);
    std::size_t at = 0;
    for (const std::size_t row : gone) {
        const double* point = rows.values.data() + row * width;
        const auto compare = [&](std::size_t mine) {
            const double* own = values.data() + mine * width;
            return std::lexicographical_compare_three_way(own, own + width, point, point + width);
        };
        while (at < here.size() && (row_weight[here[at]] <= 0 || compare(here[at]) < 0)) ++at;
        double left = rows.row_weight[row];
        for (std::size_t next = at; left > 0 && next < here.size() && compare(here[next]) == 0; ++next) {
            const double taken = std::min(left, row_weight[here[next]]);
            row_weight[here[next]] -= taken;
            left -= taken;
        }
        if (left > 1e-9 * rows.row_weight[row]) {
            values.insert(values.end(), point, point + width);
            row_weight.push_back(-left);
        }
    }
    PointList kept;
    for (std::size_t row = 0; row < row_weight.size(); ++row) {
        if (row_weight[row] == 0) continue;
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * width);
        kept.values.insert(kept.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
        kept.row_weight.push_back(row_weight[row]);
    }
    *this = std::move(kept);
}

PointsPart::PointsPart(const Schema& schema, std::vector<std::uint32_t> which)
    : columns(std::move(which)), by_class(schema.classes.size()) {}

PointsPart PointsPart::blank() const {
    PointsPart fresh;
    fresh.columns = columns;
    fresh.by_class.resize(by_class.size());
    return fresh;
}

void PointsPart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    const kernel::Rows rows = rows_of(block, columns, workspace.of<PointsScratch>().gathered);
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        const double* x = rows.row(row);
        double sum = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) sum += x[k] * 0;
        const bool whole = sum == 0;  // NaN where a value is missing or infinite
        const bool infinite = !whole && std::any_of(x, x + columns.size(), [](double v) { return std::isinf(v); });
        membership.for_each_class(row, [&](std::size_t c, double weight) {
            if (!whole) {
                (infinite ? refused : holes) += weight;
                return;
            }
            by_class[c].values.insert(by_class[c].values.end(), x, x + columns.size());
            by_class[c].row_weight.push_back(weight);
        });
    }
}

void PointsPart::merge(const PointsPart& from) {
    by_class.merge(from.by_class);
    holes += from.holes;
    refused += from.refused;
}

void PointsPart::remove(const PointsPart& rows) {
    by_class.remove(rows.by_class);
    holes = difference(holes, rows.holes);
    refused = difference(refused, rows.refused);
}

void PointsPart::recode(const Recoding& recoding) {
    if (!recoding.classes.is_identity()) by_class.recode(recoding.classes, {});
}

// A point of no weight is never kept: nothing that is measured by the weights, such as the edges of bins, reaches it.
bool PointsPart::valid(const Schema& schema) const {
    if (!schema.holds(columns) || columns.empty() || by_class.size() != schema.classes.size()) return false;
    const auto finite = [](double v) { return std::isfinite(v); };
    return holes >= 0 && refused >= 0 && std::ranges::all_of(by_class, [&](const PointList& each) {
               return each.values.size() == each.row_weight.size() * columns.size() &&
                      std::ranges::all_of(each.values, finite) &&
                      std::ranges::all_of(each.row_weight, [](double w) { return w > 0 && std::isfinite(w); });
           });
}

// The rows are kept, so it grows with them; from shapes alone nothing is known.
std::size_t PointsPart::footprint(const Schema&) const { return 0; }

Result<void> PointsPart::refuses(const Schema& schema) const {
    if (refused > 0) return Error("infinity is not a value").in_column(schema.columns[columns[0]].name);
    return {};
}

Result<Estimated> PointsPart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    std::vector<ClassPoints> points;
    for (const PointList& each : by_class) {
        Matrix rows(each.row_weight.size(), columns.size());
        rows.values = each.values;
        points.push_back({std::move(rows), each.row_weight});
    }
    auto done = estimate_points(points, columns, schema.classes, settings);
    if (done && holes > 0)
        done->notes.push_back("rows with a missing value gave no point to the density of the columns kept as points");
    return done;
}

}  // namespace suffice
