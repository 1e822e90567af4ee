// Gathers fold statistics, subtracts, scores.
#include "suffice/compare/cross_validation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/in_order.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

// Which fold each row of a class goes to: turns through a shuffled order, by the row's number within its class.
class FoldPlan {
public:
    FoldPlan(std::size_t class_count, std::uint32_t fold_count, std::uint64_t seed) : fold_count_(fold_count) {
        Rng rng(seed, "folds");
        for (std::size_t c = 0; c < class_count; ++c) {
            std::vector<std::uint32_t> order(fold_count);
            for (std::uint32_t f = 0; f < fold_count; ++f) order[f] = f;
            shuffle(std::span(order), rng);
            order_.push_back(std::move(order));
        }
    }
    std::uint32_t fold_count() const { return fold_count_; }
    void start_unit(std::uint64_t first_row, const std::vector<std::uint64_t>& rows_before) {
        before_[first_row] = rows_before;
    }

    // One fold per row; rows of no class get none.
    std::vector<std::int32_t> folds(const LabeledBlock& unit) const {
        std::vector<std::uint64_t> count = before_.at(unit.first_row);
        std::vector<std::int32_t> fold(unit.size(), -1);
        for (std::size_t row = 0; row < fold.size(); ++row)
            if (const auto c = unit.label_of(row); c >= 0) {
                const auto at = static_cast<std::size_t>(c);
                fold[row] = static_cast<std::int32_t>(order_[at][count[at]++ % fold_count_]);
            }
        return fold;
    }

private:
    std::uint32_t fold_count_;
    std::vector<std::vector<std::uint32_t>> order_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> before_;  // first row of a unit -> rows of each class before it
};

// A cheap pass over the labels, so that units can be folded in any order later.
Result<FoldPlan> plan_folds(Stream& stream, std::size_t class_count, std::uint32_t fold_count, const Context& context) {
    FoldPlan plan(class_count, fold_count, context.seed);
    std::vector<std::uint64_t> before(class_count);
    struct UnitCount {
        std::uint64_t first_row;
        std::vector<std::uint64_t> rows;
    };
    const auto count = [&](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&,
                           Workspace&) -> Result<UnitCount> {
        UnitCount counted{unit.first_row, std::vector<std::uint64_t>(class_count)};
        for (std::size_t row = 0; row < unit.size(); ++row)
            if (const auto c = unit.label_of(row); c >= 0) ++counted.rows[static_cast<std::size_t>(c)];
        return counted;
    };
    const auto add = [&](const UnitCount& unit) -> Result<void> {
        plan.start_unit(unit.first_row, before);
        for (std::size_t c = 0; c < class_count; ++c) before[c] += unit.rows[c];
        return {};
    };
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    if (auto counted = map_in_order(stream, context, count, add); !counted) return counted.error();
    return plan;
}

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

// The rows of one fold as a statistic with the plain classes.
ModelStatistic one_fold(const ModelStatistic& all, std::uint32_t fold, const Schema& schema) {
    const std::size_t k = schema.classes.size();
    Recoding take{
        {std::vector<std::uint32_t>(all.schema.classes.size(), CodeMap::dropped), static_cast<std::uint32_t>(k)}, {}};
    for (std::uint32_t c = 0; c < k; ++c) take.classes.to[fold * k + c] = c;
    for (const auto& column : schema.columns) {
        CodeMap same{std::vector<std::uint32_t>(column.levels.size()),
                     static_cast<std::uint32_t>(column.levels.size())};
        for (std::uint32_t level = 0; level < same.count; ++level) same.to[level] = level;
        take.levels.push_back(std::move(same));
    }
    ModelStatistic part = all;
    part.recode(take, schema);
    return part;
}

// What scoring one model on one fold sums up to.
struct Tally {
    double weight = 0, correct = 0, loss = 0, seconds = 0;
    static constexpr auto fields = std::tuple{field("weight", &Tally::weight), field("correct", &Tally::correct),
                                              field("loss", &Tally::loss), field("seconds", &Tally::seconds)};
    bool operator==(const Tally&) const = default;
};
struct Tallies {
    std::vector<Tally> of;  // model, then fold
    double weight() const { return of.empty() ? 0 : of[0].weight; }
    void merge(const Tallies& from) {
        for (std::size_t k = 0; k < of.size(); ++k) add_sums(of[k], from.of[k]);
    }
    bool operator==(const Tallies&) const = default;
};

using Models = std::vector<std::vector<std::optional<Classifier>>>;  // model, then fold left out

struct ScoredFolds {
    using Statistic = Tallies;
    const Models& models;
    const FoldPlan& plan;
    std::vector<std::uint32_t> columns;

    Tallies empty() const { return {std::vector<Tally>(models.size() * plan.fold_count())}; }
    std::size_t footprint() const { return models.size() * plan.fold_count() * sizeof(Tally); }
    Result<void> observe(Tallies& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        struct Scratch {
            std::vector<double> gathered, rows, loss;
            std::vector<std::int32_t> best;
        };
        auto& scratch = workspace.of<Scratch>();
        const kernel::Rows all = rows_of(unit.rows, columns, scratch.gathered);
        const auto fold = plan.folds(unit);
        for (std::uint32_t f = 0; f < plan.fold_count(); ++f) {
            std::vector<std::size_t> which;
            scratch.rows.clear();
            for (std::size_t row = 0; row < fold.size(); ++row)
                if (fold[row] == static_cast<std::int32_t>(f)) {
                    which.push_back(row);
                    scratch.rows.insert(scratch.rows.end(), all.row(row), all.row(row) + columns.size());
                }
            const DenseBlock rows{scratch.rows.data(),
                                  Element::f64,
                                  which.size(),
                                  columns.size(),
                                  static_cast<std::ptrdiff_t>(columns.size()),
                                  1};
            for (std::size_t m = 0; m < models.size(); ++m) {
                if (!models[m][f]) continue;
                auto scored = score(*models[m][f], rows, unit, which, into.of[m * plan.fold_count() + f], workspace);
                if (!scored) return scored;
            }
        }
        return {};
    }

private:
    static Result<void> score(const Classifier& model, const DenseBlock& rows, const LabeledBlock& unit,
                              const std::vector<std::size_t>& which, Tally& into, Workspace& workspace) {
        const auto started = std::chrono::steady_clock::now();
        auto scored = model.for_each_tile(rows, Exactness::posterior, workspace, unit.first_row,
                                          [&](std::size_t first, const Block&, kernel::Tile tile) {
                                              std::int32_t best[Classifier::tile_rows];
                                              kernel::argmax(tile, best);
                                              kernel::log_softmax(tile, nullptr);
                                              for (std::size_t row = 0; row < tile.row_count; ++row) {
                                                  const std::size_t original = which[first + row];
                                                  const double weight = unit.weight_of(original);
                                                  const auto truth = unit.label_of(original);
                                                  into.weight += weight;
                                                  into.correct += best[row] == truth ? weight : 0;
                                                  into.loss -=
                                                      weight * tile.of_class(static_cast<std::size_t>(truth))[row];
                                              }
                                          });
        into.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        return scored;
    }
};

// The standard error of a mean over folds.
template <class Value>
double standard_error(std::span<const Tally> folds, Value value) {
    double sum = 0, squares = 0, count = 0;
    for (const auto& fold : folds)
        if (fold.weight > 0) {
            const double x = value(fold);
            sum += x;
            squares += x * x;
            ++count;
        }
    if (count < 2) return 0;
    return std::sqrt(std::max(squares - sum * sum / count, 0.0) / (count - 1) / count);
}

void summarize(std::span<const Tally> folds, Compared& into) {
    Tally all;
    for (const auto& fold : folds) add_sums(all, fold);
    into.accuracy = all.correct / all.weight;
    into.log_loss = all.loss / all.weight;
    into.accuracy_error = standard_error(folds, [](const Tally& t) { return t.correct / t.weight; });
    into.log_loss_error = standard_error(folds, [](const Tally& t) { return t.loss / t.weight; });
    into.seconds += all.seconds;
}

// Candidates whose Parts are arranged alike share one statistic.
struct Arrangement {
    ModelStatistic blank;
    std::vector<std::size_t> candidates;
};

}  // namespace

std::vector<Candidate> usual_candidates(const Schema& schema) {
    std::vector<Candidate> all;
    const bool numbers =
        std::ranges::any_of(schema.columns, [](const Column& column) { return column.kind == ColumnKind::number; });
    const auto add = [&](const std::string& model, const std::string& options, auto&& adjust) {
        Recipe recipe;
        recipe.model = model;
        adjust(recipe.settings);
        all.push_back({model, options, recipe});
    };
    const auto as_is = [](Settings&) {};
    add("naive_bayes", "", as_is);
    if (!numbers) return all;
    for (const char* name :
         {"linear_discriminant", "quadratic_discriminant", "diagonal_discriminant", "spherical_discriminant"})
        add(name, "", as_is);
    for (const char* name : {"linear_discriminant", "quadratic_discriminant"}) {
        add(name, "--shrinkage oas", [](Settings& s) { s.shrinkage = Shrinkage::oas; });
        for (const double amount : {0.01, 0.1, 0.5})
            add(name,
                "--shrinkage " + std::string(amount == 0.01  ? "0.01"
                                             : amount == 0.1 ? "0.1"
                                                             : "0.5"),
                [&](Settings& s) {
                    s.shrinkage = Shrinkage::fixed;
                    s.shrinkage_amount = amount;
                });
    }
    for (const auto& [alpha, text] : {std::pair{0.9, "0.9"}, {0.7, "0.7"}, {0.5, "0.5"}, {0.3, "0.3"}, {0.1, "0.1"}})
        add("regularized_discriminant", std::string("--alpha ") + text,
            [&, a = alpha](Settings& s) { s.own_share = a; });
    return all;
}

Result<std::vector<Compared>> cross_validate(Stream& stream, const Schema& schema,
                                             const std::vector<Candidate>& candidates, const FoldOptions& options,
                                             const Context& context) {
    const std::size_t k = schema.classes.size();
    if (options.fold_count < 2) return Error(ErrorKind::usage, "cross-validation needs at least two folds");
    const Schema folded = folded_classes(schema, options.fold_count);
    std::vector<Arrangement> arrangements;
    std::vector<std::size_t> arrangement_of(candidates.size());
    std::vector<Settings> settings;
    for (std::size_t m = 0; m < candidates.size(); ++m) {
        auto state = make_state(candidates[m].recipe, folded);
        if (!state) return state.error();
        settings.push_back(state->settings);
        const auto same = [&](const Arrangement& each) { return each.blank == state->statistic; };
        auto found = std::ranges::find_if(arrangements, same);
        if (found == arrangements.end()) found = arrangements.insert(found, {state->statistic, {}});
        arrangement_of[m] = static_cast<std::size_t>(found - arrangements.begin());
    }

    const auto plan = plan_folds(stream, k, options.fold_count, context);
    if (!plan) return plan.error();
    FoldedRows gather{{}, *plan, k};
    for (const auto& each : arrangements) gather.blank.push_back(each.blank);
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    const auto gathered = fold(gather, stream, context);
    if (!gathered) return gathered.error();

    std::vector<std::vector<ModelStatistic>> train(arrangements.size());  // all but fold f
    std::vector<ModelStatistic> whole;
    for (std::size_t a = 0; a < arrangements.size(); ++a) {
        std::vector<ModelStatistic> folds;
        for (std::uint32_t f = 0; f < options.fold_count; ++f) folds.push_back(one_fold((*gathered)[a], f, schema));
        whole.push_back(folds[0]);
        for (std::uint32_t f = 1; f < options.fold_count; ++f) whole[a].merge(folds[f]);
        for (std::uint32_t f = 0; f < options.fold_count; ++f) {
            train[a].push_back(whole[a]);
            train[a][f].remove(folds[f]);
        }
    }
    std::vector<Compared> compared;
    Models models(candidates.size());
    for (std::size_t m = 0; m < candidates.size(); ++m) {
        const auto started = std::chrono::steady_clock::now();
        Compared& one = compared.emplace_back();
        one.model = candidates[m].model;
        one.options = candidates[m].options;
        auto all = Classifier::from({candidates[m].model, settings[m], whole[arrangement_of[m]]});
        if (all) {
            one.parameter_count = all->parameter_count();
            one.bic = all->bic();
        } else {
            one.failure = all.error().sentence();
        }
        for (std::uint32_t f = 0; f < options.fold_count; ++f) {
            auto left = Classifier::from({candidates[m].model, settings[m], train[arrangement_of[m]][f]});
            if (!left && one.failure.empty()) one.failure = left.error().sentence();
            models[m].push_back(left && one.failure.empty() ? std::optional(std::move(*left)) : std::nullopt);
        }
        one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }
    if (auto rewound = stream.rewind(); !rewound) return rewound.error();
    const auto tallies = fold(ScoredFolds{models, *plan, schema.all_columns()}, stream, context);
    if (!tallies) return tallies.error();
    for (std::size_t m = 0; m < candidates.size(); ++m)
        if (compared[m].failure.empty())
            summarize(std::span(tallies->of).subspan(m * options.fold_count, options.fold_count), compared[m]);
    std::ranges::stable_sort(compared, [](const Compared& a, const Compared& b) {
        if (a.failure.empty() != b.failure.empty()) return a.failure.empty();
        return a.log_loss < b.log_loss;
    });
    return compared;
}

}  // namespace suffice
