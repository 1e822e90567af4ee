// Columns of numbers looked up in a table: each value by itself, or in bins of equal width.
#pragma once
#include <memory>
#include <vector>

#include "suffice/score/scorer.hpp"

namespace suffice {

struct SteppedColumn {
    std::uint32_t column = 0;
    double width = 0;                      // of bins; 0: each value by itself
    std::vector<double> start = {};        // ascending
    std::vector<double> log_density = {};  // [place * classes + class]; the last line scores what is not there
};

std::unique_ptr<Scorer> stepped_scorer(std::vector<SteppedColumn> columns, std::size_t class_count);

// A share of exact zeros, and the others log-normal.
struct ZeroInflatedColumn {
    std::uint32_t column = 0;
    std::vector<double> zero, log_mean, log_variance;  // by class
};

std::unique_ptr<Scorer> zero_inflated_scorer(std::vector<ZeroInflatedColumn> columns, std::size_t class_count);

}  // namespace suffice
