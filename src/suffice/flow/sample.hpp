// Rows drawn from a model, as CSV that fit reads back.
#pragma once
#include <cstdint>
#include <optional>

#include "suffice/flow/predict.hpp"

namespace suffice {

struct SampleOptions {
    std::uint64_t count = 1;
    std::optional<std::size_t> of_class = {};  // else by the class priors
    std::uint64_t seed = 0;
};

// Row r depends on the seed and on r alone.
Result<void> sample(const Model& model, const SampleOptions& options, const TextSink& sink);

}  // namespace suffice
