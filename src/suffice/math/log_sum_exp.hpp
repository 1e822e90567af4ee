// log(sum of exp) and what follows from it, without overflow, in the one place where they live; for ranges of float or
// double.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <ranges>

namespace suffice {

template <class R>
concept FloatingRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                        std::floating_point<std::remove_cv_t<std::ranges::range_value_t<R>>>;

// log sum_i exp(t_i) = offset + log_rest, offset = max t, log_rest = log1p(sum of exp(t_i - offset) over the others):
// kept apart because their sum loses log_rest where offset is large. Where the largest term is infinite (all are -inf,
// or some are +inf) the terms equal to it share the whole.
template <std::floating_point T>
struct LogSumExp {
    T offset = -std::numeric_limits<T>::infinity();
    T log_rest = 0;

    T total() const { return offset + log_rest; }
    T log_share(T term) const {  // log(exp(term) / sum)
        if (term == offset) return -log_rest;
        return (term - offset) - log_rest;
    }
};

template <FloatingRange R>
auto log_sum_exp_parts(const R& terms) {
    using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
    LogSumExp<T> result;
    const T* const term = std::ranges::data(terms);
    const std::size_t count = std::ranges::size(terms);
    if (count == 0) return result;
    std::size_t largest = 0;
    for (std::size_t i = 1; i < count; ++i) {
        if (term[i] > term[largest]) largest = i;
    }
    result.offset = term[largest];
    T rest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i == largest) continue;
        rest += term[i] == result.offset ? T{1} : std::exp(term[i] - result.offset);
    }
    result.log_rest = std::log1p(rest);
    return result;
}

template <FloatingRange R>
auto log_sum_exp(const R& terms) {
    return log_sum_exp_parts(terms).total();
}

template <std::floating_point T>
T log_add_exp(T left, T right) {
    return log_sum_exp(std::array{left, right});
}

// Log weights to the logs of weights that sum to one, in place; returns the log of what they summed to. -inf stands for
// weight zero; where every term is -inf the weights become equal.
template <FloatingRange R>
auto log_softmax(R&& terms) {
    const auto parts = log_sum_exp_parts(terms);
    for (auto& term : terms) term = parts.log_share(term);
    return parts.total();
}

// The same, to the weights themselves.
template <FloatingRange R>
auto normalize_exp(R&& terms) {
    const auto parts = log_sum_exp_parts(terms);
    for (auto& term : terms) term = std::exp(parts.log_share(term));
    return parts.total();
}

template <FloatingRange R>
void softmax(R&& terms) {
    normalize_exp(terms);
}

}  // namespace suffice
