// Covariances of several classes that share some of volume, shape and orientation: S_k = l_k D_k A_k D_k' with |A_k|
// = 1. The three letters of a structure say of volume l, shape A and orientation D whether they are equal (E), vary (V)
// or are the axes (I). Celeux and Govaert (1995), "Gaussian parsimonious clustering models"; the names are mclust's.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "suffice/estimate/settings.hpp"

namespace suffice {

// Those that are neither full, diagonal nor spherical, own or pooled. Settings name one as the only group of classes.
enum class Parsimonious : std::uint8_t { vei, evi, vee, eve, vve, eev, vev, evv };
template <>
inline constexpr std::array<std::string_view, 8> enum_names<Parsimonious>{"VEI", "EVI", "VEE", "EVE",
                                                                          "VVE", "EEV", "VEV", "EVV"};
std::optional<Parsimonious> parsimonious_structure(const Settings& settings);

// Free numbers in the covariances of so many classes.
std::size_t covariance_parameter_count(Parsimonious structure, std::size_t class_count, std::size_t dimension);

// The covariances that maximise the likelihood of scatters W_k (d x d) about the means of classes with these weights:
// -1/2 sum of (n_k log |S_k| + trace S_k^-1 W_k). Structures that do not end in I.
std::vector<std::vector<double>> parsimonious_covariances(Parsimonious structure, std::span<const double> weight,
                                                          std::span<const std::vector<double>> scatter,
                                                          std::size_t dimension);

// The same of VEI and EVI, from the diagonals of the scatters, all positive.
std::vector<std::vector<double>> parsimonious_variances(Parsimonious structure, std::span<const double> weight,
                                                        std::span<const std::vector<double>> scatter);

}  // namespace suffice
