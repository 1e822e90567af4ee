// Fits every candidate to all but one fold, scores, and chooses.
#include "suffice/compare/cross_validation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "suffice/base/together.hpp"
#include "suffice/compare/criteria.hpp"
#include "suffice/compare/fold_statistics.hpp"
#include "suffice/compare/time_limit.hpp"
#include "suffice/compare/trials.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

using Clock = std::chrono::steady_clock;
using Fitted = Result<std::shared_ptr<const Predictor>>;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Fitted shared(Result<Classifier> made) {
    if (!made) return made.error();
    return std::shared_ptr<const Predictor>(std::make_shared<const Classifier>(std::move(*made)));
}

Result<std::vector<LearningPoint>> learning_curve(Stream& stream, const Schema& schema,
                                                  const std::vector<Candidate>& candidates,
                                                  const std::vector<Compared>& ranked, const FoldStatistics& statistics,
                                                  const FoldPlan& plan, std::size_t models, const Context& context) {
    std::vector<std::size_t> chosen;
    for (const Compared& each : ranked)
        for (std::size_t m = 0; m < candidates.size() && chosen.size() < models; ++m)
            if (candidates[m].model == each.model && candidates[m].options == each.options && !each.failed() &&
                !candidates[m].fit_again)
                chosen.push_back(m);
    std::vector<Trial> trials;
    std::vector<LearningPoint> points;
    const std::uint32_t folds = plan.fold_count();
    for (const std::size_t m : chosen)
        for (std::uint32_t count = 1; count < folds; ++count) {
            LearningPoint& point = points.emplace_back();
            point.model = candidates[m].model;
            point.options = candidates[m].options;
            for (std::uint32_t f = 0; f < folds; ++f) {
                auto model = shared(statistics.after(m, candidates[m], f, count));
                if (model) point.rows += (*model)->weight() / folds;
                trials.emplace_back(std::move(model), f, schema);
            }
        }
    const auto tallies = score_trials(trials, plan, stream, context);
    if (!tallies) return tallies.error();
    for (std::size_t at = 0; at < points.size(); ++at) {
        Compared sum;
        summarize(std::span(*tallies).subspan(at * folds, folds), sum);
        points[at].accuracy = sum.accuracy;
        points[at].log_loss = sum.log_loss;
    }
    return points;
}

// All candidates over one or more ways of dealing the rows out to folds.
class CrossValidating {
public:
    CrossValidating(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                    const Context& context, const CrossValidation& how, const Locate& locate)
        : stream_(stream),
          schema_(schema),
          candidates_(candidates),
          context_(context),
          how_(how),
          locate_(locate),
          tallies_(candidates.size()) {
        for (const Candidate& each : candidates) {
            done_.models.emplace_back().model = each.model;
            done_.models.back().options = each.options;
        }
    }

    Result<void> run(const FoldPlan& plan, bool first) {
        const auto statistics = FoldStatistics::gather(stream_, schema_, candidates_, plan, context_);
        if (!statistics) return statistics.error();
        std::vector<Tally> tallies(candidates_.size() * plan.fold_count());
        if (auto tried = try_all(*statistics, plan, first, tallies); !tried) {
            if (!context_.stopped() || !how_.ready_when_stopped || (first && scored_ == 0)) return tried;
            done_.stopped = true;
            for (std::size_t m = scored_; first && m < candidates_.size(); ++m)
                if (!done_.models[m].failed()) done_.models[m].failure = Note("it was not ready when all was stopped");
        }
        for (std::size_t m = 0; m < candidates_.size() && (first || !done_.stopped); ++m) {
            const auto own = std::span(tallies).subspan(m * plan.fold_count(), plan.fold_count());
            tallies_[m].insert(tallies_[m].end(), own.begin(), own.end());
        }
        if (done_.stopped) return {};
        if (how_.nested)
            if (auto nested = choose_by_inner_folds(*statistics, plan, tallies); !nested) return nested;
        if (!first || how_.curve_models == 0) return {};
        std::vector<Compared> ranked = done_.models;
        for (std::size_t m = 0; m < ranked.size(); ++m)
            if (!ranked[m].failed()) summarize(tallies_[m], ranked[m]);
        best_first(ranked);
        auto curve =
            learning_curve(stream_, schema_, candidates_, ranked, *statistics, plan, how_.curve_models, context_);
        if (!curve) return curve.error();
        done_.curve = std::move(*curve);
        return {};
    }

    Comparison finish() {
        for (std::size_t m = 0; m < candidates_.size(); ++m)
            if (!done_.models[m].failed()) summarize(tallies_[m], done_.models[m]);
        differ_from_best(done_.models, tallies_);
        best_first(done_.models);
        if (how_.nested && !done_.stopped) {
            Compared sum;
            summarize(nested_, sum);
            done_.nested = NestedScores{sum.log_loss, sum.log_loss_error, sum.accuracy, sum.accuracy_error};
        }
        return std::move(done_);
    }

private:
    // Fits and scores the candidates in their order. A pass over the rows scores all that were fitted within about a
    // second, so that what is ready is told soon and sums over many rows are still scored together. By rounds all of
    // them are: the order of passes must not depend on anybody's clock.
    Result<void> try_all(const FoldStatistics& statistics, const FoldPlan& plan, bool first,
                         std::vector<Tally>& tallies) {
        const double soon = stream_.rounds() == nullptr ? 1 : INFINITY;
        std::vector<Trial> trials;
        scored_ = 0;
        auto waiting_since = Clock::now();
        const auto score_waiting = [&](std::size_t end) -> Result<void> {
            if (trials.empty()) return {};
            const auto scored = score_trials(trials, plan, stream_, context_);
            if (!scored) return scored.error();
            std::ranges::copy(*scored, tallies.begin() + static_cast<std::ptrdiff_t>(scored_ * plan.fold_count()));
            for (; scored_ < end; ++scored_)
                if (first) tell(scored_, std::span(tallies).subspan(scored_ * plan.fold_count(), plan.fold_count()));
            trials.clear();
            waiting_since = Clock::now();
            return {};
        };
        for (std::size_t m = 0; m < candidates_.size(); ++m) {
            const bool alone = static_cast<bool>(candidates_[m].fit_again);
            if (alone || seconds_since(waiting_since) > soon)
                if (auto scored = score_waiting(m); !scored) return scored;
            if (auto tried = try_folds(m, statistics, plan, first, trials); !tried) return tried;
        }
        return score_waiting(candidates_.size());
    }

    void tell(std::size_t m, std::span<const Tally> tallies) const {
        if (!how_.finished) return;
        Compared one = done_.models[m];
        if (!one.failed()) summarize(tallies, one);
        how_.finished(one);
    }

    // The model that is learned without these folds; of none, from all rows.
    Fitted fit(std::size_t m, const FoldStatistics& statistics, const FoldPlan& plan,
               const std::vector<std::uint32_t>& left_out, const Context& context) const {
        const Candidate& candidate = candidates_[m];
        if (!candidate.fit_again)
            return shared(left_out.empty() ? statistics.whole(m, candidate)
                                           : statistics.all_but(m, candidate, left_out));
        AllButFold rest(stream_, plan, left_out);
        Stream& rows = left_out.empty() ? stream_ : rest;
        if (auto rewound = rows.rewind(); !rewound) return rewound.error();
        return candidate.fit_again(schema_, rows, context);
    }

    // A candidate may take so long and no longer; what stops everything is an Error.
    Result<void> refuse(Compared& one, const Error& error, const TimeLimit& limit) const {
        const bool round_ended = stream_.rounds() != nullptr && error.kind == ErrorKind::cancelled;
        if (context_.stopped() || round_ended) return error;
        one.unfinished = limit.passed();
        one.failure =
            one.unfinished ? Note("it was not finished within its budget of seconds") : failure_of(error, locate_);
        return {};
    }

    // What is learned without each fold. Sums need no rows, so that several threads may learn from them at once; passes
    // over the rows have threads of their own.
    std::vector<Fitted> fit_folds(std::size_t m, const FoldStatistics& statistics, const FoldPlan& plan,
                                  const TimeLimit& limit) const {
        const std::uint32_t folds = plan.fold_count();
        std::vector<Fitted> models(folds, Fitted(nullptr));
        std::atomic<std::uint32_t> next = plan.ordered() ? 1 : 0;
        std::atomic<bool> failed = false;
        const auto work = [&] {
            for (std::uint32_t f = next++; f < folds && !failed; f = next++) {
                models[f] = limit.passed() || context_.stopped()
                                ? Fitted(Error(ErrorKind::cancelled, "the computation was stopped"))
                                : fit(m, statistics, plan, {f}, limit.context());
                if (!models[f]) failed = true;
            }
        };
        join_in(candidates_[m].fit_again ? 1 : std::min<std::size_t>(context_.thread_count, folds), work);
        return models;
    }

    Result<void> try_folds(std::size_t m, const FoldStatistics& statistics, const FoldPlan& plan, bool first,
                           std::vector<Trial>& trials) {
        const auto started = Clock::now();
        Compared& one = done_.models[m];
        const TimeLimit limit(context_, how_.budget > 0 ? std::max(how_.budget - one.seconds, 1e-3) : 0);
        if (first) {
            const auto whole = fit(m, statistics, plan, {}, limit.context());
            if (whole) {
                describe(m, statistics, **whole, one);
            } else if (auto refused = refuse(one, whole.error(), limit); !refused) {
                return refused;
            }
        }
        std::vector<Fitted> models(plan.fold_count(), Fitted(nullptr));
        if (!one.failed()) models = fit_folds(m, statistics, plan, limit);
        for (std::uint32_t f = 0; f < plan.fold_count(); ++f) {
            if (one.failed()) models[f] = Fitted(nullptr);
            if (!models[f])
                if (auto refused = refuse(one, models[f].error(), limit); !refused) return refused;
            trials.emplace_back(std::move(models[f]), f, schema_);
        }
        one.seconds += seconds_since(started);
        return {};
    }

    // What the fit to all rows is like.
    void describe(std::size_t m, const FoldStatistics& statistics, const Predictor& whole, Compared& one) const {
        one.parameter_count = whole.parameter_count();
        const bool summed = !candidates_[m].fit_again;
        const Settings usual;
        one.has_bic = joint_likelihood(whole, summed ? statistics.settings(m) : usual);
        if (one.has_bic) one.bic = whole.bic();
        if (!summed) return;
        const auto evidence = log_evidence(statistics.statistic(m), statistics.settings(m));
        one.has_evidence = evidence.has_value();
        one.evidence = evidence.value_or(0);
    }

    // For each fold the candidate that the other folds choose among themselves; how it does on the fold is known
    // already.
    Result<void> choose_by_inner_folds(const FoldStatistics& statistics, const FoldPlan& plan,
                                       const std::vector<Tally>& outer) {
        const std::uint32_t folds = plan.fold_count();
        std::vector<std::size_t> chosen(folds, candidates_.size());
        std::vector<double> least(folds, INFINITY);
        for (std::size_t m = 0; m < candidates_.size(); ++m) {
            if (done_.models[m].failed()) continue;
            const auto inner = plan.ordered() ? past_losses(std::span(outer).subspan(m * folds, folds))
                                              : inner_losses(m, statistics, plan);
            if (!inner) return inner.error();
            for (std::uint32_t f = 0; f < folds; ++f)
                if ((*inner)[f] < least[f]) least[f] = (*inner)[f], chosen[f] = m;
        }
        for (std::uint32_t f = 0; f < folds; ++f)
            if (chosen[f] < candidates_.size()) nested_.push_back(outer[chosen[f] * folds + f]);
        return {};
    }

    // Of folds in order the model for a fold has seen those before it only, so its losses there are known.
    static Result<std::vector<double>> past_losses(std::span<const Tally> own) {
        std::vector<double> loss(own.size(), INFINITY);
        Tally past;
        for (std::size_t f = 0; f < own.size(); ++f) {
            if (past.weight > 0) loss[f] = past.loss / past.weight;
            add_sums(past, own[f]);
        }
        return loss;
    }

    // By outer fold: the mean log loss over the other folds, each scored without itself and the outer one.
    Result<std::vector<double>> inner_losses(std::size_t m, const FoldStatistics& statistics, const FoldPlan& plan) {
        const std::uint32_t folds = plan.fold_count();
        std::vector<Trial> trials;
        std::vector<std::uint32_t> outer_of;
        for (std::uint32_t f = 0; f < folds; ++f)
            for (std::uint32_t g = 0; g < f; ++g) {
                const auto model = fit(m, statistics, plan, {g, f}, context_);
                if (!model && context_.stopped()) return model.error();
                for (const auto& [scored, outer] : {std::pair{g, f}, {f, g}}) {
                    trials.emplace_back(model, scored, schema_);
                    outer_of.push_back(outer);
                }
            }
        const auto tallies = score_trials(trials, plan, stream_, context_);
        if (!tallies) return tallies.error();
        std::vector<Tally> sum(folds);
        std::vector<bool> whole(folds, true);
        for (std::size_t t = 0; t < trials.size(); ++t) {
            add_sums(sum[outer_of[t]], (*tallies)[t]);
            whole[outer_of[t]] = whole[outer_of[t]] && trials[t].model;
        }
        std::vector<double> loss;
        for (std::uint32_t f = 0; f < folds; ++f)
            loss.push_back(whole[f] && sum[f].weight > 0 ? sum[f].loss / sum[f].weight : INFINITY);
        return loss;
    }

    Stream& stream_;
    const Schema& schema_;
    const std::vector<Candidate>& candidates_;
    const Context& context_;
    const CrossValidation& how_;
    const Locate& locate_;
    Comparison done_;
    std::vector<std::vector<Tally>> tallies_;  // of each candidate, over all folds
    std::vector<Tally> nested_;
    std::size_t scored_ = 0;  // candidates of this plan
};

}  // namespace

Result<Comparison> cross_validate(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                  std::span<const FoldPlan> plans, const Context& context, const CrossValidation& how,
                                  const Locate& locate) {
    CrossValidating run(stream, schema, candidates, context, how, locate);
    for (const FoldPlan& plan : plans)
        if (auto ran = run.run(plan, &plan == plans.data()); !ran) return ran.error();
    return run.finish();
}

}  // namespace suffice
