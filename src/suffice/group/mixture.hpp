// EM over the same Parts. Components take the place of classes, and a label only narrows which
// components a row may belong to. So one learner is a Gaussian mixture (no labels), mixture
// discriminant (several components per class) and semi-supervised fitting (one per class, some
// labels unknown); the M-step is the estimator of the labelled model.
#pragma once
#include "suffice/accumulate/fold.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

// Rules out the components of other classes, where a row's class is known.
void narrow_to_labels(const LabeledBlock& unit, std::size_t first, const std::vector<std::int32_t>& class_of,
                      kernel::Tile joint);

// E-step and statistics in one read: responsibilities live for one tile.
struct SharedRows {
    using Statistic = ModelStatistic;
    Classifier current;
    std::vector<std::int32_t> class_of;  // of each component
    double unlabeled_weight = 1;         // of a row without a label
    bool hard = false;                   // each row counts for its best component alone (Celeux and Govaert, 1992)

    ModelStatistic empty() const { return current.state().statistic.blank(); }
    std::size_t footprint() const { return current.state().statistic.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const;
};

// Where EM starts, and which components a row of a known class may belong to.
struct Mixture {
    Classifier first;
    std::vector<std::int32_t> class_of;  // of each component
    double unlabeled_weight = 1;         // of a row without a label

    SharedRows pass(const Classifier& current) const { return {current, class_of, unlabeled_weight}; }
    Result<Classifier> step(const Classifier& current, ModelStatistic gathered) const;
};

// Each component starts as the whole data, pulled half way to one of the seed rows. Any Part can do this.
Result<Classifier> spread_start(ModelState recipe, Stream& stream, const Block& seeds, const Context& context);

}  // namespace suffice
