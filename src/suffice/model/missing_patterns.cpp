// Shares out memory for patterns, and completes Parts with holes.
#include "suffice/model/missing_patterns.hpp"

#include <algorithm>

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/estimate/completion.hpp"
#include "suffice/part/complete_by_passes.hpp"

namespace suffice {
namespace {

// Files are decoded once where they are small enough. A stream that knows its units has its rows in memory already.
Result<std::unique_ptr<Stream>> hold_file(Stream& stream, const Context& context) {
    if (stream.unit_count() != 0) return std::unique_ptr<Stream>{};
    auto held = HeldStream::hold(stream, context);
    if (held) return held;
    Error why = held.error();
    why.message = passes_text(Passes::missing_patterns) + ", so each step of EM reads the rows again: " + why.message;
    return why;
}

}  // namespace

void limit_patterns(ModelStatistic& lane, const ModelStatistic& recipe, std::size_t lanes) {
    std::size_t room = CovariancePart::most_pattern_bytes;
    for (const Part& part : recipe.parts)
        if (const auto* covariance = part.as<CovariancePart>()) room = std::min(room, covariance->room.bytes);
    for (Part& part : lane.parts)
        if (auto* covariance = part.as<CovariancePart>()) covariance->room.bytes = room / lanes;
}

bool keeps_all_patterns(const ModelStatistic& statistic) {
    return std::ranges::none_of(statistic.parts, [](const Part& part) {
        const auto* covariance = part.as<CovariancePart>();
        return covariance != nullptr && covariance->unkept > 0;
    });
}

Result<ModelState> complete_by_passes(ModelState state, Stream& stream, const Context& context) {
    const Schema& schema = state.statistic.schema;
    double correction = 0;  // from the likelihood of completed rows to that of what is there
    Passes passes = Passes::missing_patterns;
    const auto held = hold_file(stream, context);
    if (!held) return held.error();
    Stream& rows = *held ? **held : stream;
    for (Part& part : state.statistic.parts) {
        const auto* covariance = part.as<CovariancePart>();
        if (covariance == nullptr || covariance->unkept == 0) continue;
        auto completed = complete_by_passes(*covariance, state.settings, schema, rows, context);
        if (!completed) return completed.error();
        if (!completed->settled) passes = Passes::unsettled_patterns;
        part = Part(std::move(completed->part));
        const auto estimated = part.estimate(state.settings, schema);
        if (!estimated) return estimated.error();
        correction += completed->log_likelihood - estimated->log_likelihood;
    }
    const auto model = Classifier::from(state);
    if (!model) return model.error();
    state.statistic.log_likelihood = model->log_likelihood() + correction;
    state.passes = passes;
    return state;
}

Result<ModelStatistic> fill_holes(ModelStatistic rows, const Settings& settings, const ModelStatistic* before) {
    for (std::size_t p = 0; p < rows.parts.size(); ++p) {
        const auto* part = rows.parts[p].as<CovariancePart>();
        if (part == nullptr || !part->has_holes() || part->unkept > 0) continue;
        if (auto possible = part->check_holes(settings); !possible) return possible.error();
        const auto* earlier = before == nullptr ? nullptr : before->parts[p].as<CovariancePart>();
        GaussianClasses expected;
        if (earlier == nullptr) {
            expected = available_cases(columns_present(part->complete, part->incomplete));
        } else {
            auto estimated = gaussians_of(*earlier, settings, before->schema, Telling::parameters);
            if (!estimated) return estimated.error();
            expected = std::move(estimated->parameters);
        }
        const Completion completion(std::move(expected));
        auto others = completion.none();
        completion.add(part->incomplete, others);
        CovariancePart filled = part->blank();
        filled.refused = part->refused;
        filled.complete = completion.all_rows(part->complete, std::move(others));
        rows.parts[p] = Part(std::move(filled));
    }
    return rows;
}

}  // namespace suffice
