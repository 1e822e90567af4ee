// Makes arrays for scores and says where each row goes.
#include "core/score_arrays.hpp"

namespace suffice::python {

ScoreArrays::ScoreArrays(const std::string& form, std::size_t row_count, std::size_t class_count) {
    if (form == "best") {
        best_ = new_array<std::int32_t>({row_count});
        sink_.best = best_.data();
    } else if (form == "log_evidence") {
        numbers_ = new_array<double>({row_count});
        sink_.log_evidence = numbers_.data();
    } else {
        numbers_ = new_array<double>({row_count, class_count});
        sink_.scores = numbers_.data();
        sink_.stride = static_cast<std::ptrdiff_t>(class_count);
        sink_.plain = form == "score";
        sink_.form = form == "joint" || sink_.plain ? ScoreSink::Form::log_joint
                     : form == "log_posterior"      ? ScoreSink::Form::log_posterior
                                                    : ScoreSink::Form::posterior;
    }
}

ScoreSink ScoreArrays::sink(std::size_t first_row) const {
    ScoreSink part = sink_;
    if (part.best != nullptr) part.best += first_row;
    if (part.log_evidence != nullptr) part.log_evidence += first_row;
    if (part.scores != nullptr) part.scores += static_cast<std::ptrdiff_t>(first_row) * part.stride;
    return part;
}

}  // namespace suffice::python
