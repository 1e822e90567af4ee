// Sums of table rows with the columns in registers, up to 32 at a time, fetching rows ahead of their turn.
#include "suffice/kernel/text_rows.hpp"

#include "suffice/kernel/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/text_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t rows_ahead = 12;

// `steps` cache lines of each row, from column 0 of `rows`.
template <std::size_t steps, bool weighted>
void add_columns(const double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
                 double* sums) {
    const hn::CappedTag<double, row_step> d;
    constexpr std::size_t lanes = hn::MaxLanes(d), count = steps * row_step / lanes;
    hn::Vec<decltype(d)> sum[count];
    for (std::size_t v = 0; v < count; ++v) sum[v] = hn::LoadU(d, sums + v * lanes);
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (k + rows_ahead < code.size()) {
            const double* later = rows + static_cast<std::size_t>(code[k + rows_ahead]) * width;
            for (std::size_t line = 0; line < steps; ++line) __builtin_prefetch(later + line * row_step);
        }
        const double* row = rows + static_cast<std::size_t>(code[k]) * width;
        for (std::size_t v = 0; v < count; ++v) {
            if constexpr (weighted)
                sum[v] = hn::MulAdd(hn::Set(d, weight[k]), hn::LoadU(d, row + v * lanes), sum[v]);
            else
                sum[v] = hn::Add(sum[v], hn::LoadU(d, row + v * lanes));
        }
    }
    for (std::size_t v = 0; v < count; ++v) hn::StoreU(sum[v], d, sums + v * lanes);
}

template <bool weighted>
void add_all(const double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
             double* sums) {
    for (std::size_t at = 0; at < width;) {
        const std::size_t steps = (width - at) / row_step;
        const auto add = steps >= 4   ? add_columns<4, weighted>
                         : steps == 3 ? add_columns<3, weighted>
                         : steps == 2 ? add_columns<2, weighted>
                                      : add_columns<1, weighted>;
        add(rows + at, width, code, weight, sums + at);
        at += (steps < 4 ? steps : 4) * row_step;
    }
}

void AddRows(const double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
             double* sums) {
    if (weight == nullptr)
        add_all<false>(rows, width, code, weight, sums);
    else
        add_all<true>(rows, width, code, weight, sums);
}

template <std::size_t steps, bool weighted>
void add_values(double* rows, std::size_t width, std::span<const std::uint32_t> code, const double* weight,
                const double* values) {
    const hn::CappedTag<double, row_step> d;
    constexpr std::size_t lanes = hn::MaxLanes(d), count = steps * row_step / lanes;
    hn::Vec<decltype(d)> value[count];
    for (std::size_t v = 0; v < count; ++v) value[v] = hn::LoadU(d, values + v * lanes);
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (k + rows_ahead < code.size()) {
            const double* later = rows + static_cast<std::size_t>(code[k + rows_ahead]) * width;
            for (std::size_t line = 0; line < steps; ++line) __builtin_prefetch(later + line * row_step, 1);
        }
        double* row = rows + static_cast<std::size_t>(code[k]) * width;
        for (std::size_t v = 0; v < count; ++v) {
            const auto old = hn::LoadU(d, row + v * lanes);
            if constexpr (weighted)
                hn::StoreU(hn::MulAdd(hn::Set(d, weight[k]), value[v], old), d, row + v * lanes);
            else
                hn::StoreU(hn::Add(old, value[v]), d, row + v * lanes);
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
              std::span<const double> weight, double* sums) {
    HWY_DYNAMIC_DISPATCH(AddRows)(rows, width, code, weight.empty() ? nullptr : weight.data(), sums);
}

HWY_EXPORT(AddToRows);

void add_to_rows(double* rows, std::size_t width, std::span<const std::uint32_t> code, std::span<const double> weight,
                 const double* values) {
    HWY_DYNAMIC_DISPATCH(AddToRows)(rows, width, code, weight.empty() ? nullptr : weight.data(), values);
}

}  // namespace suffice::kernel
#endif
