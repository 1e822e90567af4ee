// The plain meaning of every numeric kernel, one loop each: the truth that the vector code is tested against.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/count.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel::reference {

void class_moments(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square);
void shared_moments(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* square);

void class_scatter(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* scatter);
void shared_scatter(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* scatter);

void affine_scores(Rows rows, const double* centre, const double* weight, const double* bias, Tile joint);
void diagonal_scores(Rows rows, const double* centre, const double* scale, const double* offset, const double* bias,
                     Tile joint);
// factor: k x rank x d; with rank == d only the lower triangle is read when `triangular`.
void quadratic_scores(Rows rows, const double* centre, std::size_t rank, bool triangular, const double* factor,
                      const double* offset, const double* bias, Tile joint);
void table_scores(Codes codes, const std::int32_t* level_count, const double* const* table, Tile joint);

void softmax(Tile tile, double* log_evidence);
void log_softmax(Tile tile, double* log_evidence);
void argmax(Tile tile, std::int32_t* index);

std::size_t class_level_counts(Codes codes, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts);
std::size_t level_codes(Rows rows, const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride);

}  // namespace suffice::kernel::reference
