// Maps between classes and contrasts, for parameters, gradients and Hessians.
#include "suffice/regress/class_contrasts.hpp"

#include <cmath>

namespace suffice {

ClassContrasts::ClassContrasts(std::size_t class_count, bool by_class)
    : class_count_(class_count), q_(class_count * (by_class ? class_count : class_count - 1)) {
    if (by_class) {
        for (std::size_t c = 0; c < class_count; ++c) q_[c * (class_count + 1)] = 1;
        return;
    }
    for (std::size_t f = 0; f < count(); ++f) {
        const double before = static_cast<double>(f + 1), norm = std::sqrt(before * (before + 1));
        for (std::size_t c = 0; c <= f; ++c) q_[c * count() + f] = -1 / norm;
        q_[(f + 1) * count() + f] = before / norm;
    }
}

std::vector<double> ClassContrasts::to_classes(std::span<const double> phi, std::size_t width) const {
    std::vector<double> theta(class_count_ * width);
    for (std::size_t c = 0; c < class_count_; ++c)
        for (std::size_t f = 0; f < count(); ++f)
            if (const double q = (*this)(c, f); q != 0)
                for (std::size_t j = 0; j < width; ++j) theta[c * width + j] += q * phi[f * width + j];
    return theta;
}

std::vector<double> ClassContrasts::to_contrasts(std::span<const double> theta, std::size_t width) const {
    std::vector<double> phi(count() * width);
    for (std::size_t c = 0; c < class_count_; ++c)
        for (std::size_t f = 0; f < count(); ++f)
            if (const double q = (*this)(c, f); q != 0)
                for (std::size_t j = 0; j < width; ++j) phi[f * width + j] += q * theta[c * width + j];
    return phi;
}

// The Hessian by class is the sum over pairs of (u_c - u_e)(u_c - u_e)' (x) S_ce, with S_ce the sum of w p_c p_e z z'.
std::vector<double> ClassContrasts::hessian(const LogisticSums& sums, std::size_t feature_count) const {
    const std::size_t d = feature_count, width = d + 1, side = count() * width;
    std::vector<double> all(side * side), block(width * width);
    std::size_t pair = 0;
    for (std::size_t c = 1; c < class_count_; ++c)
        for (std::size_t e = 0; e < c; ++e, ++pair) {
            const double* scatter = sums.pair_scatter.data() + pair * d * d;
            for (std::size_t i = 0; i < d; ++i) {
                for (std::size_t j = 0; j <= i; ++j) block[i * width + j] = block[j * width + i] = scatter[i * d + j];
                block[i * width + d] = block[d * width + i] = sums.pair_sum[pair * d + i];
            }
            block[d * width + d] = sums.pair_weight[pair];
            for (std::size_t f = 0; f < count(); ++f)
                for (std::size_t g = 0; g < count(); ++g) {
                    const double share = ((*this)(c, f) - (*this)(e, f)) * ((*this)(c, g) - (*this)(e, g));
                    if (share == 0) continue;
                    for (std::size_t i = 0; i < width; ++i) {
                        double* to = all.data() + (f * width + i) * side + g * width;
                        for (std::size_t j = 0; j < width; ++j) to[j] += share * block[i * width + j];
                    }
                }
        }
    return all;
}

}  // namespace suffice
