// Puts the pieces of logistic regression together: first look, start, search, separation, covariance.
#include "suffice/regress/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/data/stream.hpp"
#include "suffice/regress/logistic_covariance.hpp"
#include "suffice/regress/logistic_search.hpp"
#include "suffice/regress/logistic_separation.hpp"
#include "suffice/regress/logistic_wide.hpp"

namespace suffice {
namespace {

// What goes with what.
Result<void> check_together(const LogisticSettings& settings, std::size_t class_count) {
    if (settings.firth && (!settings.free() || settings.link != Link::logit))
        return Error(ErrorKind::usage, "Firth's penalty goes with the logit link and with no other penalty");
    if (settings.link == Link::probit && class_count != 2)
        return Error(ErrorKind::usage,
                     "the probit link needs exactly two classes, and there are " + std::to_string(class_count));
    if (settings.link == Link::probit && settings.lasso > 0)
        return Error(ErrorKind::usage, "the probit link cannot be combined with a lasso");
    return {};
}

// One column of two classes, or one for each class.
Result<void> check_offset_columns(const LogisticSettings& settings, const Schema& schema) {
    const std::vector<std::string> names = settings.offset_columns();
    const std::size_t k = schema.classes.size();
    if (!settings.offset.empty() && !settings.class_offset.empty())
        return Error(ErrorKind::usage, "an offset is one column or one column for each class, not both");
    if (settings.offset.empty() ? names.size() != k : k != 2)
        return Error(ErrorKind::usage, "an offset takes " + std::string(k == 2 ? "one column, or " : "") +
                                           "one column for each of the " + std::to_string(k) +
                                           " classes in their order, and " + std::to_string(names.size()) +
                                           (names.size() == 1 ? " was given" : " were given"));
    for (auto name = names.begin(); name != names.end(); ++name) {
        const auto column = schema.column_named(*name);
        if (!column) return Error(ErrorKind::usage, "there is no column " + *name + " for the offset");
        if (schema.columns[*column].kind == ColumnKind::category)
            return Error(ErrorKind::usage, "the offset must be a column of numbers").in_column(*name);
        if (std::find(names.begin(), name, *name) != name)
            return Error(ErrorKind::usage, "a column is the offset of one class only").in_column(*name);
    }
    return {};
}

// The offset is a column as it is: functions of it would each have the coefficient one.
Result<void> check_offset_features(const LogisticSettings& settings, const Schema& schema, const Features& features) {
    for (const std::string& name : settings.offset_columns()) {
        const std::size_t column = *schema.column_named(name);
        for (const ColumnBasis& each : features.columns)
            if (each.basis != Basis::number && each.basis != Basis::missing &&
                (each.column == column || (each.basis == Basis::product && each.other == column)))
                return Error(ErrorKind::usage, "the offset cannot have basis functions").in_column(name);
    }
    return {};
}

bool fits(const LogisticParameter& start, const LogisticProblem& problem) {
    return start.coefficient.size() == problem.class_count() * problem.feature_count &&
           start.intercept.size() == problem.class_count();
}

void sum_to_zero(std::vector<double>& values) {
    const double middle = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) value -= middle;
}

Result<LogisticPoint> first_point(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSample* sample,
                                  const std::optional<LogisticParameter>& start, bool as_stated) {
    if (start && fits(*start, problem)) {
        auto at = problem.evaluate(problem.given_start(*start), plan.exact);
        // Far beyond all doubt the curvature vanishes and no step is told: what is worse than nothing is left.
        if (!at || as_stated || at->value + corner_penalty(problem, at->phi) <= problem.null_loss()) return at;
    }
    const bool discriminant = problem.settings.intercept && problem.offsets.empty() && !problem.settings.firth;
    std::vector<double> phi = discriminant ? problem.discriminant_start() : problem.null_start();
    if (sample != nullptr) {
        auto near = sample->minimize(phi);
        if (!near) return near.error();
        auto at = problem.evaluate(std::move(*near), plan.exact);
        if (!at || at->value <= problem.null_loss()) return at;
    }
    auto at = problem.evaluate(std::move(phi), plan.exact);
    if (at && discriminant && !(at->value + corner_penalty(problem, at->phi) <= problem.null_loss()))
        return problem.evaluate(problem.null_start(), plan.exact);
    return at;
}

Result<LogisticSearch> search_from(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSample* sample,
                                   const std::optional<LogisticParameter>& start, LogisticTrace* trace) {
    auto first = first_point(problem, plan, sample, start, trace != nullptr);
    if (!first) return first.error();
    LogisticSearch search{std::move(*first), {}, 0, false, 0, trace};
    note_step(problem, search, search.at.value + corner_penalty(problem, search.at.phi));
    auto searched = trace != nullptr && trace->descent ? descend(problem, plan, *trace->descent, search)
                    : problem.lasso > 0                ? minimize_lasso(problem, plan, search)
                                                       : minimize_smooth(problem, plan, sample, search);
    if (!searched) return searched.error();
    return search;
}

// The likelihood of intercepts alone; beside an offset they are a fit of their own, as in R's glm.
Result<double> null_log_likelihood(const LogisticProblem& problem, double loss, const Schema& schema, Stream& stream,
                                   const Context& context) {
    if (problem.offsets.empty()) return -problem.null_loss();
    if (problem.feature_count == problem.offsets.size() && !problem.settings.firth) return -loss;
    const auto sources = problem.rows.features.sources();
    Features alone;
    for (const OffsetFeature& each : problem.offsets) alone.columns.emplace_back().column = sources[each.feature];
    LogisticSettings settings = problem.settings;
    settings.penalty = settings.lasso = 0;
    settings.firth = false;
    settings.inference = Inference::none;
    settings.gradient_tolerance = 0;
    auto fit = fit_logistic(schema, alone, stream, settings, context);
    if (!fit) return fit.error();
    return fit->log_likelihood;
}

}  // namespace

Result<void> LogisticSettings::check(const Schema& schema) const {
    if (!(penalty >= 0) || std::isinf(penalty))
        return Error(ErrorKind::usage, "the penalty must be zero or a positive number");
    if (!(lasso >= 0) || std::isinf(lasso) || !(intercept_scale >= 0))
        return Error(ErrorKind::usage, "the lasso and the scale of the intercept must be zero or positive numbers");
    if (!(tolerance >= 0) || !(gradient_tolerance >= 0))
        return Error(ErrorKind::usage, "a tolerance must be zero or a positive number");
    if (step_limit == 0) return Error(ErrorKind::usage, "the limit of steps must be at least 1");
    if (!class_weight.empty() && class_weight.size() != schema.classes.size())
        return Error(ErrorKind::usage, "there must be one class weight for each of the " +
                                           std::to_string(schema.classes.size()) + " classes");
    for (double weight : class_weight)
        if (!(weight >= 0) || std::isinf(weight))
            return Error(ErrorKind::usage, "a class weight must be zero or a positive number");
    if (schema.classes.size() < 2) return Error("logistic regression needs at least two classes in the data");
    if (auto checked = check_together(*this, schema.classes.size()); !checked) return checked;
    return offset_count() == 0 ? Result<void>{} : check_offset_columns(*this, schema);
}

std::vector<std::string> LogisticSettings::offset_columns() const {
    return offset.empty() ? class_offset : std::vector{offset};
}

std::vector<OffsetFeature> LogisticSettings::offsets(const Schema& schema, const Features& features) const {
    std::vector<OffsetFeature> found;
    const std::vector<std::string> names = offset_columns();
    const auto sources = features.sources();
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const auto name = std::ranges::find(names, schema.columns[sources[j]].name);
        if (name == names.end()) continue;
        found.push_back({j, offset.empty() ? static_cast<std::size_t>(name - names.begin()) : 1});
    }
    return found;
}

namespace {

// What is told of the place where the search has ended.
Result<LogisticFit> fit_of(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSearch& search) {
    const LogisticSettings& settings = problem.settings;
    LogisticFit fit;
    auto separation = find_separation(problem, search);
    if (!separation) return separation.error();
    fit.notes = problem.notes;
    fit.separated = separation->has_value();
    fit.converged = search.converged;
    if (fit.separated) fit.notes.push_back(**separation);
    if (!fit.converged && !fit.separated)
        fit.notes.push_back("the search stopped at its limit of " + std::to_string(settings.step_limit) +
                            " steps before it settled");
    LogisticPoint& at = search.at;
    if (settings.free())
        for (std::size_t f = 0; f < problem.contrasts.count(); ++f)
            problem.determine(std::span(at.phi).subspan(f * problem.width, problem.feature_count));
    fit.class_weight = problem.class_weight();
    fit.rank = problem.space.rank;
    fit.log_likelihood = -at.loss;
    fit.objective = at.value + corner_penalty(problem, at.phi);
    fit.parameter = problem.parameter(at.phi);
    if (problem.lasso > 0 && settings.intercept && problem.class_count() > 2) sum_to_zero(fit.parameter.intercept);
    if (settings.standardized && !settings.free()) fit.unit = problem.unit;
    auto known = covariance_of_estimates(problem, plan, at);
    if (!known) return known.error();
    fit.covariance = std::move(*known);
    fit.iterations = search.iterations;
    return fit;
}

}  // namespace

Result<LogisticFit> fit_logistic(const Schema& schema, const Features& features, Stream& stream,
                                 const LogisticSettings& settings, const Context& context,
                                 const std::optional<LogisticParameter>& start, LogisticTrace* trace) {
    if (auto checked = settings.check(schema); !checked) return checked.error();
    if (auto checked = check_offset_features(settings, schema, features); !checked) return checked.error();
    LogisticProblem problem(schema, features, stream, settings, context);
    if (auto looked = problem.look_at_rows(); !looked) return looked.error();
    const bool squared = settings.firth || settings.link == Link::probit;
    if (squared && problem.parameter_count() > LogisticSettings::most_exact)
        return Error(ErrorKind::usage, std::string(settings.firth ? "Firth's penalty" : "the probit link") +
                                           " takes at most " + std::to_string(LogisticSettings::most_exact) +
                                           " coefficients, and there are " + std::to_string(problem.parameter_count()));
    if (trace != nullptr && trace->descent && (problem.rows.wide || settings.lasso > 0))
        return Error(ErrorKind::usage,
                     settings.lasso > 0 ? "a lasso has no gradient where a coefficient is zero; steps against it are "
                                          "of regressions without one"
                                        : "steps against the gradient take at most " +
                                              std::to_string(LogisticProblem::most_squared) + " columns");
    if (problem.rows.wide) {
        if (settings.standardized && !settings.free())
            problem.notes.push_back("with so many columns the penalty takes them in their own units");
        auto fit = fit_wide(problem, start);
        if (!fit) return fit;
        auto null = null_log_likelihood(problem, -fit->log_likelihood, schema, stream, context);
        if (!null) return null.error();
        fit->null_log_likelihood = *null;
        return fit;
    }
    const CurvaturePlan plan = CurvaturePlan::of(problem);
    std::unique_ptr<LogisticSample> sample;
    if (plan.squared && !plan.exact) {
        auto taken = LogisticSample::of(problem, plan.share);
        if (!taken) return taken.error();
        sample = std::move(*taken);
    }
    auto found = search_from(problem, plan, sample.get(), start, trace);
    if (found && start && !found->converged && found->iterations < settings.step_limit)
        found = search_from(problem, plan, sample.get(), {}, trace);  // stuck where the curvature vanishes
    if (!found) return found.error();
    auto fit = fit_of(problem, plan, *found);
    if (!fit) return fit;
    auto null = null_log_likelihood(problem, found->at.loss, schema, stream, context);
    if (!null) return null.error();
    fit->null_log_likelihood = *null;
    fit->passes = problem.passes;
    return fit;
}

}  // namespace suffice
