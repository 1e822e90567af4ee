// What one pass of softmax regression gathers: loss, gradient and, where asked for, curvature. Also the pass before the
// first step, which finds the discriminant's statistic to start from, and the one that looks for separation.
//
//   p(c | x) = exp(a_c) / sum_e exp(a_e), a_c = bias_c + coefficient_c . (x - centre), loss = - sum w log p(label | x)
#pragma once
#include <limits>

#include "suffice/accumulate/class_scatter.hpp"
#include "suffice/accumulate/fold.hpp"
#include "suffice/encode/features.hpp"

namespace suffice {

// What stays the same from pass to pass.
struct LogisticRows {
    Features features;
    std::vector<std::string> classes;
    std::vector<std::string> columns;  // names, for messages
    std::vector<double> class_weight;  // factor on the weight of a row, by class; empty: one
    std::vector<double> centre;        // by feature
    bool wide = false;  // so many features that nothing of their square is ever kept; sparse rows are read as such

    std::size_t class_count() const { return classes.size(); }
    // Codes of the classes as the model names them, and weights with the class's factor in them (none: ones). False:
    // nothing is labelled.
    bool label(const LabeledBlock& unit, const Schema& names, std::vector<std::int32_t>& code,
               std::vector<double>& weight) const;
};

struct LogisticSums {
    double total = 0;  // weight
    double loss = 0;
    std::vector<double> gradient;       // classes x features, of the coefficients
    std::vector<double> bias_gradient;  // classes
    // Of each pair of classes e < c, (c (c - 1) / 2 + e)-th: sum of w p_c p_e, times z, times z z' (lower triangle).
    std::vector<double> pair_weight, pair_sum, pair_scatter;
    static constexpr auto fields = FieldTuple{field("total", &LogisticSums::total),
                                              field("loss", &LogisticSums::loss),
                                              field("gradient", &LogisticSums::gradient),
                                              field("bias_gradient", &LogisticSums::bias_gradient),
                                              field("pair_weight", &LogisticSums::pair_weight),
                                              field("pair_sum", &LogisticSums::pair_sum),
                                              field("pair_scatter", &LogisticSums::pair_scatter)};
    bool operator==(const LogisticSums&) const = default;

    double weight() const { return total; }
    void merge(const LogisticSums& from);
};

struct LogisticPass {
    using Statistic = LogisticSums;
    const LogisticRows* rows = nullptr;
    std::vector<double> coefficient;  // classes x features
    std::vector<double> bias;         // classes
    bool with_curvature = false;

    LogisticSums empty() const;
    std::size_t footprint() const;
    Result<void> observe(LogisticSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;

private:
    void add_curvature(LogisticSums& into, kernel::Rows z, const double* weight, const std::int32_t* code,
                       Workspace& workspace) const;
    // The same sums along the entries that sparse rows have: in logistic_sparse_pass.cpp.
    void observe_sparse(LogisticSums& into, const SparseBlock& block, const double* weight,
                        const std::int32_t* code) const;
};

// Are the rows so thin that sums along their entries cost less than filling them in?
bool is_thin(const LogisticRows& rows, const Block& block);
// Of thin rows, by sums of squares about zero; an empty statistic where that would lose digits.
ClassScatterStatistic sparse_moments(const SparseBlock& block, std::size_t class_count, const std::int32_t* code,
                                     const double* weight);

// Weight and mean of each class, and the scatter within classes; wide: of each column its sum of squares only.
struct FeatureMoments {
    ClassScatterStatistic scatter;
    std::vector<double> square;
    static constexpr auto fields =
        FieldTuple{field("scatter", &FeatureMoments::scatter), field("square", &FeatureMoments::square)};
    bool operator==(const FeatureMoments&) const = default;

    double weight() const { return scatter.weight(); }
    void merge(const FeatureMoments& from);
};

// The first pass: it also refuses rows that cannot be regressed on, so that later passes need not look.
struct MomentPass {
    using Statistic = FeatureMoments;
    const LogisticRows* rows = nullptr;

    FeatureMoments empty() const;
    std::size_t footprint() const;
    Result<void> observe(FeatureMoments& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const;
};

// How far every row's own class scores above each other class: the least and the most over all rows and classes.
struct Margins {
    double total = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    static constexpr auto fields =
        FieldTuple{field("total", &Margins::total), field("least", &Margins::least), field("most", &Margins::most)};
    bool operator==(const Margins&) const = default;

    double weight() const { return total; }
    void merge(const Margins& from);
    // Moving along these scores never lowers the likelihood: it has no maximum.
    bool separate() const { return total > 0 && most > 0 && least >= -1e-6 * most; }
};

struct MarginPass {
    using Statistic = Margins;
    const LogisticRows* rows = nullptr;
    std::vector<double> coefficient, bias;  // as in LogisticPass

    Margins empty() const { return {}; }
    std::size_t footprint() const { return sizeof(Margins); }
    Result<void> observe(Margins& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

static_assert(Pass<LogisticPass> && Pass<MomentPass> && Pass<MarginPass>);

}  // namespace suffice
