// Tries moves on the sample, the most promising first.
#include "suffice/group/mixture_moves.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "suffice/group/component_shape.hpp"
#include "suffice/group/mixture_start.hpp"
#include "suffice/group/sample_groups.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_rounds = 5, most_tried = 120, most_finished = 6, trial_steps = 20;
// Starts besides those that were asked for, which are run to their end only where they promise more: four of each kind.
constexpr std::size_t further_starts = 52, first_further = 1000;
// Moves are worth it where a run is short: rows x components.
constexpr std::size_t most_shares = 20'000;

enum class SplitKind : std::uint8_t { along, apart, around };
constexpr std::array split_kinds{SplitKind::along, SplitKind::apart, SplitKind::around};

struct Move {
    std::size_t from, to;  // the component that is dissolved, and the one that is split
    SplitKind kind;
    std::size_t rank;
};

// The rows of the sample and the components they belong to.
class Places {
public:
    Places(const Classifier& model, const LookedAt& looked)
        : sample_(looked.sample),
          count_(model.class_count()),
          points_(Embedding(model.schema(), looked).points(looked.sample)),
          joint_(sample_.size(), count_),
          best_(sample_.size()),
          second_(sample_.size()) {}

    Result<void> look(const Classifier& model, const Block& rows, const Context& context) {
        ScoreSink sink;
        sink.form = ScoreSink::Form::log_joint;
        sink.scores = joint_.values.data();
        sink.stride = static_cast<std::ptrdiff_t>(count_);
        if (auto scored = model.score(rows, sink, context); !scored) return scored;
        for (std::size_t row = 0; row < best_.size(); ++row) {
            const auto own = joint_.row(row);
            const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(own) - own.begin());
            std::size_t second = best == 0 ? 1 : 0;
            for (std::size_t c = 0; c < count_; ++c)
                if (c != best && own[c] > own[second]) second = c;
            best_[row] = static_cast<std::int32_t>(best), second_[row] = static_cast<std::int32_t>(second);
        }
        return {};
    }

    // Those first that lose little and split what holds much.
    std::vector<Move> moves() const {
        std::vector<double> loss(count_), weight(count_);
        for (std::size_t row = 0; row < best_.size(); ++row) {
            const auto c = static_cast<std::size_t>(best_[row]);
            weight[c] += sample_.row_weight[row];
            loss[c] += sample_.row_weight[row] * (joint_(row, c) - joint_(row, static_cast<std::size_t>(second_[row])));
        }
        const auto rank_of = [&](const std::vector<double>& values, bool descending) {
            std::vector<std::size_t> order(count_), rank(count_);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
                return descending ? values[a] > values[b] : values[a] < values[b];
            });
            for (std::size_t at = 0; at < count_; ++at) rank[order[at]] = at;
            return rank;
        };
        const auto by_loss = rank_of(loss, false), by_weight = rank_of(weight, true);
        std::vector<Move> all;
        for (std::size_t from = 0; from < count_; ++from)
            for (std::size_t to = 0; to < count_; ++to)
                for (const SplitKind kind : split_kinds)
                    if (from != to) all.push_back({from, to, kind, by_loss[from] + by_weight[to]});
        std::ranges::stable_sort(all, {}, &Move::rank);
        if (all.size() > most_tried) all.resize(most_tried);
        return all;
    }

    // The component of each row after the move; empty: there is nothing to split.
    std::vector<std::int32_t> after(const Move& move) const {
        std::vector<std::int32_t> label(best_);
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < label.size(); ++row) {
            if (best_[row] == static_cast<std::int32_t>(move.to)) rows.push_back(row);
            if (best_[row] == static_cast<std::int32_t>(move.from)) label[row] = second_[row];
        }
        if (rows.size() < 4) return {};
        const auto half = split(rows, move);
        if (half.empty()) return {};
        for (std::size_t at = 0; at < rows.size(); ++at)
            if (half[at] == 1) label[rows[at]] = static_cast<std::int32_t>(move.from);
        return label;
    }

private:
    std::vector<std::int32_t> split(const std::vector<std::size_t>& rows, const Move& move) const {
        if (move.kind == SplitKind::around) {  // a core and what lies around it
            std::vector<double> density;
            for (const std::size_t row : rows) density.push_back(joint_(row, move.to));
            std::vector<double> sorted(density);
            std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
            std::vector<std::int32_t> half;
            for (const double each : density) half.push_back(each < sorted[sorted.size() / 2] ? 1 : 0);
            return half;
        }
        Matrix points(rows.size(), points_.column_count);
        std::vector<double> weight;
        for (std::size_t at = 0; at < rows.size(); ++at) {
            std::ranges::copy(points_.row(rows[at]), points.row(at).begin());
            weight.push_back(sample_.row_weight[rows[at]]);
        }
        return move.kind == SplitKind::along ? quantile_groups(points, weight, 2) : ward_groups(points, weight, 2);
    }

    const RowSample& sample_;
    std::size_t count_;
    Matrix points_, joint_;
    std::vector<std::int32_t> best_, second_;
};

// Components of few rows reach any likelihood by chance: those with a covariance of their own need some more rows than
// it.
bool is_sound(const MixtureFit& fit) {
    const Settings& settings = fit.model.state().settings;
    const bool own = settings.sharing != Sharing::all;
    const std::size_t least = needs_full_rank(shape_named(settings)) ? fit.model.schema().columns.size() + 4
                              : own                                  ? 4
                                                                     : 2;
    return fit.degenerate.empty() && std::ranges::min(fit.model.class_weight()) >= static_cast<double>(least) - 1e-6;
}

// Short runs from many places, of which the best are run to their end.
class Trials {
public:
    Trials(const ModelState& recipe, MemoryStream& stream, const MixtureSettings& settings, const Context& context)
        : recipe_(recipe), stream_(stream), settings_(settings), context_(context) {
        settings_.follow = false;
    }

    // A place that no component can start from, and a run that ends nowhere, are passed over.
    Result<void> try_from(const Result<Classifier>& first) {
        if (!first) return {};
        auto run = taken(*first, std::min(settings_.step_limit, trial_steps));
        if (!run) return run.error();
        if (*run) tried_.push_back(std::move(**run));
        return {};
    }
    Result<void> try_from(const std::vector<std::int32_t>& label) {
        return label.empty() ? Result<void>() : try_from(start_from_labels(recipe_, stream_, label, context_));
    }

    // None where nothing that was tried is better than what there is.
    Result<std::optional<MixtureFit>> best(const MixtureFit& now) {
        std::ranges::stable_sort(tried_, std::greater{}, [&](const MixtureFit& each) { return value(each); });
        if (tried_.size() > most_finished) tried_.erase(tried_.begin() + most_finished, tried_.end());
        std::optional<MixtureFit> best;
        for (const MixtureFit& each : tried_) {
            auto run = taken(each.model, settings_.step_limit);
            if (!run) return run.error();
            const double least = best ? value(*best) : value(now) + 1e-6 * now.weight;
            if (*run && value(**run) > least) best = std::move(**run);
        }
        tried_.clear();
        return best;
    }

private:
    double value(const MixtureFit& fit) const { return fit.objective(settings_.hard); }

    Result<std::optional<MixtureFit>> taken(const Classifier& first, std::size_t steps) {
        MixtureSettings limited = settings_;
        limited.step_limit = steps;
        auto run = continue_mixture(first, stream_, limited, context_);
        if (!run && run.error().kind == ErrorKind::cancelled) return run.error();
        if (!run || !is_sound(*run)) return std::optional<MixtureFit>();
        return std::optional(std::move(*run));
    }

    const ModelState& recipe_;
    MemoryStream& stream_;
    MixtureSettings settings_;
    const Context& context_;
    std::vector<MixtureFit> tried_;
};

}  // namespace

Result<std::vector<double>> moved_shares(const MixtureFit& best, const ModelState& recipe, const LookedAt& looked,
                                         const MixtureSettings& settings, const Context& context) {
    const RowSample& sample = looked.sample;
    const Schema& schema = recipe.statistic.schema;
    const std::size_t count = schema.classes.size();
    if (settings.start != MixtureStart::several || settings.step_limit < trial_steps || count < 2 ||
        sample.size() >= sample.limit || sample.size() * count > most_shares || sample.width != schema.columns.size() ||
        !best.degenerate.empty())
        return std::vector<double>();
    const Block rows = DenseBlock{
        sample.values.data(), Element::f64, sample.size(), sample.width, static_cast<std::ptrdiff_t>(sample.width), 1};
    MemoryStream stream({rows, {}, sample.row_weight, 0}, schema);
    Trials trials(recipe, stream, settings, context);
    for (std::size_t k = 0; k < further_starts; ++k)
        if (auto run =
                trials.try_from(start_mixture(recipe, stream, looked, settings.start, first_further + k, context));
            !run)
            return run.error();
    std::optional<MixtureFit> found;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        const MixtureFit& now = found ? *found : best;
        Places places(now.model, looked);
        if (auto seen = places.look(now.model, rows, context); !seen) return seen.error();
        for (const Move& move : places.moves())
            if (auto run = trials.try_from(places.after(move)); !run) return run.error();
        auto next = trials.best(now);
        if (!next) return next.error();
        if (!*next) break;
        found = std::move(*next);
    }
    if (!found) return std::vector<double>();
    const auto share = found->model.posteriors(rows, context);
    if (!share) return share.error();
    const std::size_t total = sample.number.back() + 1;
    std::vector<double> by_row(total * count);
    for (std::size_t at = 0; at < sample.size(); ++at)
        for (std::size_t c = 0; c < count; ++c) by_row[c * total + sample.number[at]] = (*share)(at, c);
    return by_row;
}

}  // namespace suffice
