// Rows with a class code each and perhaps a weight, as Python gives them.
#pragma once
#include "core/arrays.hpp"

#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"

namespace suffice::python {

// Holds the arrays that `labeled` views, and raises where they differ in number.
class LabeledArgument {
public:
    LabeledArgument(nb::handle rows, nb::handle codes, nb::handle weights)
        : rows_(rows),
          codes_(codes),
          weights_(weights),
          labeled_{rows_.block(), codes_.codes("codes"), weights_.doubles("weights"), 0} {
        if (labeled_.label.size() != labeled_.size() ||
            (!labeled_.weight.empty() && labeled_.weight.size() != labeled_.size()))
            throw Exception(Error("rows, labels and weights differ in number"));
    }
    const LabeledBlock& labeled() const { return labeled_; }

private:
    RowsArgument rows_;
    Buffer codes_;
    OptionalNumbers weights_;
    LabeledBlock labeled_;
};

}  // namespace suffice::python
