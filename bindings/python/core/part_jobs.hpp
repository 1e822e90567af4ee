// A job is a dict that any process may be sent, with all that a fit must know beside its rows: target, model, settings,
// families, exclude, weight; of groups and comparisons what they ask more.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/flow/lead_rounds.hpp"

namespace suffice::python {

FitOptions options_of(const nanobind::dict& job);
// Of jobs that look for groups: k, covariance, starts, steps, tolerance, hard.
std::optional<ClusterOptions> groups_of(const nanobind::dict& job);
// Of jobs that compare models: models, folds, repeats, nested.
std::optional<CompareOptions> comparison_of(const nanobind::dict& job);
// What the first pass, or a look, makes of the columns. Of several models: what `naming` of the job has settled.
FitOptions naming_options_of(const nanobind::dict& job);
RoundsJob rounds_job(ModelFile blank, const nanobind::dict& job);
std::uint64_t seed_of(const nanobind::dict& job);

}  // namespace suffice::python
