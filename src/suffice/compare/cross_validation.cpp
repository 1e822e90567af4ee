// Gathers fold statistics, subtracts, scores.
#include "suffice/compare/cross_validation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/compare/tally.hpp"
#include "suffice/data/gather_rows.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice {
namespace {

// Class c of fold f is gathered as a class of its own: one statistic holds all folds.
Schema folded_classes(const Schema& schema, std::uint32_t fold_count) {
    Schema folded = schema;
    folded.classes.clear();
    for (std::uint32_t f = 0; f < fold_count; ++f)
        for (const auto& name : schema.classes) folded.classes.push_back(std::to_string(f) + ":" + name);
    return folded;
}

struct FoldedRows {
    using Statistic = Several<ModelStatistic>;  // one for each arrangement of Parts
    std::vector<ModelStatistic> blank;
    const FoldPlan& plan;
    std::size_t class_count;

    Statistic empty() const { return Statistic(blank.begin(), blank.end()); }
    std::size_t footprint() const {
        std::size_t sum = 0;
        for (const auto& each : blank) sum += each.footprint();
        return sum;
    }
    Result<void> observe(Statistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        const auto fold = plan.folds(unit);
        std::vector<std::int32_t> code(unit.size(), -1);
        for (std::size_t row = 0; row < code.size(); ++row)
            if (fold[row] >= 0) code[row] = fold[row] * static_cast<std::int32_t>(class_count) + unit.label[row];
        for (auto& each : into) each.observe(unit.rows, {each.schema.classes.size(), code, unit.weight}, workspace);
        return {};
    }
};

// The classes of these codes, numbered anew; everything else stays.
ModelStatistic some_classes(const ModelStatistic& all, const std::vector<std::uint32_t>& codes) {
    Schema schema = all.schema;
    Recoding take{{std::vector<std::uint32_t>(all.schema.classes.size(), CodeMap::dropped),
                   static_cast<std::uint32_t>(codes.size())},
                  {}};
    schema.classes.clear();
    for (std::uint32_t c = 0; c < codes.size(); ++c) {
        take.classes.to[codes[c]] = c;
        schema.classes.push_back(all.schema.classes[codes[c]]);
    }
    for (const auto& column : schema.columns) {
        CodeMap same{std::vector<std::uint32_t>(column.levels.size()),
                     static_cast<std::uint32_t>(column.levels.size())};
        std::iota(same.to.begin(), same.to.end(), 0u);
        take.levels.push_back(std::move(same));
    }
    ModelStatistic part = all;
    part.recode(take, schema);
    return part;
}

// The rows of one fold as a statistic with the plain classes.
ModelStatistic one_fold(const ModelStatistic& all, std::uint32_t fold, const Schema& schema) {
    std::vector<std::uint32_t> codes(schema.classes.size());
    std::iota(codes.begin(), codes.end(), fold * static_cast<std::uint32_t>(schema.classes.size()));
    ModelStatistic part = some_classes(all, codes);
    part.schema.classes = schema.classes;
    return part;
}

struct Tallies {
    std::vector<Tally> of;  // model, then fold
    double weight() const { return of.empty() ? 0 : of[0].weight; }
    void merge(const Tallies& from) {
        for (std::size_t k = 0; k < of.size(); ++k) add_sums(of[k], from.of[k]);
    }
    bool operator==(const Tallies&) const = default;
};

// A model and the fold whose rows it is scored on.
struct Trial {
    std::shared_ptr<const Predictor> model;  // null: it could not be fitted
    std::uint32_t fold = 0;
    std::vector<std::int32_t> code = {};  // of each class in the model; -1: it had no row to learn it from
    std::vector<CodeMap> levels = {};     // of each column, where the model lacks some; else empty

    Trial(Result<std::shared_ptr<const Predictor>> made, std::uint32_t scored_on, const Schema& schema)
        : model(made ? std::move(*made) : nullptr), fold(scored_on) {
        if (!model) return;
        for (const auto& name : schema.classes) {
            const auto found = std::ranges::find(model->schema().classes, name);
            const bool known = found != model->schema().classes.end();
            code.push_back(known ? static_cast<std::int32_t>(found - model->schema().classes.begin()) : -1);
        }
        bool moved = false;
        for (std::size_t k = 0; k < schema.columns.size(); ++k) {
            levels.push_back(map_codes(schema.columns[k].levels, model->schema().columns[k].levels));
            moved = moved || !levels.back().is_identity();
        }
        if (!moved) levels.clear();
    }
};

struct ScoredFolds {
    using Statistic = Tallies;
    const std::vector<Trial>& trials;
    const FoldPlan& plan;

    Tallies empty() const { return {std::vector<Tally>(trials.size())}; }
    std::size_t footprint() const { return trials.size() * sizeof(Tally); }
    Result<void> observe(Tallies& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        struct Scratch {
            RowGatherer gatherer, recoder;
        };
        auto& scratch = workspace.of<Scratch>();
        const auto fold = plan.folds(unit);
        std::vector<std::vector<std::size_t>> which(plan.fold_count());
        for (std::size_t row = 0; row < fold.size(); ++row)
            if (fold[row] >= 0) which[static_cast<std::size_t>(fold[row])].push_back(row);
        for (std::uint32_t f = 0; f < plan.fold_count(); ++f) {
            if (which[f].empty()) continue;
            const Block rows = scratch.gatherer.gather(unit.rows, which[f]);
            for (std::size_t t = 0; t < trials.size(); ++t) {
                if (trials[t].fold != f || !trials[t].model) continue;
                const bool moved = !trials[t].levels.empty();
                const Block own = moved ? scratch.recoder.gather(unit.rows, which[f], trials[t].levels) : rows;
                if (auto scored = score(trials[t], own, unit, which[f], into.of[t], workspace); !scored) return scored;
            }
        }
        return {};
    }

private:
    static Result<void> score(const Trial& trial, const Block& rows, const LabeledBlock& unit,
                              const std::vector<std::size_t>& which, Tally& into, Workspace& workspace) {
        const auto started = std::chrono::steady_clock::now();
        const Predictor& model = *trial.model;
        // A class that the rows for learning lacked is taken for the smallest probability there is.
        const double log_smallest = std::log(std::numeric_limits<double>::min());
        auto scored = model.for_each_tile(
            rows, Exactness::posterior, workspace, unit.first_row,
            [&](std::size_t first, const Block&, kernel::Tile tile) {
                std::int32_t best[Predictor::tile_rows];
                kernel::argmax(tile, best);
                kernel::log_softmax(tile, nullptr);
                for (std::size_t row = 0; row < tile.row_count; ++row) {
                    const std::size_t original = which[first + row];
                    const double weight = unit.weight_of(original);
                    const auto truth = trial.code[static_cast<std::size_t>(unit.label_of(original))];
                    into.weight += weight;
                    into.correct += best[row] == truth ? weight : 0;
                    into.loss -=
                        weight * (truth < 0 ? log_smallest : tile.of_class(static_cast<std::size_t>(truth))[row]);
                }
            });
        into.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        return scored;
    }
};

// The statistics of all folds, gathered in one pass: candidates whose Parts are arranged alike share them.
class FoldStatistics {
public:
    static Result<FoldStatistics> gather(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                         const FoldPlan& plan, const Context& context) {
        FoldStatistics made;
        const Schema folded = folded_classes(schema, plan.fold_count());
        FoldedRows gather{{}, plan, schema.classes.size()};
        for (const Candidate& candidate : candidates) {
            made.settings_.emplace_back();
            made.arrangement_.push_back(nowhere);
            if (candidate.fit_again) continue;
            auto state = make_state(candidate.recipe, folded);
            if (!state) return state.error();
            made.settings_.back() = state->settings;
            const auto found = std::ranges::find(gather.blank, state->statistic);
            made.arrangement_.back() = static_cast<std::size_t>(found - gather.blank.begin());
            if (found == gather.blank.end()) gather.blank.push_back(std::move(state->statistic));
        }
        if (gather.blank.empty()) return made;
        if (auto rewound = stream.rewind(); !rewound) return rewound.error();
        const auto gathered = fold(gather, stream, context);
        if (!gathered) return gathered.error();
        for (const ModelStatistic& all : *gathered) {
            auto& folds = made.folds_.emplace_back();
            for (std::uint32_t f = 0; f < plan.fold_count(); ++f) folds.push_back(one_fold(all, f, schema));
            made.whole_.push_back(folds[0]);
            for (std::uint32_t f = 1; f < plan.fold_count(); ++f) made.whole_.back().merge(folds[f]);
        }
        return made;
    }

    Result<Classifier> whole(std::size_t m, const Candidate& candidate) const {
        return Classifier::from({candidate.model, settings_[m], whole_[arrangement_[m]]});
    }
    Result<Classifier> all_but(std::size_t m, const Candidate& candidate, std::uint32_t fold) const {
        ModelStatistic rest = whole_[arrangement_[m]];
        rest.remove(folds_[arrangement_[m]][fold]);
        return fit_statistic(m, candidate, std::move(rest));
    }
    // The folds that come after this one, so many of them.
    Result<Classifier> after(std::size_t m, const Candidate& candidate, std::uint32_t fold, std::uint32_t count) const {
        const auto& folds = folds_[arrangement_[m]];
        ModelStatistic some = folds[(fold + 1) % folds.size()];
        for (std::uint32_t step = 2; step <= count; ++step) some.merge(folds[(fold + step) % folds.size()]);
        return fit_statistic(m, candidate, std::move(some));
    }

private:
    // Without the classes and levels of which there is no row, as if they had never been seen.
    Result<Classifier> fit_statistic(std::size_t m, const Candidate& candidate, ModelStatistic statistic) const {
        statistic.tidy();
        return Classifier::from({candidate.model, settings_[m], std::move(statistic)});
    }

    static constexpr std::size_t nowhere = ~std::size_t{0};
    std::vector<Settings> settings_;
    std::vector<std::size_t> arrangement_;            // of each candidate
    std::vector<std::vector<ModelStatistic>> folds_;  // of each arrangement
    std::vector<ModelStatistic> whole_;
};

// A note of what the fit to all rows is like.
void describe(const Result<std::shared_ptr<const Predictor>>& whole, const Locate& locate, Compared& into) {
    if (!whole) {
        into.failure = failure_of(whole.error(), locate);
        return;
    }
    into.parameter_count = (*whole)->parameter_count();
    into.bic = (*whole)->bic();
}

Result<std::shared_ptr<const Predictor>> shared(Result<Classifier> made) {
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
            if (candidates[m].model == each.model && candidates[m].options == each.options && each.failure.empty() &&
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
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    const auto tallies = fold(ScoredFolds{trials, plan}, stream, context);
    if (!tallies) return tallies.error();
    for (std::size_t at = 0; at < points.size(); ++at) {
        Compared sum;
        summarize(std::span(tallies->of).subspan(at * folds, folds), sum);
        points[at].accuracy = sum.accuracy;
        points[at].log_loss = sum.log_loss;
    }
    return points;
}

}  // namespace

Result<Comparison> cross_validate(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                  const FoldPlan& plan, const Context& context, std::size_t curve_models,
                                  const Locate& locate) {
    const auto statistics = FoldStatistics::gather(stream, schema, candidates, plan, context);
    if (!statistics) return statistics.error();
    Comparison done;
    std::vector<Trial> trials;
    const auto fit_again = [&](const Candidate& candidate, Stream& rows) -> Result<std::shared_ptr<const Predictor>> {
        if (auto rewound = rows.rewind(); !rewound) return rewound.error();
        return candidate.fit_again(schema, rows, context);
    };
    for (std::size_t m = 0; m < candidates.size(); ++m) {
        const Candidate& candidate = candidates[m];
        const auto started = std::chrono::steady_clock::now();
        Compared& one = done.models.emplace_back();
        one.model = candidate.model;
        one.options = candidate.options;
        describe(candidate.fit_again ? fit_again(candidate, stream) : shared(statistics->whole(m, candidate)), locate,
                 one);
        for (std::uint32_t f = 0; f < plan.fold_count(); ++f) {
            AllButFold rest(stream, plan, f);
            auto model = !one.failure.empty()  ? Result<std::shared_ptr<const Predictor>>(nullptr)
                         : candidate.fit_again ? fit_again(candidate, rest)
                                               : shared(statistics->all_but(m, candidate, f));
            if (!model) {
                if (model.error().kind == ErrorKind::cancelled) return model.error();
                one.failure = failure_of(model.error(), locate);
            }
            trials.emplace_back(std::move(model), f, schema);
        }
        one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    const auto tallies = fold(ScoredFolds{trials, plan}, stream, context);
    if (!tallies) return tallies.error();
    for (std::size_t m = 0; m < candidates.size(); ++m)
        if (done.models[m].failure.empty())
            summarize(std::span(tallies->of).subspan(m * plan.fold_count(), plan.fold_count()), done.models[m]);
    best_first(done.models);
    if (curve_models > 0) {
        auto curve = learning_curve(stream, schema, candidates, done.models, *statistics, plan, curve_models, context);
        if (!curve) return curve.error();
        done.curve = std::move(*curve);
    }
    return done;
}

}  // namespace suffice
