// Turns parameters into the statistics that would give them.
#include "suffice/model/given.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/family/all.hpp"
#include "suffice/math/covariance_check.hpp"
#include "suffice/math/special.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

bool are_shares(const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return std::ranges::all_of(values, [](double p) { return p >= 0 && p <= 1; }) && std::abs(sum - 1) < 1e-6;
}

Result<void> check_gaussians(const GivenModel& given) {
    const std::size_t d = given.columns.size(), k = given.classes.size();
    if (given.means.size() != (d == 0 ? 0 : k)) return Error("there must be a mean for each class");
    for (std::size_t c = 0; c < given.means.size(); ++c)
        if (given.means[c].size() != d ||
            !std::ranges::all_of(given.means[c], [](double m) { return std::isfinite(m); }))
            return Error("the mean of class " + given.classes[c] + " must have " + std::to_string(d) + " numbers");
    if (d > 0 && given.covariances.size() != 1 && given.covariances.size() != k)
        return Error("there must be one covariance, or one for each class");
    for (std::size_t c = 0; c < given.covariances.size(); ++c)
        if (auto checked =
                check_covariance(given.covariances[c], d,
                                 given.covariances.size() == k && k > 1 ? "the covariance of class " + given.classes[c]
                                                                        : "the covariance");
            !checked)
            return checked;
    return {};
}

// What a column may be stated as: how many numbers its family takes for each class, and which.
struct StatedFamily {
    std::string_view name, takes;
    std::size_t width;  // of levels: 0
    bool (*fits)(const std::vector<double>& values);
};
constexpr auto all_positive = [](const std::vector<double>& v) {
    return std::ranges::all_of(v, [](double each) { return each > 0; });
};
constexpr std::array stated_families{
    StatedFamily{"gaussian", "a mean and a variance above 0", 2, [](const auto& v) { return v[1] > 0; }},
    StatedFamily{"log_normal", "mean and variance of the logarithm, the second above 0", 2,
                 [](const auto& v) { return v[1] > 0; }},
    StatedFamily{"gamma", "shape and rate above 0", 2, all_positive},
    StatedFamily{"beta", "alpha and beta above 0", 2, all_positive},
    StatedFamily{"exponential", "a rate above 0", 1, all_positive},
    StatedFamily{"poisson", "a rate from 0", 1, [](const auto& v) { return v[0] >= 0; }},
    StatedFamily{"geometric", "a probability above 0, up to 1", 1, [](const auto& v) { return v[0] > 0 && v[0] <= 1; }},
    StatedFamily{"bernoulli", "a probability from 0 to 1", 1, [](const auto& v) { return v[0] >= 0 && v[0] <= 1; }},
    StatedFamily{"categorical", "a probability for each level, with the sum 1", 0, are_shares},
};

Result<void> check_column(const GivenColumn& column, const GivenModel& given) {
    const auto family = std::ranges::find(stated_families, column.family, &StatedFamily::name);
    if (family == stated_families.end()) {
        std::string known;
        for (const auto& each : stated_families) known += (known.empty() ? "" : ", ") + std::string(each.name);
        return Error(column.family + " cannot be stated: columns are of " + known);
    }
    if (column.family == "gaussian" && given.covariances.size() == 1)
        return Error("a Gaussian column beside a shared covariance belongs into it");
    if (column.by_class.size() != given.classes.size()) return Error("there must be parameters for each class");
    const std::size_t width = family->width == 0 ? column.levels.size() : family->width;
    for (const auto& values : column.by_class)
        if (values.size() != width || !std::ranges::all_of(values, [](double v) { return std::isfinite(v); }) ||
            !family->fits(values))
            return Error("these are no parameters of " + column.family + ": it takes " + std::string(family->takes));
    return {};
}

Result<void> check(const GivenModel& given) {
    if (given.classes.empty() || given.priors.size() != given.classes.size())
        return Error("there must be a prior for each class");
    if (!are_shares(given.priors) || std::ranges::find(given.priors, 0.0) != given.priors.end())
        return Error("the priors must be above 0 and sum to 1");
    if (!(given.weight > 0) || !std::isfinite(given.weight)) return Error("a model stands for more than no rows");
    if (auto checked = check_gaussians(given); !checked) return checked;
    for (const auto& column : given.independent)
        if (auto checked = check_column(column, given); !checked) return Error(checked.error()).in_column(column.name);
    return {};
}

// Calls fill(statistic, parameters, weight) for each class where the Part is of family F and has the column.
template <class F, class Fill>
void fill_column(Part& part, std::uint32_t column, const GivenColumn& given, const std::vector<double>& weight,
                 Fill fill) {
    auto* of_family = part.as<FamilyPart<F>>();
    if (of_family == nullptr) return;
    const auto found = std::ranges::find(of_family->columns, column);
    if (found == of_family->columns.end()) return;
    const auto k = static_cast<std::size_t>(found - of_family->columns.begin());
    for (std::size_t c = 0; c < weight.size(); ++c) fill(of_family->by_class[c][k], given.by_class[c], weight[c]);
}

// Independent columns stand behind the joint ones.
void fill_parts(Several<Part>& parts, const GivenModel& given, const std::vector<double>& weight) {
    for (Part& part : parts) {
        if (auto* joint = part.as<CovariancePart>())
            for (std::size_t c = 0; c < given.classes.size(); ++c) {
                const std::size_t d = given.columns.size();
                auto& s = joint->complete;
                s.class_weight[c] = weight[c];
                std::ranges::copy(given.means[c], s.mean.begin() + static_cast<std::ptrdiff_t>(c * d));
                const auto& covariance = given.covariances[given.covariances.size() == 1 ? 0 : c];
                for (std::size_t at = 0; at < d * d; ++at) s.scatter[c * d * d + at] = weight[c] * covariance[at];
            }
        for (std::size_t k = 0; k < given.independent.size(); ++k) {
            const GivenColumn& column = given.independent[k];
            const auto at = static_cast<std::uint32_t>(given.columns.size() + k);
            fill_column<Gaussian>(part, at, column, weight,
                                  [](auto& s, const auto& p, double w) { s = {w, p[0], w * p[1]}; });
            fill_column<Bernoulli>(part, at, column, weight,
                                   [](auto& s, const auto& p, double w) { s = {w * (1 - p[0]), w * p[0]}; });
            fill_column<Poisson>(part, at, column, weight,
                                 [](auto& s, const auto& p, double w) { s = {w, w * p[0], 0}; });
            fill_column<LogNormal>(part, at, column, weight,
                                   [](auto& s, const auto& p, double w) { s = {w, p[0], w * p[1]}; });
            fill_column<Exponential>(part, at, column, weight,
                                     [](auto& s, const auto& p, double w) { s = {w, w / p[0]}; });
            fill_column<Geometric>(part, at, column, weight,
                                   [](auto& s, const auto& p, double w) { s = {w, w * (1 - p[0]) / p[0]}; });
            fill_column<Gamma>(part, at, column, weight, [](auto& s, const auto& p, double w) {
                s = {w, w * (digamma(p[0]) - std::log(p[1])), w * p[0] / p[1]};
            });
            fill_column<Beta>(part, at, column, weight, [](auto& s, const auto& p, double w) {
                const double both = digamma(p[0] + p[1]);
                s = {w, w * (digamma(p[0]) - both), w * (digamma(p[1]) - both)};
            });
            fill_column<Categorical>(part, at, column, weight, [](auto& s, const auto& p, double w) {
                s.level_weight = p;
                for (double& each : s.level_weight) each *= w;
            });
        }
    }
}

}  // namespace

Result<Classifier> classifier_from(const GivenModel& given) {
    if (auto checked = check(given); !checked) return checked.error();
    Schema schema;
    schema.classes = given.classes;
    Recipe recipe;
    recipe.parts.keep = Keep::per_class;
    recipe.settings.estimate = Estimate::likelihood;
    recipe.settings.smoothing = 0;
    recipe.settings.added_variance_share = std::numeric_limits<double>::min();  // what is stated has no floor
    if (!given.columns.empty())
        recipe.model = given.covariances.size() == 1 ? "linear_discriminant" : "quadratic_discriminant";
    if (!given.model.empty()) recipe.model = given.model;
    for (const auto& name : given.columns) schema.columns.push_back({name});
    for (const auto& column : given.independent) {
        const bool words = column.family == "categorical";
        schema.columns.push_back({column.name, words ? ColumnKind::category : ColumnKind::number, column.levels,
                                  static_cast<std::uint32_t>(column.levels.size())});
        recipe.families.push_back({column.name, column.family});
    }
    auto state = make_state(recipe, schema);
    if (!state) return state.error();
    std::vector<double> weight = given.priors;
    for (double& each : weight) each *= given.weight;
    state->statistic.class_weight = weight;
    fill_parts(state->statistic.parts, given, weight);
    state->statistic.tidy();
    return Classifier::from(std::move(*state));
}

Result<BayesError> simulate_bayes_error(const Predictor& model, std::size_t row_count, Rng& rng) {
    if (row_count < 2) return Error("a simulation needs two rows or more");
    const std::size_t width = model.schema().columns.size();
    if (std::ranges::any_of(model.schema().columns, [](const Column& each) { return each.kind == ColumnKind::text; }))
        return Error("the error of models of text cannot be simulated");
    constexpr std::size_t chunk = 4096;
    double sum = 0, squares = 0;
    for (std::size_t done = 0; done < row_count; done += chunk) {
        const std::size_t count = std::min(chunk, row_count - done);
        std::vector<double> values;
        for (std::size_t row = 0; row < count; ++row) {
            double left = rng.uniform();
            std::size_t c = 0;
            while (c + 1 < model.class_count() && (left -= std::exp(model.log_prior()[c])) >= 0) ++c;
            const auto drawn = model.sample(c, rng);
            values.insert(values.end(), drawn.values.begin(), drawn.values.end());
        }
        const auto posterior = model.posteriors(
            DenseBlock{values.data(), Element::f64, count, width, static_cast<std::ptrdiff_t>(width), 1});
        if (!posterior) return posterior.error();
        for (std::size_t row = 0; row < count; ++row) {
            const double error = 1 - std::ranges::max(posterior->row(row));
            sum += error;
            squares += error * error;
        }
    }
    const double n = static_cast<double>(row_count), mean = sum / n;
    return BayesError{mean, std::sqrt(std::max(squares / n - mean * mean, 0.0) / (n - 1))};
}

}  // namespace suffice
