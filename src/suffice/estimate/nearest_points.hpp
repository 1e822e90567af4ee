// The nearest points as class-conditionals, and what scorers of points share.
#pragma once
#include <memory>
#include <vector>

#include "suffice/estimate/points.hpp"

namespace suffice {

// The columns of one row.
std::vector<double> row_of(const Block& block, std::size_t row, const std::vector<std::uint32_t>& columns);
Result<void> check_finite(std::span<const double> row, const std::vector<std::uint32_t>& columns);

// `neighbours`: how many points are looked at, one of weight two counting twice.
std::unique_ptr<Scorer> nearest_scorer(std::vector<std::uint32_t> columns, const std::vector<ClassPoints>& by_class,
                                       double neighbours, Units units);

}  // namespace suffice
