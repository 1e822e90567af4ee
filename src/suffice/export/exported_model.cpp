// Takes a model apart into what the writers print.
#include "suffice/export/exported_model.hpp"

#include <algorithm>

#include "suffice/flow/predict.hpp"

namespace suffice {
namespace {

void add_stage(const NoCalibration&, ExportedModel&) {}
void add_stage(const TemperatureScaling& stage, ExportedModel& into) { into.temperature = stage.temperature; }
void add_stage(const PlattScaling& stage, ExportedModel& into) {
    for (std::size_t c = 0; c < stage.slope.size(); ++c)
        into.sigmoids.push_back({stage.slope[c], stage.slope[c], stage.intercept[c]});
}
void add_stage(const BetaCalibration& stage, ExportedModel& into) {
    for (std::size_t c = 0; c < stage.a.size(); ++c) into.sigmoids.push_back({stage.a[c], stage.b[c], stage.c[c]});
}
void add_stage(const IsotonicCalibration& stage, ExportedModel& into) { into.isotonic = stage.curves; }

Result<DecisionRule> rule_of(const Model& model, DecisionRule rule) {
    if (rule.novelty_below)
        return Error(ErrorKind::usage, "novelty needs the density of a row, and an export has posteriors alone");
    if (!rule.thresholds.empty() || rule.cost) return rule;
    auto thresholds = thresholds_by_class(model.decision().thresholds, model.classes());
    if (!thresholds) return thresholds.error();
    rule.thresholds = std::move(*thresholds);
    return rule;
}

// What cuts a text into words tells a word twice or once, or as a bucket; the scores do not know.
Result<void> count_as_cut(const Schema& schema, ScoreExpression& score) {
    for (WordTerm& term : score.words) {
        const Column& column = schema.columns[term.column];
        if (column.text.empty()) continue;
        if (column.text[0].hash_features > 0)
            return Error(ErrorKind::usage, "its words fall into buckets by a hash that other programs do not have")
                .in_column(column.name);
        term.distinct = term.distinct || column.text[0].binary;
    }
    return {};
}

}  // namespace

bool is_line(const CurveTerm& term) {
    return !term.needed && std::ranges::all_of(term.functions, [](const ColumnFunction& each) {
        return each.kind == ColumnFunction::Kind::one ||
               (each.kind == ColumnFunction::Kind::value && each.shift == 0 && each.scale == 1);
    });
}

bool has_kind(const CurveTerm& term, ColumnFunction::Kind kind) {
    return std::ranges::find(term.functions, kind, &ColumnFunction::kind) != term.functions.end();
}

LineTable lines_of(const ScoreExpression& score) {
    LineTable made;
    for (const CurveTerm& term : score.curves) {
        if (!is_line(term)) continue;
        made.columns.push_back(term.column);
        auto& weight = made.weight.emplace_back(score.width());
        auto& constant = made.constant.emplace_back(score.width());
        for (std::size_t f = 0; f < term.functions.size(); ++f)
            for (std::size_t c = 0; c < weight.size(); ++c)
                (term.functions[f].kind == ColumnFunction::Kind::one ? constant : weight)[c] += term.weight[f][c];
    }
    return made;
}

BellTable bells_of(const ScoreExpression& score, bool of_logarithm, bool student) {
    BellTable made;
    for (const BellTerm& term : score.bells) {
        if (term.of_logarithm != of_logarithm || term.power.empty() == student) continue;
        made.columns.push_back(term.column);
        made.mean.push_back(term.mean);
        made.scale.push_back(term.scale);
        made.peak.push_back(term.peak);
        made.power.push_back(student ? term.power : std::vector<double>(term.mean.size(), 0.5));
    }
    return made;
}

RiseTable rises_of(const ScoreExpression& score, bool of_logarithm) {
    RiseTable made;
    for (const RiseTerm& term : score.rises) {
        if (term.columns.size() != 1 || term.of_logarithm != of_logarithm) continue;
        made.columns.push_back(term.columns[0]);
        made.base.push_back(term.base);
        made.weight.push_back(term.weight);
    }
    return made;
}

std::vector<RiseTerm> summed_rises(const ScoreExpression& score) {
    std::vector<RiseTerm> made;
    for (const RiseTerm& term : score.rises)
        if (term.columns.size() != 1) made.push_back(term);
    return made;
}

double stirling_series(double w) {
    double sum = 0;
    for (std::size_t k = stirling.size(); k-- > 0;) sum = sum / (w * w) + stirling[k];
    return sum / w;
}

Result<ExportedModel> exported(const Model& model, const ExportOptions& options) {
    std::shared_ptr<const Predictor> predictor = model.share();
    if (options.priors) {
        auto moved = with_priors(*predictor, *options.priors);
        if (!moved) return moved.error();
        predictor = std::move(*moved);
    }
    auto score = predictor->express();
    if (!score)
        return Error(score.error().kind,
                     "the model " + std::string(predictor->name()) + " cannot be exported: " + score.error().message);
    if (auto counted = count_as_cut(model.schema(), *score); !counted) return counted.error();
    auto rule = rule_of(model, options.rule);
    if (!rule) return rule.error();
    ExportedModel made{.schema = model.schema(),
                       .score = std::move(*score),
                       .sigmoids = {},
                       .isotonic = {},
                       .rule = std::move(*rule),
                       .origin = {},
                       .seen = model.seen()};
    std::visit([&](const auto& stage) { add_stage(stage, made); }, model.calibration().stage());
    made.origin = std::string(predictor->name()) + " of " + std::to_string(made.class_count()) + " classes and " +
                  std::to_string(made.schema.columns.size()) + " columns, exported by suffice";
    return made;
}

}  // namespace suffice
