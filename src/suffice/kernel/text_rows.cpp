// Sums of table rows with the columns in registers, up to 32 at a time, fetching rows ahead of their turn.
#include "suffice/kernel/text_rows.hpp"

#include <algorithm>

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/text_rows.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {
constexpr std::size_t rows_ahead = 16;

// `count` columns of each row in `steps` cache lines' worth of vectors, from column 0 of `rows`; partial: the last of
// them is not filled, and nothing is read beyond it. `following` codes after the last are only looked at.
template <std::size_t steps, bool partial, bool weighted>
void add_columns(const double* rows, std::size_t width, std::size_t count, std::span<const std::uint32_t> code,
                 std::size_t following, const double* weight, double* sums) {
    constexpr std::size_t vectors = steps * row_step / lanes;
    constexpr std::size_t whole = partial ? vectors - row_step / lanes : vectors;
    const auto read = [&](const double* from, std::size_t v) HWY_ATTR {
        if (v < whole) return load(from + v * lanes);
        return load_some(from + v * lanes, count > v * lanes ? count - v * lanes : 0);
    };
    const std::size_t known = code.size() + following;
    Vector sum[vectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = read(sums, v);
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (k + rows_ahead < known) {
            const double* later = rows + static_cast<std::size_t>(code.data()[k + rows_ahead]) * width;
            for (std::size_t line = 0; line < steps; ++line) __builtin_prefetch(later + line * row_step);
            if constexpr (partial) __builtin_prefetch(later + count - 1);  // it may reach into one line more
        }
        const double* row = rows + static_cast<std::size_t>(code[k]) * width;
#pragma GCC unroll 16
        for (std::size_t v = 0; v < vectors; ++v) {
            if constexpr (weighted)
                sum[v] = hn::MulAdd(broadcast(weight[k]), read(row, v), sum[v]);
            else
                sum[v] = hn::Add(sum[v], read(row, v));
        }
    }
#pragma GCC unroll 16
    for (std::size_t v = 0; v < whole; ++v) store(sum[v], sums + v * lanes);
    if constexpr (partial) {
        double buffer[row_step];
        for (std::size_t v = whole; v < vectors; ++v) store(sum[v], buffer + (v - whole) * lanes);
        std::copy_n(buffer, count - whole * lanes, sums + whole * lanes);
    }
}

template <bool partial, bool weighted>
auto columns_of(std::size_t steps) {
    return steps >= 4   ? add_columns<4, partial, weighted>
           : steps == 3 ? add_columns<3, partial, weighted>
           : steps == 2 ? add_columns<2, partial, weighted>
                        : add_columns<1, partial, weighted>;
}

template <bool weighted>
void add_all(const double* rows, std::size_t width, std::span<const std::uint32_t> code, std::size_t following,
             const double* weight, double* sums) {
    for (std::size_t at = 0; at < width;) {
        const std::size_t count = std::min(width - at, 4 * row_step), steps = (count + row_step - 1) / row_step;
        const auto add = count % row_step == 0 ? columns_of<false, weighted>(steps) : columns_of<true, weighted>(steps);
        add(rows + at, width, count, code, following, weight, sums + at);
        at += count;
    }
}

void AddRows(const double* rows, std::size_t width, std::span<const std::uint32_t> code, std::size_t following,
             const double* weight, double* sums) {
    if (weight == nullptr)
        add_all<false>(rows, width, code, following, weight, sums);
    else
        add_all<true>(rows, width, code, following, weight, sums);
}

template <std::size_t steps, bool weighted>
void add_values(double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
                const double* values) {
    constexpr std::size_t count = steps * row_step / lanes;
    Vector value[count];
    for (std::size_t v = 0; v < count; ++v) value[v] = load(values + v * lanes);
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (k + rows_ahead < code.size()) {
            const double* later = rows + static_cast<std::size_t>(code[k + rows_ahead]) * width;
            for (std::size_t line = 0; line < steps; ++line) __builtin_prefetch(later + line * row_step, 1);
        }
        double* row = rows + static_cast<std::size_t>(code[k]) * width;
        for (std::size_t v = 0; v < count; ++v) {
            const Vector old = load(row + v * lanes);
            if constexpr (weighted)
                store(hn::MulAdd(broadcast(weight[k]), value[v], old), row + v * lanes);
            else
                store(hn::Add(old, value[v]), row + v * lanes);
        }
    }
}

template <bool weighted>
void add_to_all(double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
                const double* values) {
    for (std::size_t at = 0; at < width;) {
        const std::size_t steps = (width - at) / row_step;
        const auto add = steps >= 4   ? add_values<4, weighted>
                         : steps == 3 ? add_values<3, weighted>
                         : steps == 2 ? add_values<2, weighted>
                                      : add_values<1, weighted>;
        add(rows + at, width, code, weight, values + at);
        at += (steps < 4 ? steps : 4) * row_step;
    }
}

void AddToRows(double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
               const double* values) {
    if (weight == nullptr)
        add_to_all<false>(rows, width, code, weight, values);
    else
        add_to_all<true>(rows, width, code, weight, values);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {

HWY_EXPORT(AddRows);

void add_rows(const double* rows, std::size_t width, std::span<const std::uint32_t> code,
              std::span<const double> weight, double* sums, std::size_t following) {
    HWY_DYNAMIC_DISPATCH(AddRows)(rows, width, code, following, weight.empty() ? nullptr : weight.data(), sums);
}

HWY_EXPORT(AddToRows);

void add_to_rows(double* rows, std::size_t width, std::span<const std::uint32_t> code, std::span<const double> weight,
                 const double* values) {
    HWY_DYNAMIC_DISPATCH(AddToRows)(rows, width, code, weight.empty() ? nullptr : weight.data(), values);
}

}  // namespace suffice::kernel
#endif
