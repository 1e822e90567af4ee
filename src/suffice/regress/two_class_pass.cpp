// Row by row: the sums of a probit.
#include "suffice/regress/two_class_pass.hpp"

#include <numeric>

#include "suffice/math/log_probit.hpp"

namespace suffice {
namespace {

struct TwoClassScratch {
    std::vector<double> features, weight, z;
    std::vector<std::int32_t> code;
};

// visit(z, score, whether the class is the second, weight) for each labelled row; z has a one behind the features.
template <class Visit>
void for_each_row(const LogisticRows& rows, const std::vector<double>& coefficient, double bias,
                  const LabeledBlock& unit, const Schema& names, Workspace& workspace, Visit&& visit) {
    auto& scratch = workspace.of<TwoClassScratch>();
    if (!rows.label(unit, names, scratch.code, scratch.weight)) return;
    const std::size_t d = rows.centre.size();
    scratch.z.assign(d + 1, 1.0);
    for (std::size_t row = 0; row < unit.size(); ++row) {
        if (scratch.code[row] < 0) continue;
        const kernel::Rows x = rows.features.rows_of(slice(unit.rows, row, 1), scratch.features);
        for (std::size_t j = 0; j < d; ++j) scratch.z[j] = x.row(0)[j] - rows.centre[j];
        const double score = std::inner_product(coefficient.begin(), coefficient.end(), scratch.z.begin(), bias);
        visit(scratch.z, score, scratch.code[row] == 1, scratch.weight.empty() ? 1.0 : scratch.weight[row]);
    }
}

// - d^2/da^2 log Phi(a) for the row's own class, or the mean of it over both classes: phi^2 / (Phi(a) Phi(-a)).
double own_curvature(double toward_own, Information information) {
    const double slope = log_probit_slope(toward_own);
    return information == Information::observed ? slope * (toward_own + slope) : slope * log_probit_slope(-toward_own);
}

}  // namespace

LogisticSums ProbitPass::empty() const {
    const std::size_t d = coefficient.size();
    LogisticSums sums;
    sums.gradient.resize(2 * d);
    sums.bias_gradient.resize(2);
    sums.pair_weight.resize(1);
    sums.pair_sum.resize(d);
    sums.pair_scatter.resize(d * d);
    return sums;
}

std::size_t ProbitPass::footprint() const {
    return sizeof(double) * (coefficient.size() + 3) * (coefficient.size() + 1);
}

Result<void> ProbitPass::observe(LogisticSums& into, const LabeledBlock& unit, const Schema& names,
                                 Workspace& workspace) const {
    const std::size_t d = coefficient.size();
    for_each_row(*rows, coefficient, bias, unit, names, workspace,
                 [&](const std::vector<double>& z, double score, bool second, double weight) {
                     const double side = second ? 1 : -1, own = side * score;
                     into.total += weight;
                     into.loss -= weight * log_probit(own);
                     const double slope = -weight * side * log_probit_slope(own);
                     into.bias_gradient[0] -= slope;
                     into.bias_gradient[1] += slope;
                     const double bend = weight * own_curvature(own, information);
                     into.pair_weight[0] += bend;
                     for (std::size_t i = 0; i < d; ++i) {
                         into.gradient[i] -= slope * z[i];
                         into.gradient[d + i] += slope * z[i];
                         into.pair_sum[i] += bend * z[i];
                         double* line = into.pair_scatter.data() + i * d;
                         const double share = bend * z[i];
                         for (std::size_t j = 0; j <= i; ++j) line[j] += share * z[j];
                     }
                 });
    return {};
}

}  // namespace suffice
