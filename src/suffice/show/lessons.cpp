// Computes the curves of teaching pictures.
#include "suffice/show/lessons.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/family/handle.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/sigmoid.hpp"
#include "suffice/math/special.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

struct Shown {
    std::string_view family;
    Record shape;
    std::vector<Record> parameters;
    double low = 0, high = 1;
    bool whole = false;
};

Record named(std::initializer_list<std::pair<std::string, double>> numbers) {
    Record record;
    for (const auto& [name, value] : numbers) record.entries.emplace_back(name, value);
    return record;
}

std::vector<Shown> shown_families() {
    return {
        {"gaussian",
         {},
         {named({{"mean", 0}, {"variance", 1}}), named({{"mean", 2}, {"variance", 0.4}}),
          named({{"mean", -1}, {"variance", 3}})},
         -5,
         5},
        {"exponential", {}, {named({{"rate", 0.5}}), named({{"rate", 1}}), named({{"rate", 2}})}, 0.001, 5},
        {"gamma",
         {},
         {named({{"shape", 1}, {"rate", 1}}), named({{"shape", 3}, {"rate", 2}}), named({{"shape", 9}, {"rate", 3}})},
         0.001,
         7},
        {"log_normal",
         {},
         {named({{"log_mean", 0}, {"log_variance", 1}}), named({{"log_mean", 0}, {"log_variance", 0.25}}),
          named({{"log_mean", 1}, {"log_variance", 0.1}})},
         0.001,
         6},
        {"beta",
         {},
         {named({{"alpha", 0.5}, {"beta", 0.5}}), named({{"alpha", 2}, {"beta", 5}}),
          named({{"alpha", 4}, {"beta", 2}})},
         0.004,
         0.996},
        {"poisson", {}, {named({{"rate", 1}}), named({{"rate", 4}}), named({{"rate", 10}})}, 0, 18, true},
        {"geometric", {}, {named({{"probability", 0.2}}), named({{"probability", 0.5}})}, 0, 14, true},
        {"negative_binomial",
         named({{"r", 5}}),
         {named({{"probability", 0.3}}), named({{"probability", 0.5}}), named({{"probability", 0.7}})},
         0,
         26,
         true},
        {"bernoulli", {}, {named({{"probability", 0.2}}), named({{"probability", 0.7}})}, 0, 1, true},
    };
}

std::vector<double> steps_between(double low, double high, std::size_t count) {
    std::vector<double> all;
    for (std::size_t k = 0; k < count; ++k)
        all.push_back(low + (high - low) * static_cast<double>(k) / static_cast<double>(count - 1));
    return all;
}

Result<LessonPanel> family_panel(const Shown& shown) {
    const auto family = make_family(shown.family, shown.shape);
    if (!family) return family.error();
    LessonPanel panel{std::string(shown.family), "x", shown.whole ? "probability" : "density", shown.low, shown.high};
    std::ranges::replace(panel.title, '_', ' ');
    const auto x =
        steps_between(shown.low, shown.high, shown.whole ? static_cast<std::size_t>(shown.high - shown.low) + 1 : 301);
    double highest = 0;
    for (const auto& parameter : shown.parameters) {
        const auto density = (*family)->log_density(parameter, x);
        if (!density) return density.error();
        LessonCurve curve{
            record_text(parameter), {}, shown.whole ? LessonCurve::Drawn::stems : LessonCurve::Drawn::line};
        for (std::size_t k = 0; k < x.size(); ++k) {
            curve.points.push_back({x[k], std::exp((*density)[k])});
            highest = std::max(highest, curve.points.back().y);
        }
        panel.curves.push_back(std::move(curve));
    }
    panel.y_high = std::min(1.08 * highest, shown.family == "beta" ? 3.2 : INFINITY);
    if (shown.whole) {
        panel.x_low = shown.low - 0.5;
        panel.x_high = shown.high + 0.5;
    } else if (shown.low > 0) {
        panel.x_low = 0;
        if (shown.family == "beta") panel.x_high = 1;
    }
    return panel;
}

}  // namespace

Figure sigmoid_lesson() {
    LessonPanel panel{"", "a", "probability", -6, 6, -0.03, 1.03};
    LessonCurve sigma{"\xCF\x83(a) = 1 / (1 + exp(-a))", {}}, probit{
                                                                  "\xCE\xA6(\xCE\xBB"
                                                                  "a), \xCE\xBB\xC2\xB2 = \xCF\x80/8",
                                                                  {},
                                                                  LessonCurve::Drawn::dotted};
    for (const double a : steps_between(-6, 6, 241)) {
        sigma.points.push_back({a, sigmoid(a)});
        probit.points.push_back({a, scaled_probit(a)});
    }
    panel.curves = {std::move(sigma), std::move(probit)};
    panel.marks = {0};
    return curves_figure("The logistic sigmoid and the scaled probit",
                         "The logistic sigmoid (line) and the probit scaled so that both have the same slope at zero "
                         "(dotted): they agree closely, the probit's tails are lighter.",
                         {panel}, 1);
}

Result<Figure> family_lesson() {
    std::vector<LessonPanel> panels;
    for (const auto& shown : shown_families()) {
        auto panel = family_panel(shown);
        if (!panel) return panel.error();
        panels.push_back(std::move(*panel));
    }
    return curves_figure("Families of one column",
                         "Densities of continuous families and probabilities of discrete ones (dots; the lines between "
                         "them only guide the eye) for some parameters.",
                         panels, 3);
}

Result<Figure> prior_lesson(std::uint64_t seed) {
    constexpr double truth = 0.7;
    const auto family = make_family("bernoulli");
    if (!family) return family.error();
    const auto prior = (*family)->parse_prior("beta(2, 2)");
    if (!prior) return prior.error();
    Rng rng(seed, "prior lesson");
    FamilyStatistic rows = (*family)->empty_statistic();
    LessonPanel panel{"", "probability of one", "posterior density", 0, 1, 0, 1};
    panel.marks = {truth};
    for (const std::size_t count : {0u, 1u, 5u, 20u, 100u, 500u}) {
        while (rows.weight() < count) {
            const double row = rng.uniform() < truth ? 1 : 0;
            if (auto seen = rows.observe({&row, 1}); !seen) return seen.error();
        }
        const auto posterior = (*family)->posterior(*prior, rows);
        if (!posterior) return posterior.error();
        LessonCurve curve{
            count == 0 ? "prior, Beta(2, 2)" : "after " + std::to_string(count) + (count == 1 ? " row" : " rows"), {}};
        for (const double p : steps_between(0.001, 0.999, 500)) {
            const auto density = (*family)->log_prior_density(*posterior, named({{"probability", p}}));
            if (!density) return density.error();
            curve.points.push_back({p, std::exp(*density)});
            panel.y_high = std::max(panel.y_high, 1.05 * curve.points.back().y);
        }
        panel.curves.push_back(std::move(curve));
    }
    return curves_figure("A prior sharpens as rows arrive",
                         "The Beta posterior of a probability, from the prior on, as rows drawn with probability 0.7 "
                         "(dashed) arrive: it moves to the truth and its width falls as one over the root of the rows.",
                         {panel}, 1);
}

Result<SimplexPanel> dirichlet_panel(std::string title, const Record& prior, Rng rng) {
    constexpr std::size_t side = 120;
    const auto family = make_family("categorical", named({{"level_count", 3}}));
    if (!family) return family.error();
    const std::vector<double>& concentration = prior.numbers("concentration");
    SimplexPanel panel{std::move(title), {}, side, {}};
    std::vector<double> logs;
    double low = INFINITY, high = -INFINITY;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column) {
            const double y = 1 - (static_cast<double>(row) + 0.5) / side;
            const double x = (static_cast<double>(column) + 0.5) / side;
            const std::array<double, 3> share{1 - y - (x - y / 2), x - y / 2, y};
            logs.push_back(std::numeric_limits<double>::quiet_NaN());
            if (!(std::ranges::min(share) > 0)) continue;
            Record parameter;
            std::vector<double> log_probability;
            for (const double each : share) log_probability.push_back(std::log(each));
            parameter.entries.emplace_back("log_probability", std::move(log_probability));
            const auto found = (*family)->log_prior_density(prior, parameter);
            if (!found) return found.error();
            logs.back() = *found;
            low = std::min(low, *found), high = std::max(high, *found);
        }
    // Density itself, except where it has poles: there the logarithm shows more.
    const bool poles = std::ranges::min(concentration) < 1;
    for (const double each : logs)
        panel.shade.push_back(high - low < 1e-9 ? (std::isnan(each) ? each : 0.35)
                              : poles           ? (each - low) / (high - low)
                                                : std::exp(each - high));
    for (std::size_t k = 0; k < 150; ++k) {
        std::array<double, 3> draw{};
        sample_dirichlet(concentration, draw, rng);
        panel.draws.push_back(draw);
    }
    return panel;
}

Result<Figure> simplex_lesson(std::uint64_t seed) {
    std::vector<SimplexPanel> panels;
    const Rng streams(seed, "simplex lesson");
    for (const double concentration : {0.1, 1.0, 10.0}) {
        Record prior;
        prior.entries.emplace_back("concentration", std::vector<double>(3, concentration));
        auto panel =
            dirichlet_panel("concentration " + short_number(concentration), prior, streams.fork(panels.size()));
        if (!panel) return panel.error();
        panels.push_back(std::move(*panel));
    }
    return simplex_figure(
        "Dirichlet distributions on the simplex",
        "Density (colour; for 0.1 its logarithm) and 150 draws of three probabilities: below one they "
        "crowd in the corners, at one they are uniform, above one they gather in the middle.",
        panels, {"p\xE2\x82\x81 = 1", "p\xE2\x82\x82 = 1", "p\xE2\x82\x83 = 1"});
}

}  // namespace suffice
