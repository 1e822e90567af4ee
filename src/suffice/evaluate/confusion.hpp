// The confusion matrix, a mergeable statistic, and every measure that is a function of it alone.
//
// What scikit-learn answers under zero_division=nan: a measure whose denominator is zero is undefined, hence an empty
// optional, and a macro or weighted average is taken over the classes where the measure is defined.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/evaluate/interval.hpp"

namespace suffice {

using Defined = std::optional<double>;  // empty: the measure is undefined on these rows

class Confusion {
public:
    explicit Confusion(std::size_t class_count = 0);

    // decision -1: the row was rejected; it counts for coverage and cost only.
    void observe(std::size_t truth, std::int32_t decision, double weight);
    void merge(const Confusion& from);
    bool operator==(const Confusion&) const = default;

    std::size_t class_count() const { return class_count_; }
    double weight() const;  // decided and rejected rows
    double decided_weight() const;
    double at(std::size_t truth, std::size_t decision) const { return cells_[truth * class_count_ + decision]; }
    double truth_weight(std::size_t truth) const;  // decided rows of the class
    double decision_weight(std::size_t decision) const;
    double rejected_weight(std::size_t truth) const { return rejected_[truth]; }
    double right_weight() const;

private:
    std::size_t class_count_ = 0;
    std::vector<double> cells_;     // truth x decision
    std::vector<double> rejected_;  // by truth

public:
    static constexpr auto fields =
        FieldTuple{field("class_count", &Confusion::class_count_), field("cells", &Confusion::cells_),
                   field("rejected", &Confusion::rejected_)};
};

struct Averaged {
    std::vector<Defined> per_class;
    Defined macro, micro, weighted;
};

struct Majority {
    std::size_t class_code = 0;
    double accuracy = 0;
};

// Over the decided rows; coverage is their share of all.
struct LabelScores {
    Defined coverage, accuracy, error, balanced_accuracy, matthews, cohen_kappa;
    std::optional<Interval> error_interval;  // Wilson, 95 %, row weights read as counts
    Averaged precision, recall, f1;
    std::optional<Majority> majority;  // the classifier that always answers the most frequent class
};

LabelScores label_scores(const Confusion& confusion);

// (1 + b^2) TP / (b^2 (TP + FN) + TP + FP): recall counts b times as much as precision.
Result<Averaged> f_beta(const Confusion& confusion, double beta);

// Mean of cost[truth][decision] over the rows: classes x classes row-major, or classes x (classes + 1) where the last
// column is the cost of rejecting. Without that column no row may have been rejected.
Result<Defined> expected_cost(const Confusion& confusion, std::span<const double> cost);

}  // namespace suffice
