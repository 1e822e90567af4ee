// Sums of outer products of rows, per class.
#include "suffice/kernel/scatter.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {

void ClassScatter::add(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                       const double* centre, double* class_weight, double* sum, double* scatter) {
    reference::class_scatter(rows, code, weight, class_count, centre, class_weight, sum, scatter);
}

void ClassScatter::add_shared(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                              const double* centre, double* class_weight, double* sum, double* scatter) {
    reference::shared_scatter(rows, share, share_stride, class_count, centre, class_weight, sum, scatter);
}

}  // namespace suffice::kernel
