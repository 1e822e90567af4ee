// Hands a sample of the rows to the placing of knots and centres.
#include "suffice/model/fit_features.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/row_sample.hpp"

namespace suffice {
namespace {

struct HolesPass {
    using Statistic = ColumnHoles;
    const Schema* schema = nullptr;

    ColumnHoles empty() const {
        const std::vector<double> none(schema->columns.size());
        return {0, none, none, none};
    }
    std::size_t footprint() const { return 3 * sizeof(double) * schema->columns.size(); }
    Result<void> observe(ColumnHoles& into, const LabeledBlock& unit, const Schema&, Workspace&) const {
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (unit.label_of(row) < 0) continue;
            const double weight = unit.weight_of(row);
            into.total += weight;
            for (std::size_t k = 0; k < into.sum.size(); ++k) {
                if (schema->columns[k].kind == ColumnKind::text) continue;
                const double x = value_at(unit.rows, row, static_cast<std::uint32_t>(k));
                (std::isnan(x) ? into.missing : into.seen)[k] += weight;
                if (!std::isnan(x) && schema->columns[k].kind != ColumnKind::category) into.sum[k] += weight * x;
            }
        }
        return {};
    }
};

}  // namespace

std::string ColumnHoles::told(const Schema& schema) const {
    constexpr std::size_t most_told = 5;
    std::string text;
    std::size_t count = 0;
    for (std::size_t k = 0; k < missing.size(); ++k) {
        if (!(missing[k] > 0) || count++ >= most_told) continue;
        text += (text.empty() ? "" : ", ") + schema.columns[k].name;
    }
    return count > most_told ? text + ", ..." : text;
}

void ColumnHoles::merge(const ColumnHoles& from) {
    total += from.total;
    for (std::size_t k = 0; k < sum.size(); ++k) {
        missing[k] += from.missing[k];
        seen[k] += from.seen[k];
        sum[k] += from.sum[k];
    }
}

Result<ColumnHoles> find_holes(const Schema& schema, Stream& stream, const Context& context) {
    if (auto again = stream.rewind(); !again) return again.error();
    return fold(HolesPass{&schema}, stream, context);
}

Features with_indicators(Features features, const Schema& schema, const ColumnHoles& holes,
                         const std::vector<std::string>& named) {
    for (ColumnBasis& each : features.columns) {
        each.fills = true;
        each.fill = each.basis == Basis::levels ? 0 : holes.mean(each.column);
        each.fill_other = each.basis == Basis::product ? holes.mean(each.other) : 0;
    }
    std::vector<bool> shown(schema.columns.size());
    for (const ColumnBasis& each : features.columns) {
        shown[each.column] = true;
        if (each.basis == Basis::product) shown[each.other] = true;
    }
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        const bool wanted = holes.missing[k] > 0 || std::ranges::find(named, schema.columns[k].name) != named.end();
        if (!shown[k] || !wanted) continue;
        ColumnBasis& indicator = features.columns.emplace_back();
        indicator.column = k;
        indicator.basis = Basis::missing;
    }
    return features;
}

Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, Stream& stream,
                              const Context& context) {
    if (terms.empty()) return Features::of(schema);
    const auto seen = look_at_rows(stream, schema, {.labeled_only = true}, context);
    if (!seen) return seen.error();
    const RowSample& sample = seen->sample;
    return fit_features(schema, terms, [&](std::uint32_t column) {
        std::vector<double> values;
        const auto found = std::ranges::find(seen->columns, column);
        if (found == seen->columns.end()) return values;
        const auto at = static_cast<std::size_t>(found - seen->columns.begin());
        for (std::size_t row = 0; row < sample.size(); ++row) values.push_back(sample.values[row * sample.width + at]);
        return values;
    });
}

}  // namespace suffice
