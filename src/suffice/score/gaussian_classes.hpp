// Gaussian class-conditionals of several columns, in every structure: the parameters, and their scores.
//
//   log p(x | c) = -d/2 log 2 pi - 1/2 log|S_g| - 1/2 (x - m_c)' S_g^-1 (x - m_c),   g the group of class c
//
// Classes of one group share S_g, so between them the quadratic term cancels and the boundary is a plane. Under the
// posterior predictive the density is Student's t with the same quadratic form (Murphy 2007, sec. 8).
#pragma once
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

struct GaussianClasses {
    std::size_t dimension = 0;
    bool diagonal = false;                   // `shape` holds variances, else lower Cholesky factors
    std::vector<std::vector<double>> mean;   // by class
    std::vector<std::uint32_t> group;        // of each class
    std::vector<std::vector<double>> shape;  // by group: d variances, or the d x d factor of the covariance
    std::vector<double> degrees;             // by class, of Student's t; empty: Gaussian
    std::vector<double> stretch;             // by class: of the covariance, for Student's t; empty: one
    static constexpr auto fields =
        FieldTuple{field("dimension", &GaussianClasses::dimension), field("diagonal", &GaussianClasses::diagonal),
                   field("mean", &GaussianClasses::mean),           field("group", &GaussianClasses::group),
                   field("shape", &GaussianClasses::shape),         field("degrees", &GaussianClasses::degrees),
                   field("stretch", &GaussianClasses::stretch)};
    bool operator==(const GaussianClasses&) const = default;

    std::size_t class_count() const { return mean.size(); }
    std::size_t group_count() const { return shape.size(); }
    std::vector<double> covariance(std::size_t of_group) const;  // d x d
    std::vector<double> precision(std::size_t of_group) const;   // its inverse
    double log_determinant(std::size_t of_group) const;
    // Slow and exact, for complete x; long double because the square of a double may not be one.
    long double squared_distance(std::size_t of_class, std::span<const double> x) const;
    long double log_density(std::size_t of_class, std::span<const double> x) const;
    long double log_density_at(std::size_t of_class, long double squared_distance, double log_determinant) const;
    // Only the columns `present`.
    GaussianClasses marginal(std::span<const std::uint32_t> present) const;
    // Each column's share of -1/2 (x - m)' S^-1 (x - m): -1/2 z_j (S^-1 z)_j.
    std::vector<double> pulls(std::size_t of_class, std::span<const double> x) const;
};

// `columns` of the schema, in the order of the parameters. `centre`: where the numbers are small; any point near the
// data.
std::unique_ptr<Scorer> gaussian_scorer(std::vector<std::uint32_t> columns, GaussianClasses parameters);

}  // namespace suffice
