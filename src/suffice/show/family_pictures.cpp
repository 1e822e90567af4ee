// Finds rows, priors and posteriors, and turns them into curves.
#include "suffice/show/family_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/family_rows.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/show/family_table.hpp"
#include "suffice/show/lessons.hpp"

namespace suffice {
namespace {

// Every column but those that are wanted.
Result<std::vector<std::string>> left_out(const std::vector<std::string>& files, const PlotOptions& options) {
    std::vector<std::string> others;
    if (options.columns.empty()) return others;
    const auto reader = open_table(files, options.apply.read);
    if (!reader) return reader.error();
    const auto wanted = find_columns((*reader)->columns(), options.columns, (*reader)->files().front());
    if (!wanted) return wanted.error();
    for (std::uint32_t k = 0; k < (*reader)->columns().size(); ++k)
        if (std::ranges::find(*wanted, k) == wanted->end()) others.push_back((*reader)->columns()[k].name);
    return others;
}

Result<FamilyTable> table_of(const std::vector<std::string>& files, const std::string& family,
                             const PlotOptions& options, const Context& context) {
    FitOptions fit;
    fit.read = options.apply.read;
    auto others = left_out(files, options);
    if (!others) return others.error();
    fit.exclude = std::move(*others);
    auto opened = open_for_family(files, family, fit);
    if (!opened) return opened.error();
    const auto rows = fold_family(*opened, family, context);
    if (!rows) return rows.error();
    if (rows->of.size() != 1)
        return Error(ErrorKind::usage,
                     "a picture of " + family + " is of one column, and there are " + std::to_string(rows->of.size()))
            .advise({"columns", rows->names.columns.front().name, "name it with"});
    auto made = make_family(rows->of[0].family(), rows->of[0].shape());
    if (!made) return made.error();
    FamilyTable table{*made, rows->names, {}};
    auto again = open_for_names(rows->names, files, options.apply);
    if (!again) return again.error();
    const std::size_t width = rows->names.columns.size();
    const auto gathered = map_in_order(
        *again->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&,
            Workspace&) -> Result<std::vector<double>> {
            std::vector<double> values;
            for (std::size_t row = 0; row < block.size(); ++row) {
                const std::size_t before = values.size();
                for (std::size_t k = 0; k < width; ++k) values.push_back(value_at(block.rows, row, k));
                if (std::ranges::any_of(std::span(values).subspan(before), [](double x) { return std::isnan(x); }))
                    values.resize(before);
            }
            return values;
        },
        [&](const std::vector<double>& values) -> Result<void> {
            table.values.insert(table.values.end(), values.begin(), values.end());
            return {};
        });
    if (!gathered) return in_data(gathered.error(), *again->data.reader);
    return table;
}

struct Belief {
    std::string name;
    Record prior;  // or posterior: of the same shape
};

std::string rows_words(std::size_t rows) {
    return "after " + whole_number(static_cast<double>(rows)) + (rows == 1 ? " row" : " rows");
}

// The prior, and what is known after 1, 10, 100 and all rows.
Result<std::vector<Belief>> beliefs(const FamilyTable& table, const Record& prior, const std::string& told) {
    std::vector<Belief> all{{told, prior}};
    std::vector<std::size_t> counts;
    const std::size_t rows = table.row_count();
    for (const std::size_t count : {1u, 10u, 100u})
        if (count < rows) counts.push_back(count);
    if (rows > 0) counts.push_back(rows);
    for (const std::size_t count : counts) {
        const auto seen = table.first(count);
        if (!seen) return seen.error();
        auto posterior = table.family->posterior(prior, *seen);
        if (!posterior) return posterior.error();
        all.push_back({rows_words(count), std::move(*posterior)});
    }
    return all;
}

// The marginal density of each number of the parameter, from its quantiles: between neighbours p and p' it is
// (p' - p) / (q(p') - q(p)).
struct Marginal {
    std::string quantity;
    std::vector<PlotPoint> points;
};

Result<std::vector<Marginal>> marginals(const FamilyTable& table, const Record& prior) {
    constexpr int steps = 240;
    std::vector<Marginal> made;
    std::vector<std::vector<std::pair<double, double>>> quantiles;  // p and q(p), by quantity
    for (int k = 1; k <= steps; ++k) {
        // Fine steps of p in the tails, where a density falls over a long way.
        const double mass = 1 - std::pow(1 - static_cast<double>(k) / (steps + 1), 2);
        const auto intervals = table.family->credible_intervals(prior, mass);
        if (!intervals) return intervals.error();
        quantiles.resize(intervals->size());
        for (std::size_t j = 0; j < intervals->size(); ++j) {
            const NamedInterval& each = (*intervals)[j];
            quantiles[j].emplace_back((1 - mass) / 2, each.interval.low);
            quantiles[j].emplace_back((1 + mass) / 2, each.interval.high);
            if (k > 1) continue;
            Marginal& marginal = made.emplace_back();
            marginal.quantity = each.quantity;
            if (!each.place) continue;
            const auto& columns = table.names.columns;
            const auto& levels = columns.empty() ? std::vector<std::string>{} : columns.front().levels;
            if (table.family->is_joint() && *each.place < columns.size())
                marginal.quantity += " of " + columns[*each.place].name;
            else
                marginal.quantity +=
                    " of " + (*each.place < levels.size() ? levels[*each.place] : std::to_string(*each.place + 1));
        }
    }
    for (std::size_t j = 0; j < made.size(); ++j) {
        std::ranges::sort(quantiles[j]);
        for (std::size_t k = 1; k < quantiles[j].size(); ++k) {
            const auto [p, q] = quantiles[j][k - 1];
            const auto [p_after, q_after] = quantiles[j][k];
            if (q_after > q) made[j].points.push_back({(q + q_after) / 2, (p_after - p) / (q_after - q)});
        }
    }
    return made;
}

// How high a picture of a density must be: to its top, but not up a pole at an end that holds little.
double top_of(const LessonCurve& curve, double low, double high) {
    constexpr double margin = 0.02, little = 0.25, steep = 2;
    const double from = low + margin * (high - low), to = high - margin * (high - low);
    const std::size_t skip = curve.points.size() / 50;
    double inside = 0, outside = 0, mass_outside = 0;
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
        const auto [x, y] = curve.points[k];
        if (x < low || x > high) continue;
        const bool is_inside = x >= from && x <= to;
        if (k >= skip && k + skip < curve.points.size())
            (is_inside ? inside : outside) = std::max(is_inside ? inside : outside, y);
        if (!is_inside && k > 0) mass_outside += y * (x - curve.points[k - 1].x);
    }
    const bool is_pole = inside > 0 && outside > steep * inside && mass_outside < little;
    return is_pole ? 1.3 * inside : std::max(inside, outside);
}

// Wide enough for what is known after some rows; a vague prior would make needles of them.
void set_range(LessonPanel& panel, bool is_share) {
    const auto ends = [](const LessonCurve& curve, double share) {
        const auto skip = static_cast<std::size_t>(share * static_cast<double>(curve.points.size()));
        return std::pair(curve.points[skip].x, curve.points[curve.points.size() - 1 - skip].x);
    };
    const auto& last = panel.curves.back();
    std::tie(panel.x_low, panel.x_high) = ends(last, 0.01);
    for (std::size_t k = 0; k + 1 < panel.curves.size(); ++k) {
        const auto [low, high] = ends(panel.curves[k], 0.1);
        const double widest = 8 * (panel.x_high - panel.x_low);
        if (high - low > widest) continue;
        panel.x_low = std::min(panel.x_low, low);
        panel.x_high = std::max(panel.x_high, high);
    }
    if (is_share) panel.x_low = 0, panel.x_high = 1;
    panel.y_high = 0;
    for (const auto& curve : panel.curves)
        panel.y_high = std::max(panel.y_high, 1.06 * top_of(curve, panel.x_low, panel.x_high));
}

constexpr std::size_t most_panels = 9;

Result<std::vector<LessonPanel>> belief_panels(const FamilyTable& table, const std::vector<Belief>& all) {
    std::vector<LessonPanel> panels;
    for (const Belief& belief : all) {
        const auto found = marginals(table, belief.prior);
        if (!found) return found.error();
        for (std::size_t j = 0; j < std::min(found->size(), most_panels); ++j) {
            if (panels.size() <= j) panels.push_back({"", (*found)[j].quantity, "density", 0, 1, 0, 1});
            const bool first = panels[j].curves.empty() && all.size() > 1;
            panels[j].curves.push_back(
                {belief.name, (*found)[j].points, first ? LessonCurve::Drawn::dotted : LessonCurve::Drawn::line});
        }
    }
    for (auto& panel : panels) set_range(panel, panel.x_title.starts_with("probability"));
    if (panels.size() > 1)
        for (auto& panel : panels) panel.title = panel.x_title;
    return panels;
}

std::string title_of(const FamilyTable& table) {
    std::string words;
    for (const auto& column : table.names.columns) words += (words.empty() ? "" : ", ") + column.name;
    std::string family(table.family->name());
    std::ranges::replace(family, '_', ' ');
    return words.empty() ? family : words + " as " + family;
}

Result<Plotted> belief_picture(const FamilyTable& table, const PlotOptions& options) {
    const auto prior = prior_for(*table.family, options);
    if (!prior) return prior.error();
    const std::string told = "prior" + (options.prior.empty() ? "" : ", " + options.prior);
    auto all = beliefs(table, *prior, told);
    if (!all) return all.error();
    if (options.what == Plot::posterior && all->size() > 2) all->erase(all->begin() + 1, all->end() - 1);
    auto panels = belief_panels(table, *all);
    if (!panels) return panels.error();
    std::string words = table.row_count() == 0 ? "The prior density of what is to be known."
                                               : "What is known: the prior (dotted), and the posterior density " +
                                                     std::string(options.what == Plot::posterior
                                                                     ? "after all rows"
                                                                     : "as rows arrive in the order of the file") +
                                                     ".";
    if (options.what == Plot::posterior && table.row_count() > 0) {
        const auto interval = table.family->credible_intervals(all->back().prior, options.mass);
        if (!interval) return interval.error();
        for (std::size_t j = 0; j < panels->size(); ++j)
            (*panels)[j].marks = {(*interval)[j].interval.low, (*interval)[j].interval.high};
        words += " Dashed lines hold " + short_number(100 * options.mass, 4) + " % of it.";
    }
    return finished("What is known of " + title_of(table), words, *panels);
}

Result<Plotted> simplex_picture(const FamilyTable& table, const PlotOptions& options, const Context& context) {
    const auto prior = prior_for(*table.family, options);
    if (!prior) return prior.error();
    const std::vector<double>& concentration = prior->numbers("concentration");
    if (concentration.size() != 3)
        return Error(ErrorKind::usage,
                     "the simplex is drawn of three levels, and there are " + std::to_string(concentration.size()));
    auto all = beliefs(table, *prior, "prior" + (options.prior.empty() ? "" : ", " + options.prior));
    if (!all) return all.error();
    if (all->size() > 4) all->erase(all->begin() + 1);  // one row is hardly to be told from none
    std::vector<SimplexPanel> panels;
    const Rng streams(context.seed, "simplex picture");
    for (const Belief& belief : *all) {
        auto panel = dirichlet_panel(belief.name, belief.prior, streams.fork(panels.size()));
        if (!panel) return panel.error();
        panels.push_back(std::move(*panel));
    }
    std::array<std::string, 3> corners{"level 1", "level 2", "level 3"};
    if (!table.names.columns.empty() && table.names.columns.front().levels.size() == 3)
        std::ranges::copy(table.names.columns.front().levels, corners.begin());
    const bool alone = table.row_count() == 0;
    return Plotted{
        simplex_figure(alone ? "A Dirichlet prior" : "A Dirichlet before and after rows of " + title_of(table),
                       alone ? "Density (colour) and 150 draws of three probabilities under the prior."
                             : "Density (colour) and 150 draws of three probabilities: what is known of "
                               "them, from the prior on, as rows arrive in the order of the file.",
                       panels, corners),
        {},
        {}};
}

// A prior names its family where no family was named: its usual one.
std::string family_of_prior(const std::string& prior, std::size_t& levels) {
    const std::string name = prior.substr(0, prior.find('('));
    levels = static_cast<std::size_t>(std::ranges::count(prior, ',')) + 1;
    if (name == "beta") return "bernoulli";
    if (name == "gamma") return "poisson";
    if (name == "dirichlet") return "categorical";
    if (name == "normal_gamma") return "gaussian";
    if (name == "normal_wishart") return "gaussian_vector";
    return "";
}

// Without rows the prior says how many levels there are.
Result<FamilyTable> table_without_rows(const std::string& family, std::size_t levels) {
    auto made = make_sized_family(family, levels);
    if (!made) return made.error();
    return FamilyTable{*made, {}, {}};
}

// The families asked for, or the usual one of the prior; `make` gives the rows of a family.
template <class Make>
Result<Plotted> picture_of(const PlotOptions& options, bool has_rows, const Context& context, Make&& make) {
    std::size_t levels = 1;
    std::vector<std::string> families = options.families;
    const std::string usual = options.what == Plot::simplex ? "categorical" : family_of_prior(options.prior, levels);
    if (options.what == Plot::simplex) levels = 3;
    if (families.empty() && usual.empty())
        return Error(ErrorKind::usage, "say which family, such as gaussian, or give a prior such as beta(2,5)")
            .advise({"model", "gaussian"});
    if (families.empty()) families = {usual};
    const bool histogram = options.what == Plot::density || options.what == Plot::family;
    if (families.size() > 1 && !histogram)
        return Error(ErrorKind::usage, "several families are drawn over a histogram of the rows only")
            .advise({"what", "density"});
    if (histogram && !has_rows) return Error(ErrorKind::usage, "a histogram needs rows; name some data");
    std::vector<FamilyTable> tables;
    for (const auto& family : families) {
        Result<FamilyTable> table = has_rows ? make(family) : table_without_rows(family, levels);
        if (!table) return table.error();
        tables.push_back(std::move(*table));
    }
    if (histogram) return histogram_picture(tables, options);
    if (options.what == Plot::simplex) return simplex_picture(tables.front(), options, context);
    return belief_picture(tables.front(), options);
}

}  // namespace

Result<Plotted> plot_families(const std::vector<std::string>& files, const PlotOptions& options,
                              const Context& context) {
    return picture_of(options, !files.empty(), context,
                      [&](const std::string& family) { return table_of(files, family, options, context); });
}

Result<Plotted> plot_families(std::vector<double> values, const std::string& column, const PlotOptions& options,
                              const Context& context) {
    std::erase_if(values, [](double x) { return std::isnan(x); });
    const auto make = [&](const std::string& family) -> Result<FamilyTable> {
        auto made = make_sized_family(
            family, values.empty() ? 1 : static_cast<std::size_t>(std::max(0.0, std::ranges::max(values))) + 1);
        if (!made) return made.error();
        if ((*made)->value_size() != 1) return Error(ErrorKind::usage, family + " takes several columns together");
        FamilyTable table{*made, {}, values};
        table.names.columns.push_back({column});
        return table;
    };
    return picture_of(options, !values.empty(), context, make);
}

}  // namespace suffice
