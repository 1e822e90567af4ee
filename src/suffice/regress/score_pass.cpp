// Row by row: squares of scores, and Firth's correction.
#include "suffice/regress/score_pass.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/math/log_probit.hpp"

namespace suffice {
namespace {

struct ScoreScratch {
    std::vector<double> features, weight, z, score, posterior, own, spread, quadratic;
    std::vector<std::int32_t> code;
};

// visit(row of the unit, class, z) for each labelled row; z has a one behind the features and zeros at what is given,
// scratch.score what the classes score.
template <class Visit>
void for_each_score(const LogisticRows& rows, const std::vector<double>& coefficient, const std::vector<double>& bias,
                    const std::vector<bool>& fixed, const LabeledBlock& unit, const Schema& names,
                    ScoreScratch& scratch, Visit&& visit) {
    if (!rows.label(unit, names, scratch.code, scratch.weight)) return;
    const std::size_t d = rows.centre.size(), k = rows.class_count();
    scratch.z.assign(d + 1, 1.0);
    scratch.score.resize(k);
    for (std::size_t row = 0; row < unit.size(); ++row) {
        if (scratch.code[row] < 0) continue;
        const kernel::Rows x = rows.features.rows_of(slice(unit.rows, row, 1), scratch.features);
        for (std::size_t j = 0; j < d; ++j) scratch.z[j] = x.row(0)[j] - rows.centre[j];
        for (std::size_t c = 0; c < k; ++c) {
            scratch.score[c] = bias[c];
            for (std::size_t j = 0; j < d; ++j) scratch.score[c] += coefficient[c * d + j] * scratch.z[j];
        }
        for (std::size_t j = 0; j <= d; ++j) scratch.z[j] = fixed[j] ? 0 : j == d ? 1.0 : scratch.z[j];
        visit(row, static_cast<std::size_t>(scratch.code[row]));
        scratch.z[d] = 1;
    }
}

void soften_scores(const std::vector<double>& score, std::vector<double>& posterior) {
    const double most = *std::ranges::max_element(score);
    double sum = 0;
    posterior.resize(score.size());
    for (std::size_t c = 0; c < score.size(); ++c) sum += posterior[c] = std::exp(score[c] - most);
    for (double& p : posterior) p /= sum;
}

// d log p(own | x) / d score, by class.
void slopes(Link link, std::size_t own, ScoreScratch& scratch) {
    scratch.own.assign(scratch.score.size(), 0.0);
    if (link == Link::probit) {
        const double toward = (own == 1 ? 1 : -1) * (scratch.score[1] - scratch.score[0]);
        const double slope = log_probit_slope(toward);
        scratch.own[own] = slope;
        scratch.own[1 - own] = -slope;
        return;
    }
    soften_scores(scratch.score, scratch.posterior);
    for (std::size_t c = 0; c < scratch.own.size(); ++c) scratch.own[c] = (c == own ? 1 : 0) - scratch.posterior[c];
}

}  // namespace

void ScoreSums::merge(const ScoreSums& from) {
    total += from.total;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += from.values[i];
}

Result<void> ScoreSquarePass::observe(ScoreSums& into, const LabeledBlock& unit, const Schema& names,
                                      Workspace& workspace) const {
    auto& scratch = workspace.of<ScoreScratch>();
    const std::size_t width = rows->centre.size() + 1, all = side();
    std::vector<double> s(all);
    for_each_score(*rows, coefficient, bias, fixed, unit, names, scratch, [&](std::size_t row, std::size_t own) {
        slopes(link, own, scratch);
        const double seen = unit.weight_of(row);
        const double factor = rows->class_weight.empty() ? 1 : rows->class_weight[own];
        into.total += seen;
        for (std::size_t f = 0; f < contrasts->count(); ++f) {
            double slope = 0;
            for (std::size_t c = 0; c < scratch.own.size(); ++c) slope += (*contrasts)(c, f) * scratch.own[c];
            for (std::size_t j = 0; j < width; ++j) s[f * width + j] = factor * slope * scratch.z[j];
        }
        const double count = importance ? seen * seen : seen;
        for (std::size_t i = 0; i < all; ++i) {
            const double share = count * s[i];
            if (share == 0) continue;
            double* line = into.values.data() + i * all;
            for (std::size_t j = 0; j < all; ++j) line[j] += share * s[j];
        }
    });
    return {};
}

Result<void> FirthPass::observe(ScoreSums& into, const LabeledBlock& unit, const Schema& names,
                                Workspace& workspace) const {
    auto& scratch = workspace.of<ScoreScratch>();
    const std::size_t width = rows->centre.size() + 1, k = rows->class_count(), free = contrasts->count();
    const std::size_t side = free * width;
    scratch.spread.resize(k * k);
    for_each_score(*rows, coefficient, bias, fixed, unit, names, scratch, [&](std::size_t row, std::size_t) {
        const std::vector<double>& z = scratch.z;
        const double weight = scratch.weight.empty() ? 1.0 : scratch.weight[row];
        into.total += weight;
        soften_scores(scratch.score, scratch.posterior);
        scratch.quadratic.assign(free * free, 0.0);  // z' (I^-1)_fg z
        for (std::size_t f = 0; f < free; ++f)
            for (std::size_t g = 0; g <= f; ++g) {
                double sum = 0;
                for (std::size_t i = 0; i < width; ++i) {
                    if (z[i] == 0) continue;
                    const double* line = inverse.data() + (f * width + i) * side + g * width;
                    double along = 0;
                    for (std::size_t j = 0; j < width; ++j) along += line[j] * z[j];
                    sum += z[i] * along;
                }
                scratch.quadratic[f * free + g] = scratch.quadratic[g * free + f] = sum;
            }
        for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = 0; b < k; ++b) {
                double sum = 0;
                for (std::size_t f = 0; f < free; ++f)
                    for (std::size_t g = 0; g < free; ++g)
                        sum += (*contrasts)(a, f) * (*contrasts)(b, g) * scratch.quadratic[f * free + g];
                scratch.spread[a * k + b] = sum;
            }
        const std::vector<double>& p = scratch.posterior;
        double middle = 0;
        scratch.own.resize(k);
        for (std::size_t a = 0; a < k; ++a) {
            scratch.own[a] = scratch.spread[a * (k + 1)];
            for (std::size_t b = 0; b < k; ++b) scratch.own[a] -= 2 * scratch.spread[a * k + b] * p[b];
            middle += p[a] * scratch.own[a];
        }
        for (std::size_t c = 0; c < k; ++c) {
            const double pull = weight / 2 * p[c] * (scratch.own[c] - middle);
            for (std::size_t j = 0; j < width; ++j) into.values[c * width + j] += pull * z[j];
        }
    });
    return {};
}

}  // namespace suffice
