// Gathers the sums of each class in each fold.
#include "suffice/compare/fold_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/accumulate/fold.hpp"

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

struct Arrangements {
    Several<ModelStatistic> of;  // one for each arrangement of Parts
    static constexpr auto fields = FieldTuple{field("of", &Arrangements::of)};
    bool operator==(const Arrangements&) const = default;
    double weight() const { return of.weight(); }
    void merge(const Arrangements& from) { of.merge(from.of); }
};

struct FoldedRows {
    using Statistic = Arrangements;
    std::vector<ModelStatistic> blank;
    const FoldPlan& plan;
    std::size_t class_count;

    Statistic empty() const { return {Several<ModelStatistic>(blank.begin(), blank.end())}; }
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
        for (auto& each : into.of) each.observe(unit.rows, {each.schema.classes.size(), code, unit.weight}, workspace);
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

}  // namespace

Result<FoldStatistics> FoldStatistics::gather(Stream& stream, const Schema& schema,
                                              const std::vector<Candidate>& candidates, const FoldPlan& plan,
                                              const Context& context) {
    FoldStatistics made;
    made.ordered_ = plan.ordered();
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
    for (const ModelStatistic& all : gathered->of) {
        auto& folds = made.folds_.emplace_back();
        for (std::uint32_t f = 0; f < plan.fold_count(); ++f) folds.push_back(one_fold(all, f, schema));
        made.whole_.push_back(folds[0]);
        for (std::uint32_t f = 1; f < plan.fold_count(); ++f) made.whole_.back().merge(folds[f]);
    }
    return made;
}

Result<Classifier> FoldStatistics::whole(std::size_t m, const Candidate& candidate) const {
    return Classifier::from({candidate.model, settings_[m], whole_[arrangement_[m]]});
}

Result<Classifier> FoldStatistics::all_but(std::size_t m, const Candidate& candidate,
                                           std::span<const std::uint32_t> folds) const {
    const auto& each = folds_[arrangement_[m]];
    if (ordered_) {
        ModelStatistic past = each[0].blank();
        for (std::uint32_t f = 0; f < folds[0]; ++f) past.merge(each[f]);
        return fit_statistic(m, candidate, std::move(past));
    }
    ModelStatistic rest = whole_[arrangement_[m]];
    for (const std::uint32_t f : folds) rest.remove(each[f]);
    return fit_statistic(m, candidate, std::move(rest));
}

Result<Classifier> FoldStatistics::after(std::size_t m, const Candidate& candidate, std::uint32_t fold,
                                         std::uint32_t count) const {
    const auto& folds = folds_[arrangement_[m]];
    ModelStatistic some = folds[(fold + 1) % folds.size()];
    for (std::uint32_t step = 2; step <= count; ++step) some.merge(folds[(fold + step) % folds.size()]);
    return fit_statistic(m, candidate, std::move(some));
}

Result<Classifier> FoldStatistics::fit_statistic(std::size_t m, const Candidate& candidate,
                                                 ModelStatistic statistic) const {
    statistic.tidy();
    return Classifier::from({candidate.model, settings_[m], std::move(statistic)});
}

}  // namespace suffice
