// Scores labelled files once more, under a rule, beside another model, and resampled.
#include "suffice/flow/judge.hpp"

#include <algorithm>

#include "suffice/accumulate/fold.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Scratch {
    std::vector<double> posteriors, others, log_evidence;
};

// Both models' scores of the same rows, and the rule's decisions.
struct Gathered {
    Evaluation plain, decided;
    PairedComparison paired;
    bool operator==(const Gathered&) const = default;
    double weight() const { return plain.weight(); }
    void merge(const Gathered& from) {
        plain.merge(from.plain);
        decided.merge(from.decided);
        paired.merge(from.paired);
    }
};

struct JudgedRows {
    using Statistic = Gathered;
    const Predictor& model;
    const Predictor* other;
    const DecisionRule& rule;
    Gathered blank;

    Gathered empty() const { return blank; }
    std::size_t footprint() const { return std::size_t{32} << 20; }  // of the posteriors kept for curves
    Result<void> observe(Gathered& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& scratch = workspace.of<Scratch>();
        const std::size_t classes = model.class_count();
        const auto score = [&](const Predictor& by, std::vector<double>& posteriors, double* evidence) {
            posteriors.resize(unit.size() * classes);
            ScoreSink sink;
            sink.scores = posteriors.data();
            sink.stride = static_cast<std::ptrdiff_t>(classes);
            sink.log_evidence = evidence;
            Context alone;
            alone.thread_count = 1;
            return by.score(unit.rows, sink, alone, unit.first_row);
        };
        scratch.log_evidence.resize(rule.novelty_below ? unit.size() : 0);
        double* evidence = rule.novelty_below ? scratch.log_evidence.data() : nullptr;
        if (auto scored = score(model, scratch.posteriors, evidence); !scored) return scored;
        const PosteriorRows rows{scratch.posteriors, classes, unit.label, unit.weight};
        const auto decisions = decide(scratch.posteriors, classes, rule, scratch.log_evidence);
        if (!decisions) return decisions.error();
        if (auto seen = into.plain.observe(rows); !seen) return seen;
        if (auto seen = into.decided.observe(rows, *decisions); !seen) return seen;
        if (other == nullptr) return {};
        if (auto scored = score(*other, scratch.others, nullptr); !scored) return scored;
        return into.paired.observe(rows, scratch.others);
    }
};

// What the cheapest answer costs that is given to every row alike.
Defined constant_cost(const Confusion& confusion, const CostMatrix& cost) {
    const double total = confusion.weight();
    if (!(total > 0)) return {};
    Defined best;
    const std::size_t classes = cost.classes.size();
    for (std::size_t decision = 0; decision < classes; ++decision) {
        double sum = 0;
        for (std::size_t truth = 0; truth < classes; ++truth)
            sum += (confusion.truth_weight(truth) + confusion.rejected_weight(truth)) * cost.at(truth, decision);
        if (!best || sum / total < *best) best = sum / total;
    }
    return best;
}

std::vector<RejectPoint> thinned(const std::vector<RejectPoint>& curve, std::size_t most) {
    if (curve.size() <= most) return curve;
    std::vector<RejectPoint> some;
    for (std::size_t at = 0; at < most; ++at) some.push_back(curve[at * (curve.size() - 1) / (most - 1)]);
    return some;
}

Result<void> add_intervals(const Evaluation& evaluation, const JudgeOptions& options, const Context& context,
                           Judgement& into) {
    const auto one = options.positive;  // beside the scores of one class stand the intervals of that class
    const auto of = [one](const std::vector<Defined>& per_class, const Defined& mean) {
        return one ? per_class[*one] : mean;
    };
    const std::pair<const char*, Measure> measures[] = {
        {"accuracy", [](const Scores& s) { return s.accuracy; }},
        {"balanced_accuracy", [](const Scores& s) { return s.balanced_accuracy; }},
        {"log_loss", [](const Scores& s) { return s.log_loss; }},
        {"brier", [](const Scores& s) { return s.brier; }},
        {"f1", [of](const Scores& s) { return of(s.f1.per_class, s.f1.macro); }},
        {"precision", [of](const Scores& s) { return of(s.precision.per_class, s.precision.macro); }},
        {"recall", [of](const Scores& s) { return of(s.recall.per_class, s.recall.macro); }},
        {"matthews", [](const Scores& s) { return s.matthews; }},
        {"roc_auc", [of](const Scores& s) { return of(s.roc_auc.per_class, s.roc_auc.macro); }},
    };
    std::vector<Measure> functions;
    for (const auto& [name, measure] : measures) functions.push_back(measure);
    BootstrapSettings settings;
    settings.replicates = options.replicates;
    settings.weights_are_counts = options.apply.weight_kind == WeightKind::frequency;
    const auto found = bootstrap_intervals(evaluation, functions, Rng(context.seed, "bootstrap"), settings);
    if (!found) return found.error();
    for (std::size_t k = 0; k < functions.size(); ++k) into.intervals.push_back({measures[k].first, (*found)[k]});
    return {};
}

}  // namespace

Result<Judgement> judge(const Model& model, const std::vector<std::string>& files, const JudgeOptions& options,
                        const Context& context) {
    if (options.versus != nullptr && options.versus->classes() != model.classes())
        return Error(ErrorKind::usage, "the two models have different classes");
    if (options.versus != nullptr && options.versus->columns() != model.columns())
        return Error(ErrorKind::usage, "the two models have different columns");
    std::unique_ptr<Predictor> shifted;
    if (options.priors) {
        auto moved = with_priors(model.predictor(), *options.priors);
        if (!moved) return moved.error();
        shifted = std::move(*moved);
    }
    const Predictor& predictor = shifted ? *shifted : model.predictor();
    if (options.rule.novelty_below)
        if (auto dense = predictor.check_density(); !dense) return dense.error();
    ApplyOptions labelled = options.apply;
    labelled.need_target = true;
    auto applied = open_for_model(model, files, labelled);
    if (!applied) return applied.error();
    auto blank = Evaluation::make(predictor.class_count());
    if (!blank) return blank.error();
    const Predictor* other = options.versus == nullptr ? nullptr : &options.versus->predictor();
    const auto gathered =
        fold(JudgedRows{predictor, other, options.rule, {*blank, *blank, {}}}, *applied->data.stream, context);
    if (!gathered) return in_data(gathered.error(), *applied->data.reader);

    Judgement told;
    told.decided = gathered->decided.scores();
    told.decided_by_rule = options.rule.cost || options.rule.reject_below > 0 || options.rule.novelty_below ||
                           !options.rule.thresholds.empty() || options.priors;
    if (options.rule.cost) {
        const auto cost = expected_cost(told.decided.confusion, options.rule.cost->values);
        if (!cost) return cost.error();
        told.expected_cost = *cost;
        told.majority_cost = constant_cost(told.decided.confusion, *options.rule.cost);
    }
    if (options.positive) {
        told.positive = options.positive;
        told.lift = gain_curve(gathered->plain.threshold_curve(*options.positive), 10);
        if (const auto two = f_beta(told.decided.confusion, 2)) told.f2 = two->per_class[*options.positive];
        if (const auto half = f_beta(told.decided.confusion, 0.5)) told.f_half = half->per_class[*options.positive];
    }
    if (options.goal) {
        const auto choice = choose_threshold(gathered->plain.threshold_curve(options.goal->of_class), *options.goal);
        if (!choice) return choice.error();
        told.threshold = *choice;
    }
    if (options.replicates > 0)
        if (auto added = add_intervals(gathered->plain, options, context, told); !added) return added.error();
    if (other != nullptr) {
        told.paired = gathered->paired.scores();
        told.versus = options.versus_name;
    }
    told.reject_curve = thinned(gathered->plain.reject_curve(), 21);
    return told;
}

}  // namespace suffice
