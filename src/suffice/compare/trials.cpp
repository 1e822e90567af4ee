// Scores models on folds.
#include "suffice/compare/trials.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "suffice/accumulate/fold.hpp"
#include "suffice/data/gather_rows.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice {
namespace {

struct Tallies {
    std::vector<Tally> of;  // model, then fold
    static constexpr auto fields = FieldTuple{field("of", &Tallies::of)};
    double weight() const { return of.empty() ? 0 : of[0].weight; }
    void merge(const Tallies& from) {
        for (std::size_t k = 0; k < of.size(); ++k) add_sums(of[k], from.of[k]);
    }
    bool operator==(const Tallies&) const = default;
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

}  // namespace

Trial::Trial(Result<std::shared_ptr<const Predictor>> made, std::uint32_t scored_on, const Schema& schema)
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

Result<std::vector<Tally>> score_trials(const std::vector<Trial>& trials, const FoldPlan& plan, Stream& stream,
                                        const Context& context) {
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    auto tallies = fold(ScoredFolds{trials, plan}, stream, context);
    if (!tallies) return tallies.error();
    return std::move(tallies->of);
}

}  // namespace suffice
