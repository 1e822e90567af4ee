// Observes blocks of rows into statistics of families, and unites the names of their levels.
#include "suffice/flow/family_rows.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/fold.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Gathered {
    std::vector<double> values, weights;
    std::vector<std::size_t> rows;
    void clear() { values.clear(), weights.clear(), rows.clear(); }
};

struct FamilyPass {
    using Statistic = FamilyRows;
    std::string family;
    bool is_joint;
    FamilyRows blank;

    FamilyRows empty() const { return blank; }
    std::size_t footprint() const { return 64 * (blank.names.columns.size() + 1); }
    Result<void> observe(FamilyRows& into, const LabeledBlock& block, const Schema& names, Workspace& workspace) const {
        for (std::size_t k = 0; k < names.columns.size(); ++k)
            if (into.names.columns[k].levels.size() != names.columns[k].levels.size())
                into.names.columns[k].levels = names.columns[k].levels;  // a lane's names only grow
        auto& part = workspace.of<Gathered>();
        if (is_joint) return observe_rows(into, block, part);
        for (std::size_t k = 0; k < into.of.size(); ++k)
            if (auto seen = observe_column(into, block, k, part); !seen) return seen;
        return {};
    }

private:
    Result<void> observe_column(FamilyRows& into, const LabeledBlock& block, std::size_t k, Gathered& part) const {
        part.clear();
        for (std::size_t row = 0; row < block.size(); ++row)
            if (const double x = value_at(block.rows, row, k); !std::isnan(x)) {
                part.values.push_back(x);
                part.weights.push_back(block.weight_of(row));
                part.rows.push_back(row);
            }
        return add(into.of[k], std::max<std::size_t>(into.names.columns[k].levels.size(), 1), block, part,
                   into.names.columns[k].name);
    }
    Result<void> observe_rows(FamilyRows& into, const LabeledBlock& block, Gathered& part) const {
        const std::size_t width = into.names.columns.size();
        part.clear();
        for (std::size_t row = 0; row < block.size(); ++row) {
            const std::size_t before = part.values.size();
            bool whole = true;
            for (std::size_t k = 0; k < width; ++k) {
                part.values.push_back(value_at(block.rows, row, k));
                whole = whole && !std::isnan(part.values.back());
            }
            if (!whole) {
                part.values.resize(before);
                into.missing_rows += block.weight_of(row);
                continue;
            }
            part.weights.push_back(block.weight_of(row));
            part.rows.push_back(row);
        }
        return add(into.of[0], width, block, part, "");
    }
    // Size: the columns, or the levels so far.
    Result<void> add(FamilyStatistic& into, std::size_t size, const LabeledBlock& block, const Gathered& part,
                     const std::string& column) const {
        if (part.rows.empty()) return {};
        const auto sized = make_sized_family(family, size);
        if (!sized) return sized.error();
        auto seen = (*sized)->observe(part.values, part.weights);
        if (!seen) {
            Error error = seen.error();
            if (error.row) error.row = block.first_row + part.rows[static_cast<std::size_t>(*error.row - 1)] + 1;
            return std::move(error).in_column(column);
        }
        if (into.weight() > 0) return into.merge(*seen);
        into = std::move(*seen);
        return {};
    }
};

}  // namespace

double FamilyRows::weight() const {
    double most = 0;
    for (const auto& each : of) most = std::max(most, each.weight());
    return most;
}

// Both sides were made by one pass, so that what could be refused here was refused there.
void FamilyRows::merge(const FamilyRows& from) {
    FamilyRows more = from;
    if (const auto all = unite(names, from.names)) {
        for (std::size_t k = 0; k < of.size() && of.size() == names.columns.size(); ++k) {
            if (names.columns[k].kind != ColumnKind::category) continue;
            if (!names.columns[k].levels.empty()) (void)of[k].recode(all->left.levels[k]);
            if (!from.names.columns[k].levels.empty()) (void)more.of[k].recode(all->right.levels[k]);
        }
        names = all->schema;
    }
    for (std::size_t k = 0; k < of.size(); ++k) {
        if (!(of[k].weight() > 0))
            of[k] = std::move(more.of[k]);
        else if (more.of[k].weight() > 0)
            (void)of[k].merge(more.of[k]);
    }
    missing_rows += from.missing_rows;
}

void FamilyRows::tidy() {
    for (std::size_t k = 0; k < of.size() && of.size() == names.columns.size(); ++k) {
        auto& levels = names.columns[k].levels;
        if (names.columns[k].kind != ColumnKind::category || levels.empty()) continue;
        const std::vector<double> weight = of[k].sums().numbers("level_weight");
        const auto kept = [&](std::size_t level) { return level < weight.size() && weight[level] > 0; };
        const CodeMap map = leave_names(levels, kept, true);
        if (map.count > 0) (void)of[k].recode(map);
    }
}

Result<OpenedFamily> open_for_family(const std::vector<std::string>& files, const std::string& family,
                                     const FitOptions& options) {
    const auto plain = make_family(family);
    if (!plain) return plain.error();
    const bool words = !(*plain)->is_joint() && (*plain)->shape().find("level_count") != nullptr;
    FitOptions wishes = options;
    wishes.has_classes = false;
    wishes.model = words ? "categorical_nb" : "gaussian_nb";
    auto opened = open_for_fit(files, wishes);
    if (!opened) return opened.error();
    const std::size_t width = opened->schema.columns.size();
    if ((*plain)->is_joint()) {
        const auto sized = make_sized_family(family, width);
        if (!sized) return sized.error();
        if ((*sized)->value_size() != width)
            return Error(ErrorKind::usage,
                         family + " needs numbers that are known beforehand, which are given in C++ and Python");
    }
    return OpenedFamily{std::move(*opened), (*plain)->is_joint()};
}

Result<FamilyRows> fold_family(OpenedFamily& opened, const std::string& family, const Context& context) {
    OpenedData& data = opened.data;
    FamilyPass pass{family, opened.is_joint, {data.schema, {}, 0}};
    const std::size_t width = data.schema.columns.size();
    for (std::size_t k = 0; k < (opened.is_joint ? 1 : width); ++k) {
        const auto sized = make_sized_family(family, opened.is_joint ? width : 1);
        if (!sized) return sized.error();
        pass.blank.of.push_back((*sized)->empty_statistic());
    }
    auto rows = fold(pass, *data.stream, context);
    if (!rows) return in_data(rows.error(), *data.reader);
    rows->tidy();
    return rows;
}

}  // namespace suffice
