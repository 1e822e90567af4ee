// Puts calibrated posteriors in place of a model's own.
#include "suffice/model/calibrated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/kernel/softmax.hpp"
#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

struct CalibratedTile {
    std::vector<double> posteriors, evidence;
};

double log_of(double posterior) { return std::log(std::max(posterior, std::numeric_limits<double>::min())); }

}  // namespace

std::unique_ptr<Predictor> CalibratedPredictor::under_priors(std::vector<double> log_prior) const {
    return std::make_unique<CalibratedPredictor>(model_->under_priors(std::move(log_prior)), calibration_);
}

Result<void> CalibratedPredictor::score_tile(const Block& rows, kernel::Tile joint, Exactness exactness,
                                             Workspace& workspace, std::uint64_t first_row) const {
    if (auto scored = model_->score_tile(rows, joint, exactness, workspace, first_row); !scored) return scored;
    auto& scratch = workspace.of<CalibratedTile>();
    scratch.evidence.resize(joint.row_count);
    scratch.posteriors.resize(joint.row_count * joint.class_count);
    kernel::softmax(joint, scratch.evidence.data());
    kernel::transpose_out(joint, scratch.posteriors.data(), static_cast<std::ptrdiff_t>(joint.class_count));
    if (auto applied = calibration_.apply(scratch.posteriors, joint.class_count); !applied) return applied;
    for (std::size_t c = 0; c < joint.class_count; ++c)
        for (std::size_t row = 0; row < joint.row_count; ++row)
            joint.of_class(c)[row] = log_of(scratch.posteriors[row * joint.class_count + c]) + scratch.evidence[row];
    return {};
}

Explanation CalibratedPredictor::contributions(const Block& rows, std::size_t row) const {
    Explanation told = model_->contributions(rows, row);
    std::vector<double> joint = told.intercept;
    for (const auto& term : told.terms)
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += term.by_class[c];
    std::vector<double> posterior = joint;
    const double evidence = normalize_exp(posterior);
    if (!calibration_.apply(posterior, posterior.size())) return told;
    for (std::size_t c = 0; c < joint.size(); ++c) told.intercept[c] += log_of(posterior[c]) + evidence - joint[c];
    return told;
}

}  // namespace suffice
