// The arrays that scores are written into, by the form that Python asks for.
#pragma once
#include <string>

#include "core/arrays.hpp"

#include "suffice/model/predictor.hpp"

namespace suffice::python {

// "best", "log_evidence", "joint", "score" (the same without what all classes share), "log_posterior" or "posterior".
class ScoreArrays {
public:
    ScoreArrays(const std::string& form, std::size_t row_count, std::size_t class_count);
    ScoreSink sink(std::size_t first_row = 0) const;  // for the rows from there on
    nb::object result() const { return best_.is_valid() ? nb::cast(best_) : nb::cast(numbers_); }

private:
    Array<double> numbers_;
    Array<std::int32_t> best_;
    ScoreSink sink_;
};

}  // namespace suffice::python
