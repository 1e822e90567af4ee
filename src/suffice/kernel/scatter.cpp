// Sums of outer products of rows, per class. Centred rows are appended to a bucket per class; a full bucket is added to
// the scatter by a rank-B update whose accumulators stay in registers: `lanes` rows by three vectors of columns.
#include "suffice/kernel/scatter.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/scatter.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

// Adds a block of products to rows first_row .. and columns first_column .. of the scatter, as far as they lie in the
// lower triangle.
HWY_NOINLINE void add_block(const double* block, std::size_t height, std::size_t width, std::size_t first_row,
                            std::size_t first_column, std::size_t d, double* scatter) {
    for (std::size_t row = first_row; row < std::min(d, first_row + height); ++row, block += width)
        for (std::size_t column = 0; column < width && first_column + column <= row; column += lanes)
            add_lanes(load(block + column), scatter + row * d + first_column + column,
                      std::min(lanes, row + 1 - first_column - column));
}

// Columns of `left` (broadcast) by `Wide` panels from `right` on (vectors), summed over the rows of the bucket.
template <bool Weighted, std::size_t Tall, std::size_t Wide>
HWY_INLINE void multiply_panels(const double* left, const double* right, std::size_t stride, const double* weight,
                                std::size_t count, double* block) {
    constexpr std::size_t chains = Tall * Wide < 8 ? 2 : 1;  // enough sums under way to hide the latency of one
    const Doubles d;
    Vector sum[chains][Tall][Wide];
#pragma GCC unroll 2
    for (std::size_t s = 0; s < chains; ++s)
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Tall; ++i)
#pragma GCC unroll 3
            for (std::size_t v = 0; v < Wide; ++v) sum[s][i][v] = hn::Zero(d);
    for (std::size_t t = 0; t < count; t += chains)  // buckets hold a row of zeros after the last
#pragma GCC unroll 2
        for (std::size_t s = 0; s < chains; ++s) {
            Vector b[Wide];
#pragma GCC unroll 3
            for (std::size_t v = 0; v < Wide; ++v) {
                b[v] = hn::Load(d, right + v * stride + (t + s) * lanes);
                if constexpr (Weighted) b[v] = hn::Mul(b[v], broadcast(weight[t + s]));
            }
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Tall; ++i) {
                const Vector a = broadcast(left[(t + s) * lanes + i]);
#pragma GCC unroll 3
                for (std::size_t v = 0; v < Wide; ++v) sum[s][i][v] = hn::MulAdd(a, b[v], sum[s][i][v]);
            }
        }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Tall; ++i)
#pragma GCC unroll 3
        for (std::size_t v = 0; v < Wide; ++v) {
            const Vector total = chains == 2 ? hn::Add(sum[0][i][v], sum[chains - 1][i][v]) : sum[0][i][v];
            hn::Store(total, d, block + (i * Wide + v) * lanes);
        }
}

// `Tall` rows of the scatter from panel `index` on, columns up to the diagonal or to the bucket's last panel of
// columns.
template <bool Weighted, std::size_t Tall>
HWY_NOINLINE void add_stripe(const Bucket& bucket, const double* weight, std::size_t index, std::size_t d,
                             double* scatter) {
    alignas(Scratch::alignment) double block[Tall * 3 * lanes];
    const double* left = bucket.panels + index * bucket.stride;
    const std::size_t end = std::min(index + 1, bucket.column_panels);
    std::size_t panel = 0;
    for (; panel + 3 <= end; panel += 3) {
        multiply_panels<Weighted, Tall, 3>(left, bucket.panels + panel * bucket.stride, bucket.stride, weight,
                                           bucket.count, block);
        add_block(block, Tall, 3 * lanes, index * lanes, panel * lanes, d, scatter);
    }
    const double* right = bucket.panels + panel * bucket.stride;
    if (end - panel == 2) {
        multiply_panels<Weighted, Tall, 2>(left, right, bucket.stride, weight, bucket.count, block);
        add_block(block, Tall, 2 * lanes, index * lanes, panel * lanes, d, scatter);
    } else if (end - panel == 1) {
        multiply_panels<Weighted, Tall, 1>(left, right, bucket.stride, weight, bucket.count, block);
        add_block(block, Tall, lanes, index * lanes, panel * lanes, d, scatter);
    }
}

template <bool Weighted>
void add_sums(const Bucket& bucket, const double* weight, std::size_t d, double* sum) {
    for (std::size_t j = 0; j < d; j += lanes) {
        const double* panel = bucket.panels + j / lanes * bucket.stride;
        Vector even = hn::Zero(Doubles()), odd = even;
        for (std::size_t t = 0; t < bucket.count; t += 2) {  // into the row of zeros where the count is odd
            const Vector first = load(panel + t * lanes), second = load(panel + (t + 1) * lanes);
            even = Weighted ? hn::MulAdd(broadcast(weight[t]), first, even) : hn::Add(even, first);
            odd = Weighted ? hn::MulAdd(broadcast(weight[t + 1]), second, odd) : hn::Add(odd, second);
        }
        add_lanes(hn::Add(even, odd), sum + j, std::min(lanes, d - j));
    }
}

template <bool Weighted>
void add_bucket(const Bucket& bucket, const double* weight, std::size_t d, double* sum, double* scatter) {
    if (bucket.count == 0) return;
    add_sums<Weighted>(bucket, weight, d, sum);
    const std::size_t whole = d / lanes;
    for (std::size_t p = 0; p < whole; ++p) add_stripe<Weighted, lanes>(bucket, weight, p, d, scatter);
    const std::size_t rest = d % lanes;
    if (rest == 0) return;
    if constexpr (lanes == 8) {  // a shorter stripe for the last panel, its height rounded up to even
        if (rest > 6) return add_stripe<Weighted, 8>(bucket, weight, whole, d, scatter);
        if (rest > 4) return add_stripe<Weighted, 6>(bucket, weight, whole, d, scatter);
        if (rest > 2) return add_stripe<Weighted, 4>(bucket, weight, whole, d, scatter);
    } else if (rest > 2) {
        return add_stripe<Weighted, lanes>(bucket, weight, whole, d, scatter);
    }
    add_stripe<Weighted, std::min<std::size_t>(2, lanes)>(bucket, weight, whole, d, scatter);
}

template <class Number>
HWY_INLINE void append(Bucket& bucket, const Number* x, const double* centre, std::size_t d) {
    double* to = bucket.panels + bucket.count * lanes;
    std::size_t j = 0;
    for (; j + lanes <= d; j += lanes, to += bucket.stride)
        hn::Store(hn::Sub(load_as(Doubles(), x + j), load(centre + j)), Doubles(), to);
    if (j < d) hn::Store(hn::Sub(load_some(x + j, d - j), load_some(centre + j, d - j)), Doubles(), to);
    ++bucket.count;
}

// The squares of the centred values in the panels before theirs.
HWY_INLINE void append_squares(Bucket& bucket, const double* x, const double* centre, std::size_t d) {
    double* to = bucket.panels + bucket.count * lanes;
    const std::size_t way = bucket.column_panels * bucket.stride;
    for (std::size_t j = 0; j < d; j += lanes, to += bucket.stride) {
        const std::size_t some = std::min(lanes, d - j);
        const Vector z = some == lanes ? hn::Sub(load(x + j), load(centre + j))
                                       : hn::Sub(load_some(x + j, some), load_some(centre + j, some));
        hn::Store(hn::Mul(z, z), Doubles(), to);
        hn::Store(z, Doubles(), to + way);
    }
    ++bucket.count;
}

// A row of zeros after the last, so that rows can be taken in pairs.
void close_bucket(Bucket& bucket, std::size_t d) {
    for (std::size_t j = 0; j < d; j += lanes)
        hn::Store(hn::Zero(Doubles()), Doubles(), bucket.panels + j / lanes * bucket.stride + bucket.count * lanes);
    if (bucket.weights) bucket.weights[bucket.count] = 0;
}

std::size_t panel_count(std::size_t d) { return (d + lanes - 1) / lanes; }

// Panels a little more than their rows apart: at exact powers of two they would all fall into one set of the cache.
std::size_t panel_stride(std::size_t capacity) { return (capacity + 1) * lanes; }

// Rank of an update: long enough that loading and storing the scatter is cheap, short enough for the second cache.
std::size_t best_rank(std::size_t d) { return d > 300 ? 128 : 512; }

// A bucket for each class, as large as its rows need: at most the best rank, split evenly beyond that.
void lay_out(const std::vector<std::size_t>& rows_of_class, std::size_t d, bool weighted, Scratch& memory,
             std::vector<Bucket>& buckets) {
    buckets.assign(rows_of_class.size(), Bucket{});
    std::size_t size = 0;
    for (std::size_t c = 0; c < buckets.size(); ++c) {
        const std::size_t count = rows_of_class[c];
        if (count == 0) continue;
        const std::size_t parts = (count + best_rank(d) - 1) / best_rank(d);
        buckets[c].capacity = (count + parts - 1) / parts;
        buckets[c].stride = panel_stride(buckets[c].capacity);
        size += panel_count(d) * buckets[c].stride + (weighted ? panel_stride(buckets[c].capacity) : 0);
    }
    double* next = memory.reserve(size);
    for (Bucket& bucket : buckets) {
        if (bucket.capacity == 0) continue;
        bucket.panels = next;
        next += panel_count(d) * bucket.stride;
        if (!weighted) continue;
        bucket.weights = next;
        next += panel_stride(bucket.capacity);
    }
}

template <bool Weighted, class Number>
void scatter_of(const RowsOf<Number>& rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                const double* centre, double* class_weight, double* sum, double* scatter, Scratch& memory,
                std::vector<Bucket>& buckets) {
    const std::size_t d = rows.column_count;
    std::vector<std::size_t> rows_of_class(class_count);
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        const double w = Weighted ? weight[r] : 1.0;
        if (c >= class_count || (Weighted && w == 0)) continue;
        ++rows_of_class[c];
        class_weight[c] += w;
    }
    lay_out(rows_of_class, d, Weighted, memory, buckets);
    const auto flush = [&](std::size_t c) HWY_ATTR {
        close_bucket(buckets[c], d);
        add_bucket<Weighted>(buckets[c], buckets[c].weights, d, sum + c * d, scatter + c * d * d);
        buckets[c].count = 0;
    };
    constexpr std::size_t distance = 2400;  // numbers between a row and the row asked for; long rows need no help
    const std::ptrdiff_t ahead = static_cast<std::ptrdiff_t>(distance / std::max<std::size_t>(1, d) + 1) * rows.stride;
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const Number* x = rows.row(r);
        if (d <= 128)
            for (std::size_t j = 0; j < d; j += 64 / sizeof(Number)) prefetch(x + j, ahead);
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        if (c >= class_count || (Weighted && weight[r] == 0)) continue;
        Bucket& bucket = buckets[c];
        if constexpr (Weighted) bucket.weights[bucket.count] = weight[r];
        append(bucket, x, centre, d);
        if (bucket.count == bucket.capacity) flush(c);
    }
    for (std::size_t c = 0; c < class_count; ++c)
        if (buckets[c].count > 0) flush(c);
}

void by_label(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count, const double* centre,
              double* class_weight, double* sum, double* scatter, Scratch& memory, std::vector<Bucket>& buckets) {
    const auto go = weight ? scatter_of<true, double> : scatter_of<false, double>;
    go(rows, code, weight, class_count, centre, class_weight, sum, scatter, memory, buckets);
}

void floats_by_label(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                     const double* centre, double* class_weight, double* sum, double* scatter, Scratch& memory,
                     std::vector<Bucket>& buckets) {
    const auto go = weight ? scatter_of<true, float> : scatter_of<false, float>;
    go(rows, code, weight, class_count, centre, class_weight, sum, scatter, memory, buckets);
}

// Places of the rows of each class in their order; without codes all rows are of each.
std::vector<std::vector<std::size_t>> rows_by_class(const std::int32_t* code, std::size_t count,
                                                    std::size_t class_count) {
    std::vector<std::vector<std::size_t>> places(class_count);
    for (std::size_t row = 0; row < count; ++row) {
        if (code == nullptr)
            for (auto& each : places) each.push_back(row);
        else if (static_cast<std::uint32_t>(code[row]) < class_count)
            places[static_cast<std::size_t>(code[row])].push_back(row);
    }
    return places;
}

// Rows (z^2, z) around the means of their classes, class after class; of their products those with a square.
template <bool Weighted>
void squares_of(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count, const double* mean,
                double* product, Scratch& memory) {
    constexpr std::size_t rank = 256;
    const std::size_t d = rows.column_count, panels = panel_count(d), width = panels * lanes + d;
    Bucket bucket;
    bucket.column_panels = panels;
    bucket.capacity = rank;
    bucket.stride = panel_stride(rank);
    bucket.panels = memory.reserve(2 * panels * bucket.stride + panel_stride(rank) + width);
    bucket.weights = bucket.panels + 2 * panels * bucket.stride;
    double* sum = bucket.weights + panel_stride(rank);
    const auto in_class = rows_by_class(code, rows.row_count, class_count);
    for (std::size_t c = 0; c < class_count; ++c) {
        const auto flush = [&]() HWY_ATTR {
            close_bucket(bucket, 2 * panels * lanes);
            add_bucket<Weighted>(bucket, bucket.weights, width, sum, product + c * width * width);
            bucket.count = 0;
        };
        for (const std::size_t r : in_class[c]) {
            if (Weighted && weight[r] == 0) continue;
            if constexpr (Weighted) bucket.weights[bucket.count] = weight[r];
            append_squares(bucket, rows.row(r), mean + c * d, d);
            if (bucket.count == rank) flush();
        }
        if (bucket.count > 0) flush();
    }
}

void squares_by_label(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                      const double* mean, double* product, Scratch& memory) {
    const auto go = weight ? squares_of<true> : squares_of<false>;
    go(rows, code, weight, class_count, mean, product, memory);
}

std::size_t width_of_squares(std::size_t d) { return panel_count(d) * lanes; }

// Every row belongs to every class: one bucket of all rows, added once per class with that class's weights.
void by_share(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count, const double* centre,
              double* class_weight, double* sum, double* scatter, Scratch& memory) {
    constexpr std::size_t rank = 256;
    const std::size_t d = rows.column_count;
    Bucket bucket;
    bucket.capacity = std::min(rank, rows.row_count);
    bucket.stride = panel_stride(bucket.capacity);
    bucket.panels = memory.reserve(panel_count(d) * bucket.stride + rank + 1);
    double* weight = bucket.panels + panel_count(d) * bucket.stride;
    for (std::size_t first = 0; first < rows.row_count; first += rank) {
        const Rows block = rows.slice(first, std::min(rank, rows.row_count - first));
        bucket.count = 0;
        for (std::size_t r = 0; r < block.row_count; ++r) append(bucket, block.row(r), centre, d);
        close_bucket(bucket, d);
        for (std::size_t c = 0; c < class_count; ++c) {
            std::copy_n(share + c * share_stride + first, block.row_count, weight);
            weight[block.row_count] = 0;
            double total = 0;
            for (std::size_t r = 0; r < block.row_count; ++r) total += weight[r];
            class_weight[c] += total;
            add_bucket<true>(bucket, weight, d, sum + c * d, scatter + c * d * d);
        }
    }
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(by_label);
HWY_EXPORT(floats_by_label);
HWY_EXPORT(by_share);
HWY_EXPORT(squares_by_label);
HWY_EXPORT(width_of_squares);

void ClassScatter::add(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                       const double* centre, double* class_weight, double* sum, double* scatter) {
    HWY_DYNAMIC_DISPATCH(by_label)
    (rows, code, weight, class_count, centre, class_weight, sum, scatter, panels_, buckets_);
}

void ClassScatter::add(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                       const double* centre, double* class_weight, double* sum, double* scatter) {
    HWY_DYNAMIC_DISPATCH(floats_by_label)
    (rows, code, weight, class_count, centre, class_weight, sum, scatter, panels_, buckets_);
}

void ClassScatter::add_shared(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                              const double* centre, double* class_weight, double* sum, double* scatter) {
    HWY_DYNAMIC_DISPATCH(by_share)
    (rows, share, share_stride, class_count, centre, class_weight, sum, scatter, panels_);
}

void ClassScatter::add_squares(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                               const double* mean, double* product) {
    HWY_DYNAMIC_DISPATCH(squares_by_label)(rows, code, weight, class_count, mean, product, panels_);
}

std::size_t ClassScatter::width_of_squares(std::size_t column_count) {
    return HWY_DYNAMIC_DISPATCH(width_of_squares)(column_count);
}
}  // namespace suffice::kernel
#endif
