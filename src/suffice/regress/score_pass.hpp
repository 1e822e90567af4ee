// Passes that look at the score of each row, which is the gradient of its log likelihood: the sum of their squares for
// robust errors, and Firth's correction of the gradient.
#pragma once
#include "suffice/regress/class_contrasts.hpp"
#include "suffice/regress/logistic.hpp"
#include "suffice/regress/logistic_pass.hpp"

namespace suffice {

// A square of numbers, or a row of them, that rows add to.
struct ScoreSums {
    double total = 0;
    std::vector<double> values;
    static constexpr auto fields = FieldTuple{field("total", &ScoreSums::total), field("values", &ScoreSums::values)};
    bool operator==(const ScoreSums&) const = default;

    double weight() const { return total; }
    void merge(const ScoreSums& from);
};

// B = sum of u s s' over rows, in contrasts: features first, bias last. s has the factor of the class in it; u is how
// often a row was seen, or the square of its weight where weights are importance.
struct ScoreSquarePass {
    using Statistic = ScoreSums;
    const LogisticRows* rows = nullptr;
    const ClassContrasts* contrasts = nullptr;
    std::vector<double> coefficient, bias;  // by class, as in LogisticPass
    std::vector<bool> fixed;                // of one block
    Link link = Link::logit;
    bool importance = false;

    std::size_t side() const { return contrasts->count() * (rows->centre.size() + 1); }
    ScoreSums empty() const { return {0, std::vector<double>(side() * side())}; }
    std::size_t footprint() const { return sizeof(double) * side() * side(); }
    Result<void> observe(ScoreSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

// The gradient of half the log determinant of the information in the coefficients by class (features first, bias last).
// With M_ab = z' (I^-1)_ab z of a row, by class, it is half of sum_ab M_ab dW_ab/da_c times z, W = diag(p) - p p': half
// of p_c (v_c - sum_a p_a v_a) with v_a = M_aa - 2 sum_b M_ab p_b. Of two classes that is h (1/2 - p) z.
struct FirthPass {
    using Statistic = ScoreSums;
    const LogisticRows* rows = nullptr;
    const ClassContrasts* contrasts = nullptr;
    std::vector<double> coefficient, bias;
    std::vector<bool> fixed;
    std::vector<double> inverse;  // of the information in contrasts

    ScoreSums empty() const { return {0, std::vector<double>(rows->class_count() * (rows->centre.size() + 1))}; }
    std::size_t footprint() const { return sizeof(double) * rows->class_count() * (rows->centre.size() + 1); }
    Result<void> observe(ScoreSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

static_assert(Pass<ScoreSquarePass> && Pass<FirthPass>);

}  // namespace suffice
