// Settings by the words that users write and read for them, each list in the order of its enumeration.
#pragma once
#include <array>
#include <string_view>

namespace suffice {

inline constexpr std::array<std::string_view, 4> estimate_names{"likelihood", "unbiased", "map", "predictive"};
inline constexpr std::array<std::string_view, 5> shrinkage_names{"none", "fixed", "oas", "ledoit_wolf", "auto"};
inline constexpr std::array<std::string_view, 4> keep_names{"automatic", "per_class", "pooled", "diagonal"};
inline constexpr std::array<std::string_view, 3> class_prior_names{"empirical", "uniform", "given"};
inline constexpr std::array<std::string_view, 4> kind_names{"number", "flag", "category", "text"};
inline constexpr std::array<std::string_view, 3> document_length_names{"none", "poisson", "negative_binomial"};
inline constexpr std::array<std::string_view, 2> ngram_smoothing_names{"witten_bell", "kneser_ney"};

template <class Names, class Enumerator>
constexpr std::string_view name_of(const Names& names, Enumerator value) {
    return names[static_cast<std::size_t>(value)];
}

}  // namespace suffice
