// Louis's identity: the information that is missing is the variance of the scores over the ways to fill holes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/log_probit.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/model/column_model_fit.hpp"
#include "suffice/model/completed_table.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_parameters = 1000;
constexpr double most_work = 4e10;  // products: some seconds

// A number given the indicators and the numbers before it.
struct NumberRegression {
    std::vector<double> coefficient, covariance;  // of the coefficients; 1 + indicators + numbers before
    double variance = 0;
};

NumberRegression regression_of(const ColumnMoments& moments, std::size_t z, std::size_t j) {
    const std::size_t q = 1 + z + j, side = moments.side;
    std::vector<double> factor(q * q), inverse_factor(q * q);
    NumberRegression made;
    for (std::size_t a = 0; a < q; ++a) {
        for (std::size_t b = 0; b < q; ++b)
            factor[a * q + b] = moments.squares[a * side + b] + (a == b && a > 0 && a <= z ? indicator_penalty : 0);
        made.coefficient.push_back(moments.squares[a * side + q]);
        if (a > z) factor[a * (q + 1)] *= 1 + 1e-9;  // as the covariance has it: no number follows from others wholly
    }
    made.variance = moments.squares[q * (side + 1)];
    const std::vector<double> right = made.coefficient;
    if (!factorize(factor, q)) return {};
    solve_factorized(factor, made.coefficient);
    for (std::size_t a = 0; a < q; ++a) made.variance -= right[a] * made.coefficient[a];
    made.variance = std::max(made.variance / moments.weight, 1e-9 * moments.squares[q * (side + 1)] / moments.weight);
    if (!(made.variance > 0)) return {};
    inverse(factor, q, inverse_factor);
    for (double& each : inverse_factor) each *= made.variance;
    made.covariance = std::move(inverse_factor);
    return made;
}

// Parameters of the regression and of the columns that holes move, and the derivative of a completed row's log
// likelihood in each.
class Scores {
public:
    // `covariance`: of the coefficients, were the completed rows all there is to know.
    Scores(const LogisticRegression& model, const CompletedTable& table, const std::vector<double>& class_factor,
           const std::vector<double>& covariance)
        : model_(model), table_(table), columns_(model.state().columns), factor_(class_factor) {
        z_ = columns_.indicator_count();
        add(covariance);
    }

    std::size_t size() const { return side_; }
    std::size_t coefficients() const { return (model_.class_count() - 1) * (model_.feature_count() + 1); }
    // Of all parameters, were the completed rows all there is to know.
    std::vector<double> complete_covariance() const {
        std::vector<double> all(side_ * side_);
        for (const auto& [first, block] : blocks_) {
            const std::size_t side = side_of(block);
            for (std::size_t i = 0; i < side; ++i)
                std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(i * side), side,
                            all.begin() + static_cast<std::ptrdiff_t>((first + i) * side_ + first));
        }
        return all;
    }

    // How many there would be with the columns' own.
    std::size_t size_with_columns(MovingColumns moving) const {
        std::size_t all = side_, before = 0;
        for (std::size_t h = 0; h < columns_.chain.size(); ++h) {
            const CategoryLink& link = columns_.chain[h];
            if (h >= moving.link) all += link.indicator_count() * (1 + before);
            before += link.indicator_count();
        }
        for (std::size_t j = moving.number; j < columns_.number.size(); ++j) all += 2 + z_ + j;
        return all;
    }

    Result<void> add_columns(MovingColumns moving, const Context& context) {
        indicators_ = indicators_of(columns_, table_.rows);
        for (std::size_t h = moving.link; h < columns_.chain.size(); ++h) {
            if (columns_.chain[h].code.size() < 2) continue;
            auto fit = fit_link(columns_, h, table_.rows, indicators_, Inference::always, context);
            if (!fit) return fit.error();
            if (fit->covariance.empty()) return Error("a category has too many levels");
            links_.push_back(h);
            add(std::move(fit->covariance));
        }
        moments_ = moments_of(columns_, table_.rows, indicators_);
        for (std::size_t j = moving.number; j < columns_.number.size(); ++j) {
            NumberRegression regression = regression_of(moments_, z_, j);
            if (regression.covariance.empty()) continue;  // it never changes
            add(regression.covariance);
            add({2 * regression.variance * regression.variance / moments_.weight});
            numbers_.emplace_back(j, std::move(regression));
        }
        return {};
    }

    // Of the ways of one row: ways x size().
    void write(std::size_t row, std::vector<double>& out) const {
        const std::size_t first = table_.first[row], n = table_.first[row + 1] - first;
        out.assign(n * side_, 0.0);
        write_coefficients(first, n, out);
        std::size_t at = coefficients();
        for (const std::size_t h : links_) at += write_link(h, first, n, at, out);
        for (const auto& [j, regression] : numbers_) at += write_number(j, regression, first, n, at, out);
    }

private:
    static std::size_t side_of(const std::vector<double>& square) {
        return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(square.size()))));
    }

    void add(std::vector<double> covariance) {
        const std::size_t side = side_of(covariance);
        blocks_.emplace_back(side_, std::move(covariance));
        side_ += side;
    }

    double value(std::size_t way, std::size_t column) const {
        return table_.rows.values[way * (table_.rows.values.size() / table_.rows.size()) + column];
    }

    void write_coefficients(std::size_t first, std::size_t n, std::vector<double>& out) const {
        const std::size_t k = model_.class_count(), d = model_.feature_count();
        std::vector<double> features, score(k);
        const kernel::Rows x = model_.state().features.rows_of(slice(table_.rows.block().rows, first, n), features);
        const LogisticParameter& parameter = model_.state().parameter;
        const auto y = static_cast<std::size_t>(table_.rows.labels[first]);
        const double root = std::sqrt(factor_[y]);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < k; ++c)
                score[c] = std::inner_product(x.row(i), x.row(i) + d,
                                              parameter.coefficient.begin() + static_cast<std::ptrdiff_t>(c * d),
                                              parameter.intercept[c]);
            to_residuals(y, score);
            for (std::size_t c = 1; c < k; ++c) {
                double* at = out.data() + i * side_ + (c - 1) * (d + 1);
                at[0] = root * score[c];
                for (std::size_t j = 0; j < d; ++j) at[j + 1] = root * score[c] * x.row(i)[j];
            }
        }
    }

    // The derivatives of log p(y | x) in the classes' scores.
    void to_residuals(std::size_t y, std::vector<double>& score) const {
        if (model_.state().settings.link == Link::probit) {
            const double a = score[1] - score[0];
            score[1] = y == 1 ? log_probit_slope(a) : -log_probit_slope(-a);
            return;
        }
        softmax(score);
        for (double& each : score) each = -each;
        score[y] += 1;
    }

    std::size_t write_link(std::size_t h, std::size_t first, std::size_t n, std::size_t at,
                           std::vector<double>& out) const {
        const CategoryLink& link = columns_.chain[h];
        std::size_t before = 0;
        for (std::size_t g = 0; g < h; ++g) before += columns_.chain[g].indicator_count();
        std::vector<double> share;
        for (std::size_t i = 0; i < n; ++i) {
            const double* z = indicators_.data() + (first + i) * z_;
            const auto place = link.place(value(first + i, link.column));
            if (!place) continue;
            link.log_shares({z, before}, share);
            for (std::size_t c = 1; c < link.code.size(); ++c) {
                const double residual = (*place == c ? 1.0 : 0.0) - std::exp(share[c]);
                double* to = out.data() + i * side_ + at + (c - 1) * (before + 1);
                to[0] = residual;
                for (std::size_t j = 0; j < before; ++j) to[j + 1] = residual * z[j];
            }
        }
        return link.indicator_count() * (before + 1);
    }

    std::size_t write_number(std::size_t j, const NumberRegression& regression, std::size_t first, std::size_t n,
                             std::size_t at, std::vector<double>& out) const {
        const std::size_t q = regression.coefficient.size();
        std::vector<double> x(q, 1.0);
        for (std::size_t i = 0; i < n; ++i) {
            std::copy_n(indicators_.begin() + static_cast<std::ptrdiff_t>((first + i) * z_), z_, x.begin() + 1);
            for (std::size_t l = 0; l < j; ++l)
                x[1 + z_ + l] = value(first + i, columns_.number[l]) - moments_.centre[l];
            double residual = value(first + i, columns_.number[j]) - moments_.centre[j];
            for (std::size_t a = 0; a < q; ++a) residual -= regression.coefficient[a] * x[a];
            double* to = out.data() + i * side_ + at;
            for (std::size_t a = 0; a < q; ++a) to[a] = residual * x[a] / regression.variance;
            to[q] = (residual * residual / regression.variance - 1) / (2 * regression.variance);
        }
        return q + 1;
    }

    const LogisticRegression& model_;
    const CompletedTable& table_;
    const ColumnModel& columns_;
    const std::vector<double>& factor_;
    std::size_t z_ = 0, side_ = 0;
    std::vector<double> indicators_;
    ColumnMoments moments_;
    std::vector<std::size_t> links_;
    std::vector<std::pair<std::size_t, NumberRegression>> numbers_;
    std::vector<std::pair<std::size_t, std::vector<double>>> blocks_;  // where each begins, and its covariance
};

// Sums over rows of the variance of the scores over ways, and of their squared means: lower triangles.
struct ScoreSums {
    std::vector<double> missing, outer;
};

ScoreSums sum_scores(const Scores& scores, const CompletedTable& table, const HeldRows& rows, bool importance,
                     bool robust) {
    const std::size_t side = scores.size();
    ScoreSums sums{std::vector<double>(side * side), std::vector<double>(robust ? side * side : 0)};
    std::vector<double> each, mean(side);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t first = table.first[row], n = table.first[row + 1] - first;
        if (n == 1 && !robust) continue;
        scores.write(row, each);
        std::ranges::fill(mean, 0.0);
        const auto share = [&](std::size_t i) { return table.rows.weights[first + i] / rows.weights[row]; };
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t a = 0; a < side; ++a) mean[a] += share(i) * each[i * side + a];
        const double weight = rows.weights[row];
        if (robust) kernel::self_product(1, side, importance ? weight * weight : weight, mean, 1, sums.outer);
        if (n == 1) continue;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t a = 0; a < side; ++a)
                each[i * side + a] = std::sqrt(share(i)) * (each[i * side + a] - mean[a]);
        kernel::self_product(n, side, weight, each, 1, sums.missing);
    }
    kernel::mirror_lower(sums.missing, side);
    if (robust) kernel::mirror_lower(sums.outer, side);
    return sums;
}

std::vector<double> product(kernel::Form a_form, kernel::Form b_form, const std::vector<double>& a,
                            const std::vector<double>& b, std::size_t side) {
    std::vector<double> all(side * side);
    kernel::multiply(a_form, b_form, side, side, side, 1, a, b, 0, all);
    return all;
}

std::vector<double> chosen(const std::vector<double>& square, std::size_t side, const std::vector<std::size_t>& which) {
    std::vector<double> some;
    for (const std::size_t i : which)
        for (const std::size_t j : which) some.push_back(square[i * side + j]);
    return some;
}

// (V^-1 - M)^-1 = L (1 - L' M L)^-1 L' with V = L L'. Empty: what is there does not determine the parameters.
std::vector<double> with_missing(std::vector<double> factor, const std::vector<double>& missing, std::size_t side) {
    using enum kernel::Form;
    if (!factorize(factor, side)) return {};
    std::vector<double> left = product(transposed, plain, factor, product(plain, plain, missing, factor, side), side);
    for (double& each : left) each = -each;
    for (std::size_t i = 0; i < side; ++i) left[i * (side + 1)] += 1;
    if (!factorize(left, side)) return {};
    std::vector<double> middle(side * side);
    inverse(left, side, middle);
    return product(plain, transposed, product(plain, plain, factor, middle, side), factor, side);
}

}  // namespace

Result<std::vector<double>> covariance_with_holes(const LogisticRegression& model, const CompletedTable& table,
                                                  const HeldRows& rows, MovingColumns moving,
                                                  const std::vector<double>& class_factor,
                                                  const std::vector<double>& completed, std::vector<Note>& notes,
                                                  const Context& context) {
    Scores scores(model, table, class_factor, completed);
    const auto all = static_cast<double>(scores.size_with_columns(moving));
    if (all <= most_parameters && all * all * static_cast<double>(table.rows.size()) <= most_work) {
        if (auto added = scores.add_columns(moving, context); !added) return added.error();
    } else {
        notes.push_back("standard errors take the model of the missing columns as known: it has too many parameters");
    }
    const LogisticSettings& settings = model.state().settings;
    const ScoreSums sums = sum_scores(scores, table, rows, settings.importance, settings.is_robust());
    const std::size_t side = scores.size(), told = scores.coefficients();
    const std::vector<double> complete = scores.complete_covariance();
    std::vector<std::size_t> free;  // what is given, or cannot be estimated, has no variance
    for (std::size_t i = 0; i < side; ++i)
        if (complete[i * (side + 1)] > 0) free.push_back(i);
    std::vector<double> found =
        with_missing(chosen(complete, side, free), chosen(sums.missing, side, free), free.size());
    if (found.empty()) {
        notes.push_back("standard errors are not known: what is there does not determine all coefficients");
        return std::vector<double>{};
    }
    if (settings.is_robust()) {
        using enum kernel::Form;
        const std::vector<double> outer = chosen(sums.outer, side, free);
        found = product(plain, plain, found, product(plain, plain, outer, found, free.size()), free.size());
    }
    std::vector<double> covariance(told * told);
    for (std::size_t i = 0; i < free.size(); ++i)
        for (std::size_t j = 0; j < free.size(); ++j)
            if (free[i] < told && free[j] < told) covariance[free[i] * told + free[j]] = found[i * free.size() + j];
    return covariance;
}

}  // namespace suffice
