// Rows scored tile by tile on several threads, into arrays of the form that Python asks for.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "core/arrays.hpp"

#include "suffice/kernel/rows.hpp"

namespace suffice::python {

struct TileScratch {
    std::vector<double> joint, gathered;
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> row_start;
    std::vector<std::uint32_t> columns;
};

// Adds the scores of rows first_row, first_row + 1, ... to a tile that starts as zeros; false: a value that no score is
// known for.
using AddScores = std::function<bool(std::size_t first_row, kernel::Tile joint, TileScratch& scratch)>;

struct RowsToScore {
    std::size_t row_count = 0, class_count = 0;
    std::uint64_t work = 0;   // bytes to read, or as many as would take as long: what threads are worth
    bool difference = false;  // of two classes: tiles have one line, the second class's score less the first's, which
                              // is written, not added
};

// (scores or codes of classes, whether all of them were finite); form: "posterior", "log_posterior", "joint" or "best".
nb::tuple score_tiles(const RowsToScore& rows, const std::string& form, int threads, const AddScores& add);

// bias + weight . x of sparse rows, given as (row starts, columns, values, column count) with indices of 32 or 64 bits;
// by_column: weight is columns x classes and read where it lies, else classes x columns.
nb::tuple sparse_affine_scores(const nb::tuple& parts, std::span<const double> weight, std::span<const double> bias,
                               const std::string& form, bool by_column, int threads);

// The same of two classes, of which the second has the log odds bias + weight . x.
nb::tuple sparse_logit_scores(const nb::tuple& parts, std::span<const double> weight, double bias,
                              const std::string& form, int threads);

}  // namespace suffice::python
