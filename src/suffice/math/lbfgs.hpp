// The memory of limited-memory BFGS: approximate Newton steps from the last few changes of point and gradient, on top
// of a first guess of the curvature. Nocedal and Wright, Numerical Optimization, algorithm 7.4.
#pragma once
#include <cstddef>
#include <deque>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace suffice {

class LbfgsMemory {
public:
    explicit LbfgsMemory(std::size_t limit = 10) : limit_(limit) {}

    void forget() { changes_.clear(); }
    bool empty() const { return changes_.empty(); }

    // A change without curvature along it would spoil the approximation and is left out.
    void remember(std::vector<double> step, std::vector<double> gradient_change) {
        const double curvature = dot(step, gradient_change);
        if (!(curvature > 0)) return;
        if (curvature * curvature <= 1e-24 * dot(step, step) * dot(gradient_change, gradient_change)) return;
        if (changes_.size() == limit_) changes_.pop_front();
        changes_.push_back({std::move(step), std::move(gradient_change), curvature});
    }

    // B^-1 g. precondition(v) replaces v by its first guess of B^-1 v. With `rescale` the guess is multiplied so that
    // it fits the last change: for a guess that knows shapes but not sizes.
    template <class Precondition>
    std::vector<double> step(std::span<const double> gradient, Precondition&& precondition, bool rescale) const {
        std::vector<double> result(gradient.begin(), gradient.end()), share(changes_.size());
        for (std::size_t k = changes_.size(); k-- > 0;) {
            share[k] = dot(changes_[k].step, result) / changes_[k].curvature;
            add(result, -share[k], changes_[k].gradient);
        }
        precondition(std::span<double>(result));
        if (rescale && !empty()) {
            std::vector<double> guess = changes_.back().gradient;
            precondition(std::span<double>(guess));
            const double size = dot(changes_.back().gradient, guess);
            if (size > 0)
                for (double& value : result) value *= changes_.back().curvature / size;
        }
        for (std::size_t k = 0; k < changes_.size(); ++k)
            add(result, share[k] - dot(changes_[k].gradient, result) / changes_[k].curvature, changes_[k].step);
        return result;
    }

private:
    struct Change {
        std::vector<double> step, gradient;
        double curvature;
    };
    static double dot(std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
    static void add(std::vector<double>& to, double factor, const std::vector<double>& from) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
    }

    std::size_t limit_;
    std::deque<Change> changes_;
};

}  // namespace suffice
