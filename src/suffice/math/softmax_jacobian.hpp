// The derivatives of the softmax.
#pragma once
#include <cstddef>
#include <vector>

#include "suffice/math/log_sum_exp.hpp"

namespace suffice {

// Of the softmax s, row by row: ds_i / dt_j = s_i ([i = j] - s_j). On the diagonal 1 - s_i is the sum of the others, so
// that no digit is lost where s_i is near one.
inline std::vector<double> softmax_jacobian(std::vector<double> terms) {
    softmax(terms);
    const std::size_t n = terms.size();
    std::vector<double> jacobian(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        double others = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            others += terms[j];
            jacobian[i * n + j] = -terms[i] * terms[j];
        }
        jacobian[i * n + i] = terms[i] * others;
    }
    return jacobian;
}

}  // namespace suffice
