// Densities of a row under the Gaussians estimated without it, from the statistics of all rows.
//
// Taking row x of weight w out of class c changes its mean and, by rank one, its scatter:
//   m_c - w / (n_c - w) (x - m_c),   S_c - a (x - m_c)(x - m_c)',   a = n_c w / (n_c - w),
// so every covariance B that is estimated from it becomes B - r (x - m_c)(x - m_c)' + t I (t only where it is shrunk
// toward the identity). Inverse and determinant follow from a factor of B, or from its eigenbasis, by the identities
// of Sherman and Morrison: O(classes x d^2) per row, and nothing is factorised again (Friedman 1989, sec. 6).
#pragma once
#include <span>
#include <vector>

#include "suffice/accumulate/class_scatter.hpp"
#include "suffice/estimate/settings.hpp"
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

class GaussianLeaveOneOut {
public:
    // Is there a closed form? Else the Gaussians must be estimated again for each row.
    static bool applies(const Settings& settings);

    // Rows are best taken class after class: what is prepared serves all rows of one class and weight.
    GaussianLeaveOneOut(const ClassScatterStatistic& seen, std::vector<std::uint32_t> group_of_class,
                        const Settings& settings);

    // Adds log p(x | class) to each entry. False, and nothing is added: without this row a covariance is singular, or
    // so nearly that the estimate would put a floor under it.
    bool add(std::span<const double> x, std::size_t of_class, double weight, std::span<long double> joint);

private:
    // B, ready to measure distances.
    struct Basis {
        std::vector<double> directions;   // the Cholesky factor, or the eigenvectors in rows
        std::vector<double> eigenvalues;  // empty: Cholesky
        double log_determinant = 0;       // under Cholesky
        double trace = 0;                 // of the covariance before it is shrunk
        double lowest = 0, largest = 1;   // their ratio bounds pivot / variance from below; 0: singular
    };
    struct Distances {
        double to_mean = 0, cross = 0, removed = 0;  // products under B^-1
        double log_determinant = 0;
    };

    void prepare(std::size_t of_class, double weight);
    std::vector<double> covariance(std::size_t group) const;
    double divisor(std::size_t group) const;
    bool is_lifted() const { return lifted_ > 0 || added_ > 0; }
    Basis make_basis(std::vector<double> covariance) const;
    Distances distances(const Basis& basis, double lift, std::vector<double> to_mean,
                        std::vector<double> removed) const;

    const ClassScatterStatistic& seen_;
    const Settings& settings_;
    GaussianClasses shape_;  // groups, degrees and stretch of the densities; no means
    std::size_t d_;
    bool conjugate_;
    double kept_ = 1, lifted_ = 0, added_ = 0;  // covariance -> kept * covariance + (lifted * trace / d + added) * I
    std::vector<std::vector<double>> scatter_;  // by group

    std::size_t class_ = ~std::size_t{0};  // for rows of which the following is prepared
    double weight_ = 0;
    std::vector<double> class_weight_, group_weight_;  // without the row
    std::vector<double> group_size_;
    std::vector<Basis> basis_;   // by group
    std::vector<double> share_;  // by group: of the class's scatter in its covariance
};

}  // namespace suffice
