// Rows and documents drawn from a model, the same for every surface.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suffice/model/predictor.hpp"

namespace suffice {

struct DrawnRow {
    std::size_t of_class = 0;
    SampledRow row = {};
};

// Depends on the seed and the row's number alone. Without a class one is drawn by the priors.
DrawnRow draw_row(const Predictor& model, std::uint64_t seed, std::uint64_t row,
                  std::optional<std::size_t> of_class = {});

std::string document_text(const std::vector<std::uint32_t>& words, const std::vector<std::string>& vocabulary);

}  // namespace suffice
