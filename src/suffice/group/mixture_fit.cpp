// Runs EM from several starts and measures what comes out.
#include "suffice/group/mixture_fit.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "suffice/group/degenerate.hpp"
#include "suffice/group/mixture_moves.hpp"
#include "suffice/group/mixture_steps.hpp"
#include "suffice/group/step_limit_note.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr std::size_t usual_starts = 10;

// What a model makes of rows: their likelihood, and how surely they belong.
struct Measured {
    double total_weight = 0, log_likelihood = 0, log_classified = 0;
    static constexpr auto fields =
        FieldTuple{field("total_weight", &Measured::total_weight), field("log_likelihood", &Measured::log_likelihood),
                   field("log_classified", &Measured::log_classified)};
    bool operator==(const Measured&) const = default;
    double weight() const { return total_weight; }
    void merge(const Measured& from) {
        total_weight += from.total_weight;
        log_likelihood += from.log_likelihood;
        log_classified += from.log_classified;
    }
};

// How much each row belongs to each component, found once where rows lie in parts.
struct Shares {
    std::vector<double> of_rows;
    static constexpr auto fields = FieldTuple{field("of_rows", &Shares::of_rows)};
};

// The best of all starts, and what moves of its components make of it where that is better.
Result<MixtureFit> moved_on(MixtureFit best, const ModelState& recipe, Stream& stream, const LookedAt& looked,
                            const MixtureSettings& settings, const Context& context) {
    const auto moved = once<Shares>(stream.rounds(), [&]() -> Result<Shares> {
        auto shares = moved_shares(best, recipe, looked, settings, context);
        if (!shares) return shares.error();
        return Shares{std::move(*shares)};
    });
    if (!moved) return moved.error();
    if (moved->of_rows.empty()) return best;
    const auto first = start_from_shares(recipe, stream, moved->of_rows, context);
    if (!first) return first.error();
    auto tried = continue_mixture(*first, stream, settings, context);
    if (!tried) return tried.error();
    return tried->better_than(best, settings.hard) ? std::move(*tried) : std::move(best);
}

struct MeasureScratch {
    std::vector<double> evidence;
};

struct MeasureRows {
    using Statistic = Measured;
    const Classifier& model;
    const Mixture& learner;

    Measured empty() const { return {}; }
    std::size_t footprint() const { return sizeof(Measured); }
    Result<void> observe(Measured& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& evidence = workspace.of<MeasureScratch>().evidence;
        return model.for_each_tile(unit.rows, Exactness::density, workspace, unit.first_row,
                                   [&](std::size_t first, const Block&, kernel::Tile joint) {
                                       narrow_to_labels(unit, first, learner.class_of, joint);
                                       evidence.resize(joint.row_count);
                                       kernel::log_softmax(joint, evidence.data());
                                       for (std::size_t row = 0; row < joint.row_count; ++row) {
                                           const double share =
                                               unit.label_of(first + row) < 0 ? learner.unlabeled_weight : 1;
                                           const double weight = unit.weight_of(first + row) * share;
                                           double best = joint.of_class(0)[row];
                                           for (std::size_t c = 1; c < joint.class_count; ++c)
                                               best = std::max(best, joint.of_class(c)[row]);
                                           into.total_weight += weight;
                                           into.log_likelihood += weight * evidence[row];
                                           into.log_classified += weight * best;
                                       }
                                   });
    }
};

}  // namespace

Result<void> MixtureSettings::check() const {
    const auto usage = [](const char* sentence) { return Error(ErrorKind::usage, sentence); };
    if (step_limit == 0) return usage("the limit of steps must be at least 1");
    if (!(tolerance >= 0)) return usage("the tolerance must be zero or a positive number");
    return {};
}

double MixtureFit::bic() const {
    return -2 * log_likelihood + static_cast<double>(model.parameter_count()) * std::log(weight);
}

double MixtureFit::aic() const { return -2 * log_likelihood + 2 * static_cast<double>(model.parameter_count()); }

std::vector<std::string> component_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < count; ++c) names.push_back(std::to_string(c));
    return names;
}

Result<ModelState> mixture_recipe(Recipe components, Schema schema, std::size_t count) {
    if (count == 0) return Error(ErrorKind::usage, "the number of components must be at least 1");
    schema.classes = component_names(count);
    schema.target.clear();
    if (components.settings.estimate == Estimate::automatic) components.settings.estimate = Estimate::likelihood;
    components.settings.units =
        Units::raw;  // components share no scale, and a singular one is not mended by the others
    auto state = make_state(components, schema);
    if (state) state->model = "mixture";
    return state;
}

Result<MixtureFit> continue_mixture(const Classifier& first, Stream& stream, const MixtureSettings& settings,
                                    const Context& context) {
    std::vector<std::int32_t> own(first.class_count());
    std::iota(own.begin(), own.end(), 0);
    return continue_mixture(Mixture{first, own}, stream, settings, context);
}

Result<MixtureFit> continue_mixture(const Mixture& learner, Stream& stream, const MixtureSettings& settings,
                                    const Context& context) {
    if (auto checked = settings.check(); !checked) return checked.error();
    auto steps = mixture_steps(learner, stream, settings.hard, context);
    if (!steps) return steps.error();
    auto taken = run_steps(**steps, settings, context);
    if (!taken) return taken.error();
    auto model = (*steps)->model();
    if (!model) return model.error();
    MixtureFit done{std::move(*model)};
    done.steps = taken->steps;
    done.settled = taken->settled;
    done.path = std::move(taken->path);
    done.followed = std::move(taken->followed);
    if (settings.follow) done.followed.push_back(group_step(done.model));
    if (auto again = stream.rewind(); !again) return again.error();
    const auto measured = fold(MeasureRows{done.model, learner}, stream, context);
    if (!measured) return measured.error();
    done.log_likelihood = measured->log_likelihood;
    done.log_classified = measured->log_classified;
    done.weight = measured->total_weight;
    done.notes = done.model.notes();
    done.degenerate = degenerate_components(done.model);
    if (!done.degenerate.empty()) done.notes = {degenerate_note(done.model, done.degenerate)};
    if (!done.settled) {
        const double last = done.objective(settings.hard) - done.path.back();
        done.notes.push_back(step_limit_note("EM", settings.step_limit,
                                             settings.hard ? "the classification likelihood per row still rose"
                                                           : "the log-likelihood per row still rose",
                                             last / done.weight));
    }
    return done;
}

bool MixtureFit::better_than(const MixtureFit& other, bool hard) const {
    if (degenerate.empty() != other.degenerate.empty()) return degenerate.empty();
    return objective(hard) > other.objective(hard);
}

Result<MixtureFit> fit_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked,
                               const MixtureSettings& settings, const Context& context) {
    if (auto checked = settings.check(); !checked) return checked.error();
    const std::size_t count = recipe.statistic.schema.classes.size();
    if (looked.sample.size() < count)
        return Error("there are " + std::to_string(looked.sample.size()) + " rows, too few for " +
                     std::to_string(count) + " components");
    if (settings.start != MixtureStart::random_shares)
        if (auto enough = check_distinct(recipe.statistic.schema, looked, count); !enough) return enough.error();
    std::size_t starts = settings.starts;
    if (starts == 0) starts = looked.sample.size() < looked.sample.limit ? usual_starts : 1;
    if (count == 1) starts = 1;
    std::optional<MixtureFit> best;
    std::optional<Error> failure;
    for (std::size_t attempt = 0; attempt < starts; ++attempt) {
        const auto first = start_mixture(recipe, stream, looked, settings.start, attempt, context);
        auto tried = first ? continue_mixture(*first, stream, settings, context) : Result<MixtureFit>(first.error());
        if (!tried) {
            if (tried.error().kind == ErrorKind::cancelled || tried.error().kind == ErrorKind::io) return tried.error();
            failure = tried.error();
        } else if (!best || tried->better_than(*best, settings.hard)) {
            best = std::move(*tried);
        }
    }
    if (!best) return *failure;
    if (starts > 1 && settings.moves) return moved_on(std::move(*best), recipe, stream, looked, settings, context);
    return std::move(*best);
}

Result<MixtureFit> fit_mixture(const ModelState& recipe, Stream& stream, const MixtureSettings& settings,
                               const Context& context) {
    const auto looked = look_at_rows(stream, recipe.statistic.schema, {}, context);
    if (!looked) return looked.error();
    return fit_mixture(recipe, stream, *looked, settings, context);
}

Result<MixtureFit> fit_from_labels(const ModelState& recipe, Stream& stream, std::span<const std::int32_t> label_of,
                                   const MixtureSettings& settings, const Context& context) {
    const std::size_t count = recipe.statistic.schema.classes.size();
    std::vector<std::size_t> rows(count);
    for (const auto label : label_of) {
        if (label >= static_cast<std::int32_t>(count))
            return Error(ErrorKind::usage, "the start has a group " + std::to_string(label) + ", and there are " +
                                               std::to_string(count) + ", numbered from 0");
        if (label >= 0) ++rows[static_cast<std::size_t>(label)];
    }
    for (std::size_t c = 0; c < count; ++c)
        if (rows[c] == 0) return Error(ErrorKind::usage, "no row starts in group " + std::to_string(c));
    const auto first = start_from_labels(recipe, stream, label_of, context);
    if (!first) return first.error();
    return continue_mixture(*first, stream, settings, context);
}

Result<std::vector<double>> log_densities(const Classifier& model, const Block& rows, const Context& context) {
    std::vector<double> evidence(row_count(rows));
    ScoreSink sink;
    sink.log_evidence = evidence.data();
    if (auto scored = model.score(rows, sink, context); !scored) return scored.error();
    return evidence;
}

MixtureSample sample_mixture(const Classifier& model, std::size_t count, Rng& rng) {
    MixtureSample drawn{Matrix(count, model.schema().columns.size()), std::vector<std::int32_t>(count)};
    std::vector<double> share;
    for (double log_share : model.log_prior()) share.push_back(std::exp(log_share));
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t component = sample_index(share, rng);
        drawn.component[row] = static_cast<std::int32_t>(component);
        const auto values = model.sample(component, rng).values;
        std::copy(values.begin(), values.end(), drawn.rows.row(row).begin());
    }
    return drawn;
}

}  // namespace suffice
