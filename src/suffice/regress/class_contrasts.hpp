// Softmax scores of k classes mean the same when a constant is added to all of them, so k - 1 contrasts are estimated:
// theta_c = sum_f Q_cf phi_f, where the columns of Q are orthonormal and sum to zero (Helmert). Lengths are kept, so a
// penalty on phi is the penalty on theta, and no class is singled out. A penalty that is no length, such as the sum of
// magnitudes, tells the k-th parameter apart: then Q is the identity.
#pragma once
#include <span>
#include <vector>

#include "suffice/regress/logistic_pass.hpp"

namespace suffice {

class ClassContrasts {
public:
    explicit ClassContrasts(std::size_t class_count, bool by_class = false);

    std::size_t class_count() const { return class_count_; }
    std::size_t count() const { return q_.size() / class_count_; }
    double operator()(std::size_t c, std::size_t f) const { return q_[c * count() + f]; }

    // By class (class_count x width) from contrasts (count x width), and the transpose of that map.
    std::vector<double> to_classes(std::span<const double> phi, std::size_t width) const;
    std::vector<double> to_contrasts(std::span<const double> theta, std::size_t width) const;

    // Hessian of the loss in phi, whose blocks are features first, bias last; both triangles.
    std::vector<double> hessian(const LogisticSums& sums, std::size_t feature_count) const;

private:
    std::size_t class_count_;
    std::vector<double> q_;
};

}  // namespace suffice
