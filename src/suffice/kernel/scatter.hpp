// Sums of outer products of rows, per class: the statistic of every Gaussian with a full covariance.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suffice/kernel/rows.hpp"
#include "suffice/kernel/scratch.hpp"

namespace suffice::kernel {

// Centred rows of one class on their way into its scatter, in panels: panel p holds columns p * lanes and on as one
// vector per row, panels `stride` apart.
struct Bucket {
    double* panels = nullptr;
    double* weights = nullptr;
    std::size_t stride = 0;
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t column_panels = ~std::size_t{0};  // products with panels beyond these are not wanted
};

// Owns only scratch memory: one object per thread, reused for every unit of work. Nothing is kept between calls.
class ClassScatter {
public:
    // Adds w, w z and w z z' with z = x - centre. code and weight as in class_moments.
    // scatter: k x d x d, row-major; only the lower triangle with the diagonal is written.
    void add(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count, const double* centre,
             double* class_weight, double* sum, double* scatter);
    void add(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
             const double* centre, double* class_weight, double* sum, double* scatter);

    // The same with share[c * share_stride + row] as the weight of each row in each class.
    void add_shared(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* scatter);

    // Adds w u u' with u = (z^2, z) and z = x - mean of the row's class. product: class_count matrices of width s + d,
    // s = width_of_squares(d) places for the squares, of which the first d are used; written are its lower triangle's
    // first s columns. Without codes every row belongs to each class.
    void add_squares(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                     const double* mean, double* product);
    static std::size_t width_of_squares(std::size_t column_count);

private:
    Scratch panels_;
    std::vector<Bucket> buckets_;
};

}  // namespace suffice::kernel
