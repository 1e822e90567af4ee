// First and second moments of rows, per class.
#include "suffice/kernel/moments.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {

void class_moments(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square) {
    reference::class_moments(rows, code, weight, class_count, centre, class_weight, sum, square);
}

void shared_moments(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* square) {
    reference::shared_moments(rows, share, share_stride, class_count, centre, class_weight, sum, square);
}

}  // namespace suffice::kernel
