// From class scores to posteriors, and the exponential and logarithm that this needs.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// In place: log joint -> posterior; log_evidence (may be nullptr) gets log sum_c exp(joint). Any finite scores and -inf
// are safe; a row of nothing but -inf becomes uniform with log evidence -inf. NaN in a row makes the whole row NaN.
void softmax(Tile tile, double* log_evidence);

// In place: log joint -> log posterior. A row of nothing but -inf becomes -log k.
void log_softmax(Tile tile, double* log_evidence);

// Of two classes, from the second's score less the first's: out[2 row] and out[2 row + 1] are what softmax gives.
void two_posteriors(const double* difference, std::size_t count, double* out);

// The class with the highest score of each row, the first of equals; NaN never wins, a row without numbers gives 0.
void argmax(Tile tile, std::int32_t* index);

// out[row * out_stride + class] = tile.
void transpose_out(Tile tile, double* out, std::ptrdiff_t out_stride);

// Relative error below 4e-16; results under 2.3e-308 become 0, above the range +inf.
void exp_in_place(double* values, std::size_t count);
// Relative error below 4e-16; log 0 = -inf, of negative numbers NaN.
void log_in_place(double* values, std::size_t count);

}  // namespace suffice::kernel
