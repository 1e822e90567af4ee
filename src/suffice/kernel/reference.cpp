// The plain meaning of every numeric kernel.
#include "suffice/kernel/reference.hpp"

#include <cmath>
#include <limits>

namespace suffice::kernel::reference {

void class_moments(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const std::int32_t c = code ? code[r] : 0;
        const double w = weight ? weight[r] : 1.0;
        if (c < 0 || static_cast<std::size_t>(c) >= class_count || w == 0) continue;
        class_weight[c] += w;
        for (std::size_t j = 0; j < d; ++j) {
            const double z = rows.row(r)[j] - centre[j];
            const std::size_t at = static_cast<std::size_t>(c) * d + j;
            sum[at] += w * z;
            if (square) square[at] += w * z * z;
        }
    }
}

void shared_moments(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* square) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t c = 0; c < class_count; ++c) {
            const double w = share[c * share_stride + r];
            class_weight[c] += w;
            for (std::size_t j = 0; j < d; ++j) {
                const double z = rows.row(r)[j] - centre[j];
                sum[c * d + j] += w * z;
                if (square) square[c * d + j] += w * z * z;
            }
        }
}

namespace {
void add_row(const double* x, double w, std::size_t d, const double* centre, double* sum, double* scatter) {
    for (std::size_t i = 0; i < d; ++i) {
        const double z = x[i] - centre[i];
        sum[i] += w * z;
        for (std::size_t j = 0; j <= i; ++j) scatter[i * d + j] += z * (w * (x[j] - centre[j]));
    }
}
}  // namespace

void class_scatter(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* scatter) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const std::int32_t code_of_row = code ? code[r] : 0;
        const double w = weight ? weight[r] : 1.0;
        if (code_of_row < 0 || static_cast<std::size_t>(code_of_row) >= class_count || w == 0) continue;
        const auto c = static_cast<std::size_t>(code_of_row);
        class_weight[c] += w;
        add_row(rows.row(r), w, d, centre, sum + c * d, scatter + c * d * d);
    }
}

void shared_scatter(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* scatter) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t c = 0; c < class_count; ++c) {
            class_weight[c] += share[c * share_stride + r];
            add_row(rows.row(r), share[c * share_stride + r], d, centre, sum + c * d, scatter + c * d * d);
        }
}

void affine_scores(Rows rows, const double* centre, const double* weight, const double* bias, Tile joint) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t c = 0; c < joint.class_count; ++c) {
            double score = bias[c];
            for (std::size_t j = 0; j < d; ++j) score += weight[c * d + j] * (rows.row(r)[j] - centre[j]);
            joint.of_class(c)[r] += score;
        }
}

void diagonal_scores(Rows rows, const double* centre, const double* scale, const double* offset, const double* bias,
                     Tile joint) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t c = 0; c < joint.class_count; ++c) {
            double squares = 0;
            for (std::size_t j = 0; j < d; ++j) {
                const double z = scale[c * d + j] * (rows.row(r)[j] - centre[j]) - offset[c * d + j];
                squares += z * z;
            }
            joint.of_class(c)[r] += bias[c] - 0.5 * squares;
        }
}

void quadratic_scores(Rows rows, const double* centre, std::size_t rank, bool triangular, const double* factor,
                      const double* offset, const double* bias, Tile joint) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t c = 0; c < joint.class_count; ++c) {
            double squares = 0;
            for (std::size_t i = 0; i < rank; ++i) {
                double z = -offset[c * rank + i];
                for (std::size_t j = 0; j < (triangular ? i + 1 : d); ++j)
                    z += factor[(c * rank + i) * d + j] * (rows.row(r)[j] - centre[j]);
                squares += z * z;
            }
            joint.of_class(c)[r] += bias[c] - 0.5 * squares;
        }
}

void table_scores(Codes codes, const std::int32_t* level_count, const double* const* table, Tile joint) {
    for (std::size_t r = 0; r < codes.row_count; ++r)
        for (std::size_t j = 0; j < codes.column_count; ++j) {
            const std::int32_t level =
                codes.values[static_cast<std::ptrdiff_t>(r) * codes.stride + static_cast<std::ptrdiff_t>(j)];
            if (level < 0 || level >= level_count[j]) continue;
            for (std::size_t c = 0; c < joint.class_count; ++c)
                joint.of_class(c)[r] += table[j][static_cast<std::size_t>(level) * joint.class_count + c];
        }
}

void log_softmax(Tile tile, double* log_evidence) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < tile.row_count; ++r) {
        double top = -infinity;
        for (std::size_t c = 0; c < tile.class_count; ++c) top = std::fmax(top, tile.of_class(c)[r]);
        double sum = 0;
        for (std::size_t c = 0; c < tile.class_count; ++c)
            sum += std::exp(tile.of_class(c)[r] - (top == -infinity ? 0 : top));
        const double evidence = top == -infinity && sum == 0 ? -infinity : top + std::log(sum);
        for (std::size_t c = 0; c < tile.class_count; ++c)
            tile.of_class(c)[r] = evidence == -infinity ? -std::log(static_cast<double>(tile.class_count))
                                                        : tile.of_class(c)[r] - evidence;
        if (log_evidence) log_evidence[r] = evidence;
    }
}

void softmax(Tile tile, double* log_evidence) {
    log_softmax(tile, log_evidence);
    for (std::size_t r = 0; r < tile.row_count; ++r) {
        double sum = 0;
        for (std::size_t c = 0; c < tile.class_count; ++c) sum += std::exp(tile.of_class(c)[r]);
        for (std::size_t c = 0; c < tile.class_count; ++c) tile.of_class(c)[r] = std::exp(tile.of_class(c)[r]) / sum;
    }
}

void argmax(Tile tile, std::int32_t* index) {
    for (std::size_t r = 0; r < tile.row_count; ++r) {
        double top = -std::numeric_limits<double>::infinity();
        index[r] = 0;
        for (std::size_t c = 0; c < tile.class_count; ++c)
            if (tile.of_class(c)[r] > top) {
                top = tile.of_class(c)[r];
                index[r] = static_cast<std::int32_t>(c);
            }
    }
}

std::size_t class_level_counts(Codes codes, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts) {
    std::size_t refused = 0;
    for (std::size_t r = 0; r < codes.row_count; ++r) {
        const std::int32_t c = code ? code[r] : 0;
        const double w = weight ? weight[r] : 1.0;
        if (c < 0 || static_cast<std::size_t>(c) >= class_count || w == 0) continue;
        std::size_t first = 0;
        for (std::size_t j = 0; j < codes.column_count; ++j) {
            const std::int32_t level =
                codes.values[static_cast<std::ptrdiff_t>(r) * codes.stride + static_cast<std::ptrdiff_t>(j)];
            if (level >= level_count[j])
                ++refused;
            else if (level >= 0)
                counts[(first + static_cast<std::size_t>(level)) * class_count + static_cast<std::size_t>(c)] += w;
            first += static_cast<std::size_t>(level_count[j]);
        }
    }
    return refused;
}

std::size_t level_codes(Rows rows, const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    std::size_t refused = 0;
    for (std::size_t r = 0; r < rows.row_count; ++r)
        for (std::size_t j = 0; j < rows.column_count; ++j) {
            const double x = rows.row(r)[j];
            std::int32_t level = -2;
            if (std::isnan(x))
                level = -1;
            else if (x >= 0 && x < level_count[j] && x == std::floor(x))
                level = static_cast<std::int32_t>(x);
            refused += level == -2;
            out[static_cast<std::ptrdiff_t>(r) * out_stride + static_cast<std::ptrdiff_t>(j)] = level;
        }
    return refused;
}

}  // namespace suffice::kernel::reference
