// Sweeps over rows in random order, each moving one row's probabilities to where they agree with its scores.
#include "suffice/regress/logistic_dual.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/base/random.hpp"
#include "suffice/kernel/text_rows.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_dual_sweeps = 12;
constexpr std::size_t parts = 4;  // of a sweep, each followed by a step of the biases

struct SparseRow {
    std::span<const std::uint32_t> column;
    std::span<const double> value;
    std::int32_t code = 0;
    double weight = 1, length = 0;  // length: squared
};

Result<std::vector<SparseRow>> rows_of(LogisticProblem& problem) {
    std::vector<SparseRow> all;
    auto units = problem.units_in_memory();
    if (!units) return units.error();
    for (const LabeledBlock& unit : *units) {
        const auto* sparse = std::get_if<SparseBlock>(&unit.rows);
        std::vector<std::int32_t> code;
        std::vector<double> weight;
        Schema names;
        names.classes = problem.rows.classes;
        if (sparse == nullptr || sparse->value.empty() || !problem.rows.label(unit, names, code, weight)) return all;
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (code[row] < 0) continue;
            const auto first = static_cast<std::size_t>(sparse->row_start[row]);
            const std::size_t count = static_cast<std::size_t>(sparse->row_start[row + 1]) - first;
            SparseRow made{sparse->column.subspan(first, count), sparse->value.subspan(first, count), code[row],
                           weight.empty() ? 1.0 : weight[row], 0};
            for (double x : made.value) made.length += x * x;
            if (made.weight > 0) all.push_back(made);
        }
    }
    return all;
}

// One row's Newton step toward a = softmax(score - (a - before) q): with p = softmax(score) and H = diag p - p p',
// (I + q H) step = p - before, by Sherman and Morrison.
void newton_step(std::span<const double> p, std::span<const double> before, double q, std::span<double> step) {
    double along = 0, size = 0;
    for (std::size_t c = 0; c < p.size(); ++c) {
        const double scale = 1 / (1 + q * p[c]);
        step[c] = (p[c] - before[c]) * scale;
        along += p[c] * step[c];
        size += p[c] * scale;  // 1 - q sum p^2 / (1 + q p)
    }
    const double factor = q * along / size;
    for (std::size_t c = 0; c < p.size(); ++c) step[c] += factor * p[c] / (1 + q * p[c]);
}

// p of each class from its scores; of two classes the first has none, and its score is 0.
void posteriors_of(const std::vector<double>& score, std::size_t scores, std::vector<double>& p) {
    const std::size_t skipped = p.size() - scores;
    double largest = skipped == 1 ? 0 : score[0], total = 0;
    for (std::size_t c = 0; c < scores; ++c) largest = std::max(largest, score[c]);
    for (std::size_t c = 0; c < p.size(); ++c)
        total += p[c] = std::exp((c < skipped ? 0 : score[c - skipped]) - largest);
    for (double& each : p) each /= total;
}

}  // namespace

Result<std::size_t> dual_sweeps(LogisticProblem& problem, const WideShape& shape, std::vector<double>& theta) {
    auto found = rows_of(problem);
    if (!found) return found.error();
    const std::vector<SparseRow>& rows = *found;
    if (rows.empty()) return std::size_t{0};
    const std::size_t k = shape.class_count, m = shape.score_count(), width = shape.width(), skipped = k - m;
    const double penalty = problem.settings.penalty;
    std::vector<double> agreed(rows.size() * k);
    for (std::size_t row = 0; row < rows.size(); ++row) agreed[row * k + static_cast<std::size_t>(rows[row].code)] = 1;
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    Rng rng(1, "dual");
    std::vector<double> score(width), p(k), step(k), change(width);
    // Biases are not in the dual: their gradient is the sum of a - y, and theirs is a Newton step of their own.
    std::vector<double> gap(k), doubt(k), doubt_so_far(k);
    const auto step_biases = [&] {
        for (std::size_t c = 0; c < m && problem.settings.intercept; ++c)
            if (doubt[c + skipped] > 0) theta[shape.bias() + c] -= gap[c + skipped] / doubt[c + skipped];
    };
    // How far a row's probabilities may be, on average, from what its scores say.
    const double settled = static_cast<double>(rows.size()) * std::max(1e-6, 10 * problem.settings.gradient_tolerance);
    const std::size_t most = std::min<std::size_t>(most_dual_sweeps, (problem.settings.step_limit + 1) / 2);
    std::size_t sweep = 0;
    for (bool far = true; far && sweep < most; ++sweep) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(rng.uniform() * static_cast<double>(i))]);
        double distance = 0;
        std::ranges::fill(doubt_so_far, 0.0);
        for (std::size_t turn = 0; turn < order.size(); ++turn) {
            const SparseRow& row = rows[order[turn]];
            const std::span<double> before(agreed.data() + order[turn] * k, k);
            std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(shape.bias()), width, score.begin());
            if (m == 1)
                for (std::size_t e = 0; e < row.column.size(); ++e) score[0] += row.value[e] * theta[row.column[e]];
            else
                kernel::add_rows(theta.data(), width, row.column, row.value, score.data());
            posteriors_of(score, m, p);
            // Two classes share one score, so that a step moves their log odds once, not twice.
            newton_step(p, before, row.weight * row.length / penalty / (m == 1 ? 2 : 1), step);
            for (std::size_t c = 0; c < k; ++c) {
                distance += std::abs(step[c]);
                before[c] += step[c];
                gap[c] += row.weight * step[c];
                doubt_so_far[c] += row.weight * p[c] * (1 - p[c]);
            }
            for (std::size_t c = 0; c < m; ++c) change[c] = -row.weight * step[c + skipped] / penalty;
            if (m == 1)
                for (std::size_t e = 0; e < row.column.size(); ++e) theta[row.column[e]] += change[0] * row.value[e];
            else
                kernel::add_to_rows(theta.data(), width, row.column, row.value, change.data());
            if (sweep > 0 && (turn + 1) % (order.size() / parts + 1) == 0) step_biases();
        }
        doubt = doubt_so_far;
        step_biases();
        far = distance > settled;
    }
    return sweep;
}

}  // namespace suffice
