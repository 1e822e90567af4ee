// Extrapolates the way of EM.
#include "suffice/estimate/completion_leaps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace suffice {
namespace {

constexpr double settled_distance = 1e-10;  // of the parameters from the limit, in standard deviations
constexpr double least_change = 1e-12;      // of the parameters, in the same units: below is rounding

// Calls visit(place of the number in `like`, scale) for every mean and every number of a factor.
template <class Visit>
void for_each_number(const GaussianClasses& like, Visit&& visit) {
    const std::size_t d = like.dimension;
    for (std::size_t g = 0; g < like.group_count(); ++g) {
        std::vector<double> deviation(d);
        for (std::size_t i = 0; i < d; ++i) {
            double variance = like.diagonal ? like.shape[g][i] : 0;
            for (std::size_t j = 0; j <= i && !like.diagonal; ++j)
                variance += like.shape[g][i * d + j] * like.shape[g][i * d + j];
            deviation[i] = variance > 0 ? std::sqrt(variance) : 1;
            for (std::size_t j = 0; j <= i && !like.diagonal; ++j)
                visit([g, at = i * d + j](auto& of) -> auto& { return of.shape[g][at]; }, deviation[i]);
            if (like.diagonal) visit([g, i](auto& of) -> auto& { return of.shape[g][i]; }, deviation[i] * deviation[i]);
        }
        for (std::size_t c = 0; c < like.class_count(); ++c)
            for (std::size_t i = 0; like.group[c] == g && i < d; ++i)
                visit([c, i](auto& of) -> auto& { return of.mean[c][i]; }, deviation[i]);
    }
}

// The largest change of a mean or of a number of a factor, in standard deviations.
double largest_change(const GaussianClasses& from, const GaussianClasses& to) {
    double largest = 0;
    for_each_number(
        to, [&](auto place, double scale) { largest = std::max(largest, std::abs(place(to) - place(from)) / scale); });
    return largest;
}

// EM comes nearer by about the same factor r at each step, so r / (1 - r) times the last change is what is left. The
// likelihood alone would stop too early: near its top it is flat, and a change of 1e-12 leaves 1e-6 of the way.
bool is_near(double change, double factor) { return factor < 1 && change * factor <= settled_distance * (1 - factor); }

bool has_full_rank(const GaussianClasses& all, const GaussianClasses& like) {
    const std::size_t d = all.dimension, apart = all.diagonal ? 1 : d + 1;
    for (std::size_t g = 0; g < all.group_count(); ++g)
        for (std::size_t i = 0; i < d; ++i)
            if (!(all.shape[g][i * apart] > 0.1 * like.shape[g][i * apart])) return false;
    return true;
}

}  // namespace

GaussianClasses CompletionLeaps::leap(const GaussianClasses& first, const GaussianClasses& second,
                                      const GaussianClasses& third) {
    double step = 0, bend = 0;
    for_each_number(third, [&](auto place, double scale) {
        const double r = (place(second) - place(first)) / scale, s = (place(third) - place(second)) / scale;
        step += r * r;
        bend += (s - r) * (s - r);
    });
    const double wanted = bend > 0 ? std::sqrt(step / bend) : 1;
    const double length = std::clamp(wanted, 1.0, longest_);
    if (wanted > longest_) longest_ *= 4;
    GaussianClasses reached = third;
    if (length == 1) return reached;
    for_each_number(third, [&](auto place, double) {
        const double r = place(second) - place(first), v = place(third) - place(second) - r;
        place(reached) = place(first) + 2 * length * r + length * length * v;
    });
    return has_full_rank(reached, third) ? reached : third;
}

GaussianClasses CompletionLeaps::on_from(GaussianClasses from, GaussianClasses to) {
    const double change = largest_change(from, to);
    near_ = change <= least_change;
    if (near_) return to;
    if (!leaps_) {
        near_ = is_near(change, change / std::exchange(change_before_, change));
        return to;
    }
    if (!first_) {  // the first step, or that behind a leap: one that led astray is taken back
        if (safe_ && change > 2 * change_leapt_) {
            longest_ = std::max(1.0, longest_ / 16);
            GaussianClasses back = std::move(*safe_);
            safe_.reset();
            return back;
        }
        safe_.reset();
        change_before_ = change;
        first_ = std::move(from);
        return to;
    }
    const double factor = change / change_before_;
    if (factor < 1) slowest_ = std::max(slowest_, factor);
    near_ = factor < 1 && is_near(change, slowest_);
    if (near_) return to;
    GaussianClasses reached = leap(*first_, from, to);
    first_.reset();
    safe_ = std::move(to);
    change_leapt_ = change;
    return reached;
}

}  // namespace suffice
