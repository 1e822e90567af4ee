// Adds up rows of a table, chosen by code: the scores of a document from its words' log probabilities; and adds to
// them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace suffice::kernel {

inline constexpr std::size_t row_step = 8;  // rows are this many doubles, or a multiple: whole cache lines
inline constexpr std::size_t row_width(std::size_t count) { return (count + row_step - 1) / row_step * row_step; }

// sums[j] += sum over k of weight[k] * rows[code[k] * width + j], j < width; no weights: ones. Rows and sums may lie
// anywhere, but rows of whole cache lines (a row_width) that start on one are read fastest. `following` codes lie after
// the last one: their rows, which are wanted next, are fetched ahead.
void add_rows(const double* rows, std::size_t width, std::span<const std::uint32_t> code,
              std::span<const double> weight, double* sums, std::size_t following = 0);

// The transpose: rows[code[k] * width + j] += weight[k] * values[j]; `width` is a row_width.
void add_to_rows(double* rows, std::size_t width, std::span<const std::uint32_t> code, std::span<const double> weight,
                 const double* values);

}  // namespace suffice::kernel
