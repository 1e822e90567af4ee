// The E-step, the M-step and a start for EM.
#include "suffice/group/mixture.hpp"

#include <cmath>
#include <limits>

#include "suffice/kernel/softmax.hpp"
#include "suffice/model/missing_patterns.hpp"

namespace suffice {
namespace {

struct ShareScratch {
    std::vector<double> evidence;
    std::vector<std::int32_t> best;
};

// One for the best component of each row, nothing for the others; the evidence is its log joint.
void take_best(kernel::Tile joint, ShareScratch& scratch) {
    scratch.best.resize(joint.row_count);
    kernel::argmax(joint, scratch.best.data());
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const auto best = static_cast<std::size_t>(scratch.best[row]);
        scratch.evidence[row] = joint.of_class(best)[row];
        for (std::size_t c = 0; c < joint.class_count; ++c) joint.of_class(c)[row] = c == best ? 1.0 : 0.0;
    }
}

// Every row counts for every component alike.
struct EvenRows {
    using Statistic = ModelStatistic;
    ModelStatistic blank;

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        const std::size_t count = blank.schema.classes.size(), rows = unit.size();
        std::vector<double> share(rows * count);
        for (std::size_t at = 0; at < share.size(); ++at)
            share[at] = unit.weight_of(at % rows) / static_cast<double>(count);
        into.observe(unit.rows, {count, {}, {}, share.data(), rows}, workspace);
        return {};
    }
};

}  // namespace

void narrow_to_labels(const LabeledBlock& unit, std::size_t first, const std::vector<std::int32_t>& class_of,
                      kernel::Tile joint) {
    for (std::size_t row = 0; row < joint.row_count; ++row)
        if (const auto label = unit.label_of(first + row); label >= 0)
            for (std::size_t c = 0; c < joint.class_count; ++c)
                if (class_of[c] != label) joint.of_class(c)[row] = -std::numeric_limits<double>::infinity();
}

Result<void> SharedRows::observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&,
                                 Workspace& workspace) const {
    const std::size_t count = current.class_count();
    auto& scratch = workspace.of<ShareScratch>();
    auto& evidence = scratch.evidence;
    return current.for_each_tile(unit.rows, Exactness::density, workspace, unit.first_row,
                                 [&](std::size_t first, const Block& rows, kernel::Tile joint) {
                                     narrow_to_labels(unit, first, class_of, joint);
                                     evidence.resize(joint.row_count);
                                     if (hard)
                                         take_best(joint, scratch);
                                     else
                                         kernel::softmax(joint, evidence.data());
                                     for (std::size_t row = 0; row < joint.row_count; ++row) {
                                         const double share = unit.label_of(first + row) < 0 ? unlabeled_weight : 1;
                                         const double weight = unit.weight_of(first + row) * share;
                                         into.log_likelihood += weight * evidence[row];
                                         for (std::size_t c = 0; weight != 1 && c < count; ++c)
                                             joint.of_class(c)[row] *= weight;
                                     }
                                     into.observe(rows, {count, {}, {}, joint.values, joint.stride}, workspace);
                                 });
}

Result<Classifier> Mixture::step(const Classifier& current, ModelStatistic gathered) const {
    const ModelState& before = current.state();
    auto filled = fill_holes(std::move(gathered), before.settings, &before.statistic);
    if (!filled) return filled.error();
    return Classifier::from({before.model, before.settings, std::move(*filled), before.passes});
}

Result<Classifier> spread_start(ModelState recipe, Stream& stream, const Block& seeds, const Context& context) {
    if (auto again = stream.rewind(); !again) return again.error();
    auto even = fold(EvenRows{recipe.statistic.blank()}, stream, context);
    if (!even) return even.error();
    recipe.statistic = std::move(*even);
    const std::size_t count = row_count(seeds);
    const std::vector<double> pull(1, recipe.statistic.weight() / static_cast<double>(count));
    Workspace workspace;
    for (std::size_t k = 0; k < count; ++k) {
        const auto code = static_cast<std::int32_t>(k);
        recipe.statistic.observe(slice(seeds, k, 1), {count, std::span(&code, 1), pull}, workspace);
    }
    return Classifier::from(std::move(recipe));
}

}  // namespace suffice
