// A classifier that learns one row, scores the next, and forgets if it should.
#pragma once
#include <memory>
#include <span>

#include "suffice/model/classifier.hpp"
#include "suffice/part/online.hpp"

namespace suffice {

class OnlineClassifier {
public:
    // From a recipe or a fitted state; its columns, classes and levels are those it will know. `memory` in (0, 1]:
    // with each row learned all earlier ones keep this share of their weight; 1 forgets nothing.
    static Result<OnlineClassifier> from(ModelState state, double memory = 1);

    // One value per column of the schema, levels as codes, NaN where missing. On an Error nothing has changed.
    Result<void> learn(std::span<const double> row, std::size_t class_code, double weight = 1);
    // log p(class | row). A class without rows gets the smallest probability there is; before the first row all classes
    // are equal.
    Result<void> score(std::span<const double> row, std::span<double> log_posterior);
    Result<std::size_t> predict(std::span<const double> row);

    std::size_t class_count() const { return class_weight_.size(); }
    // The exact statistics of what has been learned and not forgotten: a state like any other, to be saved, merged or
    // made a Classifier of.
    ModelState state() const;

private:
    Result<void> check(std::span<const double> row) const;
    void add_priors(std::span<double> joint) const;

    ModelState state_;  // without what the Parts hold
    double memory_ = 1;
    double unit_ = 1;                   // what a row of weight one weighs by now
    std::vector<double> class_weight_;  // in those units
    double total_weight_ = 0;
    std::vector<double> fixed_prior_;  // empty: empirical
    std::vector<double> prior_rows_;   // of each class, beside its own
    std::vector<std::unique_ptr<OnlinePart>> parts_;
    std::vector<double> joint_;
};

}  // namespace suffice
