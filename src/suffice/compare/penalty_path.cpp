// One candidate of a cross-validation for each strength, strongest first.
#include "suffice/compare/penalty_path.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/compare/cross_validation.hpp"
#include "suffice/regress/logistic_strengths.hpp"

namespace suffice {
namespace {

LogisticSettings at_strength(LogisticSettings settings, const PenaltySearch& search, double strength) {
    const double share = search.squares && search.lasso ? 0.5 : 1;
    if (search.squares) settings.penalty = share * strength;
    if (search.lasso) settings.lasso = share * strength;
    return settings;
}

// Features that some class has a coefficient of.
std::uint64_t features_in_use(const LogisticRegression& model) {
    const LogisticParameter& parameter = model.state().parameter;
    const std::size_t d = model.feature_count();
    std::vector<bool> used(d);
    for (std::size_t i = 0; i < parameter.coefficient.size(); ++i)
        if (parameter.coefficient[i] != 0) used[i % d] = true;
    for (const OffsetFeature& each : model.state().settings.offsets(model.schema(), model.state().features))
        used[each.feature] = false;
    return static_cast<std::uint64_t>(std::ranges::count(used, true));
}

// Where the fits of one strength leave off for those of the next.
struct PathFits {
    std::vector<std::optional<LogisticParameter>> at;  // of all rows, then of all but each fold
    std::uint64_t in_use = 0;                          // features, in the fit to all rows
};

// A candidate is fitted to all rows first, then to all but each fold in turn.
Candidate candidate_of(const LogisticSettings& settings, const Features& features, PathFits& fits) {
    const auto fit = [&, turn = std::size_t{0}](
                         const Schema& schema, Stream& rows,
                         const Context& context) mutable -> Result<std::shared_ptr<const Predictor>> {
        auto& start = fits.at[turn];
        auto made = fit_logistic_regression(schema, features, rows, settings, context, start);
        if (!made) return made.error();
        start = made->state().parameter;
        if (turn++ == 0) fits.in_use = features_in_use(*made);
        return std::shared_ptr<const Predictor>(std::make_shared<const LogisticRegression>(std::move(*made)));
    };
    return {"logistic_regression", {}, {.model = "logistic_regression"}, fit};
}

// The first of the best, or the strongest that is no more than its standard error worse.
std::size_t choose(const std::vector<PenaltyStep>& path, bool simplest) {
    const auto best = std::ranges::min_element(path, {}, &PenaltyStep::log_loss);
    if (!simplest) return static_cast<std::size_t>(best - path.begin());
    const double most = best->log_loss + best->log_loss_error;
    const auto strongest = std::ranges::find_if(path, [&](const PenaltyStep& each) { return each.log_loss <= most; });
    return static_cast<std::size_t>(strongest - path.begin());
}

}  // namespace

Result<void> PenaltySearch::check() const {
    if (strengths.empty() && count == 0) return Error(ErrorKind::usage, "a path has at least one strength");
    for (const double strength : strengths)
        if (!(strength >= 0) || std::isinf(strength))
            return Error(ErrorKind::usage, "the strengths of a penalty must be zero or positive numbers");
    return {};
}

Result<LogisticRegression> fit_along_path(const Schema& schema, const Features& features, Stream& stream,
                                          const LogisticSettings& settings, const PenaltySearch& search,
                                          const FoldPlan& plan, const Context& context) {
    if (auto checked = search.check(); !checked) return checked.error();
    if (settings.firth) return Error(ErrorKind::usage, "Firth's penalty has no strength to choose");
    std::vector<double> strengths = search.strengths;
    if (strengths.empty()) {
        auto found = penalty_strengths(schema, features, stream, settings, search.lasso, search.count, context);
        if (!found) return found.error();
        strengths = std::move(*found);
        if (search.squares && search.lasso)
            for (double& strength : strengths) strength *= 2;  // of which the lasso gets half
    }
    std::ranges::sort(strengths, std::greater{});
    LogisticSettings own = settings;
    own.inference = Inference::none;
    PathFits fits{std::vector<std::optional<LogisticParameter>>(plan.fold_count() + 1)};
    std::vector<PenaltyStep> path;
    Note failure;
    std::optional<LogisticParameter> best;
    for (const double strength : strengths) {
        const LogisticSettings here = at_strength(own, search, strength);
        const auto done = cross_validate(stream, schema, {candidate_of(here, features, fits)}, {&plan, 1}, context);
        if (!done) return done.error();
        const Compared& found = done->models.front();
        failure = found.failure;
        if (found.failed()) continue;
        path.push_back({here.penalty, here.lasso, found.log_loss, found.log_loss_error, fits.in_use, false});
        if (choose(path, false) + 1 == path.size()) best = fits.at.front();
    }
    if (path.empty()) {
        Error none("no penalty can be chosen: " + failure.sentence);
        none.remedies = failure.remedies;
        return none;
    }
    const std::size_t chosen = choose(path, search.simplest);
    path[chosen].chosen = true;
    LogisticSettings last = settings;
    last.penalty = path[chosen].penalty;
    last.lasso = path[chosen].lasso;
    if (auto again = stream.rewind(); !again) return again.error();
    const auto fit = fit_logistic_regression(schema, features, stream, last, context, best);
    if (!fit) return fit;
    LogisticState state = fit->state();
    const bool weakest = chosen + 1 == path.size(), strongest = chosen == 0 && !search.lasso;
    if (search.strengths.empty() && path.size() > 1 && (weakest || strongest))
        state.notes.push_back("the penalty that was chosen is the " + std::string(weakest ? "weakest" : "strongest") +
                              " of its path; one beyond may be better still");
    state.path = std::move(path);
    return LogisticRegression::from(std::move(state));
}

}  // namespace suffice
