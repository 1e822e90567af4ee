// The pass of softmax regression on very many features, most of them absent in a row: scores, and either loss and
// gradient or the product of the Hessian with a direction. Nothing is as large as the square of the features.
#pragma once
#include <limits>

#include "suffice/kernel/text_rows.hpp"
#include "suffice/regress/logistic_pass.hpp"

namespace suffice {

// Parameters lie feature by feature, with the biases as one feature more; the scores of a feature are padded to whole
// cache lines. Two classes have one score, that of the second.
struct WideShape {
    std::size_t class_count = 0, feature_count = 0;

    std::size_t score_count() const { return class_count == 2 ? 1 : class_count; }
    std::size_t width() const { return score_count() == 1 ? 1 : kernel::row_width(score_count()); }
    std::size_t size() const { return (feature_count + 1) * width(); }
    std::size_t bias() const { return feature_count * width(); }  // where the biases start
};

struct WideSums {
    double total = 0;
    double loss = 0;
    double least_margin = std::numeric_limits<double>::infinity();  // of a row's own class over the best other one
    std::vector<double> doubt;                                      // of each score: sum of w p (1 - p)
    std::vector<double> gradient;                                   // or the Hessian times the direction
    static constexpr auto fields = FieldTuple{field("total", &WideSums::total), field("loss", &WideSums::loss),
                                              field("least_margin", &WideSums::least_margin),
                                              field("doubt", &WideSums::doubt), field("gradient", &WideSums::gradient)};
    bool operator==(const WideSums&) const = default;

    double weight() const { return total; }
    void merge(const WideSums& from);
};

struct WidePass {
    using Statistic = WideSums;
    const LogisticRows* rows = nullptr;
    WideShape shape;
    const double* theta = nullptr;
    const double* direction = nullptr;  // null: loss and gradient

    WideSums empty() const;
    std::size_t footprint() const { return shape.size() * sizeof(double); }
    Result<void> observe(WideSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

static_assert(Pass<WidePass>);

}  // namespace suffice
