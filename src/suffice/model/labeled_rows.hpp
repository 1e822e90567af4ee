// The pass over rows whose classes are known: one statistic for a whole model.
#pragma once
#include "suffice/base/workspace.hpp"
#include "suffice/model/model_statistic.hpp"

namespace suffice {

struct LabeledRows {
    using Statistic = ModelStatistic;
    ModelStatistic blank;

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const;
};

}  // namespace suffice
