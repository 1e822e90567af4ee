// Estimates and scores generative classifiers.
#include "suffice/model/classifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/accumulate/fold.hpp"
#include "suffice/model/labeled_rows.hpp"
#include "suffice/model/missing_patterns.hpp"

namespace suffice {

std::string passes_text(Passes passes) {
    switch (passes) {
        case Passes::one:
            return "one pass over the rows gave the model";
        case Passes::weighed_documents:
            return "documents scaled to length one take two passes over all of them";
        case Passes::missing_patterns:
            return "rows have too many patterns of missing values to be kept";
        case Passes::unsettled_patterns:
            return passes_text(Passes::missing_patterns) + " and EM stopped before it had settled";
        case Passes::mixture:
            return "a mixture takes repeated passes over its rows";
        case Passes::unlabeled_rows:
            break;
    }
    return "rows without a class took part by EM";
}

Result<Classifier> Classifier::from(ModelState state) {
    Classifier made;
    if (auto checked = state.settings.check(); !checked) return checked.error();
    const ModelStatistic& statistic = state.statistic;
    if (!(statistic.weight() > 0)) return Error("there are no labelled rows to fit");
    auto prior = log_class_priors(state.settings, statistic.schema.classes, statistic.class_weight);
    if (!prior) return prior.error();
    made.log_prior_ = std::move(*prior);
    for (std::size_t c = 0; c < statistic.class_weight.size(); ++c)
        made.log_likelihood_ += statistic.class_weight[c] * made.log_prior_[c];
    made.parameter_count_ = statistic.class_weight.size() - 1;
    for (const Part& part : statistic.parts) {
        auto estimated = part.estimate(state.settings, statistic.schema);
        if (!estimated) return estimated.error();
        for (auto& scorer : estimated->scorers) made.scorers_.push_back(std::move(scorer));
        made.log_likelihood_ += estimated->log_likelihood;
        made.parameter_count_ += estimated->parameter_count;
        made.notes_.insert(made.notes_.end(), estimated->notes.begin(), estimated->notes.end());
        made.rank_.insert(made.rank_.end(), estimated->rank.begin(), estimated->rank.end());
    }
    if (state.passes == Passes::missing_patterns || state.passes == Passes::unsettled_patterns)
        made.notes_.push_back(passes_text(state.passes) +
                              ": EM read the rows again for each step, and the model cannot be merged");
    // The parts know the likelihood of rows and components together; the pass knows that of the rows.
    if (state.passes != Passes::one) made.log_likelihood_ = statistic.log_likelihood;
    made.state_ = std::move(state);
    return made;
}

Classifier Classifier::stated(ModelState names, std::vector<double> log_prior,
                              std::vector<std::shared_ptr<const Scorer>> scorers) {
    Classifier made;
    made.state_ = std::move(names);
    made.log_prior_ = std::move(log_prior);
    made.scorers_ = std::move(scorers);
    return made;
}

Classifier Classifier::with_priors(std::vector<double> log_prior) const {
    Classifier other = *this;
    other.log_prior_ = std::move(log_prior);
    return other;
}

std::unique_ptr<Predictor> Classifier::under_priors(std::vector<double> log_prior) const {
    return std::make_unique<Classifier>(with_priors(std::move(log_prior)));
}

Result<void> Classifier::check_density() const {
    if (state_.settings.idf || state_.passes == Passes::weighed_documents)
        return Error(ErrorKind::usage, "tf-idf has scores and no densities");
    if (!state_.settings.complement) return {};
    return Error(ErrorKind::usage, "the complement form has scores and no densities");
}

Result<void> Classifier::score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                                    std::uint64_t first_row) const {
    for (std::size_t c = 0; c < joint.class_count; ++c) std::fill_n(joint.of_class(c), joint.row_count, log_prior_[c]);
    for (const auto& scorer : scorers_) scorer->add(rows, joint, exactness, workspace);
    double sum = 0;  // not finite where a row is not
    for (std::size_t c = 0; c < joint.class_count; ++c)
        for (std::size_t row = 0; row < joint.row_count && !impossible(c); ++row) sum += joint.of_class(c)[row];
    if (std::isfinite(sum)) return {};
    workspace.of<RescuedRows>().any = true;
    return rescue(rows, joint, first_row);
}

// Rows with holes, with enormous values, or with infinite ones, which are errors.
Result<void> Classifier::rescue(const Block& rows, kernel::Tile joint, std::uint64_t first_row) const {
    std::vector<long double> exact(joint.class_count);
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        double sum = 0;
        for (std::size_t c = 0; c < joint.class_count; ++c)
            if (!impossible(c)) sum += joint.of_class(c)[row];
        if (std::isfinite(sum)) continue;
        for (std::size_t c = 0; c < exact.size(); ++c) exact[c] = log_prior_[c];
        for (const auto& scorer : scorers_)
            if (auto added = scorer->add_row(rows, row, exact); !added) {
                return named_column(added.error(), schema()).at_row(first_row + row + 1);
            }
        // Where even the best class is out of a double's range, only the differences are kept.
        long double best = -std::numeric_limits<long double>::infinity();
        bool sound = true;  // no model of rows comes here; one that somebody has changed may
        for (std::size_t c = 0; c < exact.size(); ++c) {
            if (impossible(c)) continue;
            best = std::max(best, exact[c]);
            sound = sound && !std::isnan(exact[c]);
        }
        if (!sound || !std::isfinite(best))
            return Error("the model has no probabilities for the row: its parameters are out of all range")
                .at_row(first_row + row + 1);
        const long double shift = best < -std::numeric_limits<double>::max() / 2 ? best : 0;
        for (std::size_t c = 0; c < exact.size(); ++c)
            joint.of_class(c)[row] =
                impossible(c)
                    ? log_prior_[c]
                    : static_cast<double>(std::max<long double>(exact[c] - shift, -std::numeric_limits<double>::max()));
    }
    return {};
}

Explanation Classifier::contributions(const Block& rows, std::size_t row) const {
    Explanation all{log_prior_, {}};
    for (const auto& scorer : scorers_) scorer->explain(rows, row, all);
    return all;
}

SampledRow Classifier::sample(std::size_t class_code, Rng& rng) const {
    const std::size_t width = schema().columns.size();
    SampledRow row{std::vector<double>(width, std::numeric_limits<double>::quiet_NaN()),
                   std::vector<std::vector<std::uint32_t>>(width)};
    for (const auto& scorer : scorers_) scorer->sample(class_code, rng, row);
    return row;
}

std::optional<ScoreForm> Classifier::form() const {
    auto partial = partial_form();
    if (!partial.told || !partial.rest.columns.empty()) return std::nullopt;
    return std::move(partial.form);
}

Classifier::PartialForm Classifier::partial_form() const {
    const std::size_t width = schema().columns.size();
    PartialForm partial;
    partial.form = {log_prior_, std::vector<std::vector<double>>(class_count(), std::vector<double>(width)),
                    std::vector<std::vector<double>>(class_count())};
    for (const auto& scorer : scorers_) {
        ScoreForm with = partial.form;
        if (scorer->write_form(with)) {
            partial.form = std::move(with);
            continue;
        }
        const std::size_t before = partial.rest.columns.size();
        scorer->describe(partial.rest);
        partial.told = partial.told && partial.rest.columns.size() > before;
    }
    return partial;
}

Description Classifier::describe() const {
    Description all;
    for (const auto& scorer : scorers_) scorer->describe(all);
    std::ranges::sort(all.columns, {}, &Description::OfColumn::column);
    return all;
}

Result<ScoreExpression> Classifier::express() const {
    ScoreExpression sum{.constant = log_prior_};
    for (const auto& scorer : scorers_)
        if (auto added = scorer->express(sum); !added) return added.error();
    return sum;
}

namespace {

LabeledRows first_pass(const ModelState& state, const Stream& stream) {
    LabeledRows pass{state.statistic.blank()};
    limit_patterns(pass.blank, state.statistic, lane_count(pass.footprint(), stream.unit_count()));
    return pass;
}

}  // namespace

Result<BlockTree<ModelStatistic>> feed_blocks(const ModelState& recipe, Stream& stream, const Context& context) {
    return fold_sums(first_pass(recipe, stream), stream, context);
}

Result<ModelState> feed(ModelState state, Stream& stream, const Context& context) {
    auto gathered = fold(first_pass(state, stream), stream, context);
    if (!gathered) return gathered.error();
    const bool known = state.statistic.weight() > 0, completes = !keeps_all_patterns(*gathered);
    if (known && completes)
        return Error(passes_text(Passes::missing_patterns) +
                     " beside those of the model; fit again to all rows together");
    limit_patterns(*gathered, state.statistic, 1);
    if (known || state.statistic.unlabeled_weight > 0)
        state.statistic.merge(*gathered);
    else
        state.statistic = std::move(*gathered);
    state.statistic.tidy();
    if (completes) return complete_by_passes(std::move(state), stream, context);
    return state;
}

Result<Classifier> fit(const ModelState& recipe, Stream& stream, const Context& context) {
    auto state = feed(recipe, stream, context);
    if (!state) return state.error();
    return Classifier::from(std::move(*state));
}

}  // namespace suffice
