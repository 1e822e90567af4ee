// Maximises the likelihood of scatters under each structure: closed forms, or steps that each raise it.
#include "suffice/estimate/covariance_structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

using Vectors = std::vector<std::vector<double>>;

constexpr int most_steps = 500;
constexpr double settled = 1e-12;  // change of the deviance, relative
constexpr double least = std::numeric_limits<double>::min();

// exp(mean of logs): the d-th root of a product that may over- or underflow.
double geometric_mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += std::log(std::max(value, least));
    return std::exp(sum / static_cast<double>(values.size()));
}

double total(std::span<const double> weight) { return std::accumulate(weight.begin(), weight.end(), 0.0); }

// Volumes l_k and a common diagonal B with S_k = l_k B, from diagonals W_k: each minimises the deviance
// sum of (n_k d log l_k + n_k log |B| + trace B^-1 W_k / l_k) given the other.
struct Volumes {
    std::vector<double> volume, common;
};

Volumes common_diagonal(std::span<const double> weight, std::span<const std::vector<double>> diagonal) {
    const std::size_t k = weight.size(), d = diagonal[0].size();
    const auto dimension = static_cast<double>(d);
    Volumes found{std::vector<double>(k, 1.0), std::vector<double>(d, 0.0)};
    for (const auto& each : diagonal)
        for (std::size_t j = 0; j < d; ++j) found.common[j] += each[j];
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps; ++step) {
        const double size = geometric_mean(found.common);
        for (double& each : found.common) each /= size;
        double deviance = 0;
        for (std::size_t c = 0; c < k; ++c) {
            double trace = 0;
            for (std::size_t j = 0; j < d; ++j) trace += diagonal[c][j] / found.common[j];
            found.volume[c] = std::max(trace / (dimension * weight[c]), least);
            deviance += dimension * weight[c] * std::log(found.volume[c]);
        }
        if (before - deviance <= settled * (std::abs(deviance) + total(weight))) break;
        before = deviance;
        std::ranges::fill(found.common, 0.0);
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t j = 0; j < d; ++j) found.common[j] += diagonal[c][j] / found.volume[c];
    }
    return found;
}

// Equal volumes, own shapes: S_k = l B_k with l = sum of |W_k|^(1/d) / n.
Vectors equal_volume(std::span<const double> weight, std::span<const std::vector<double>> diagonal) {
    Vectors made;
    double volume = 0;
    for (const auto& each : diagonal) volume += geometric_mean(each);
    volume /= total(weight);
    for (const auto& each : diagonal) {
        const double size = geometric_mean(each);
        auto& own = made.emplace_back(each);
        for (double& value : own) value *= volume / size;
    }
    return made;
}

// V diag(values) V', the rows of `vectors` being the axes.
std::vector<double> turned_back(std::span<const double> vectors, std::span<const double> values) {
    const std::size_t d = values.size();
    std::vector<double> made(d * d);
    for (std::size_t axis = 0; axis < d; ++axis)
        for (std::size_t i = 0; i < d; ++i) {
            const double scaled = values[axis] * vectors[axis * d + i];
            for (std::size_t j = 0; j < d; ++j) made[i * d + j] += scaled * vectors[axis * d + j];
        }
    return made;
}

// A common matrix up to volumes: S_k = l_k C, |C| = 1.
Vectors common_matrix(std::span<const double> weight, std::span<const std::vector<double>> scatter, std::size_t d) {
    const std::size_t k = weight.size();
    const auto dimension = static_cast<double>(d);
    std::vector<double> volume(k, 1.0), common(d * d), factor, inverted(d * d);
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps; ++step) {
        std::ranges::fill(common, 0.0);
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t at = 0; at < d * d; ++at) common[at] += scatter[c][at] / volume[c];
        factor = common;
        if (!factorize(factor, d)) break;
        const double size = std::exp(log_determinant(factor, d) / dimension);
        inverse(factor, d, inverted);
        for (double& value : common) value /= size;
        double deviance = 0;
        for (std::size_t c = 0; c < k; ++c) {
            double trace = 0;
            for (std::size_t at = 0; at < d * d; ++at) trace += scatter[c][at] * inverted[at];
            volume[c] = std::max(size * trace / (dimension * weight[c]), least);
            deviance += dimension * weight[c] * std::log(volume[c]);
        }
        if (before - deviance <= settled * (std::abs(deviance) + total(weight))) break;
        before = deviance;
    }
    Vectors made;
    for (std::size_t c = 0; c < k; ++c) {
        auto& own = made.emplace_back(common);
        for (double& value : own) value *= volume[c];
    }
    return made;
}

// Own orientations: the axes of each scatter, by which only the sorted eigenvalues are left to share a shape.
Vectors own_axes(Parsimonious structure, std::span<const double> weight, std::span<const std::vector<double>> scatter,
                 std::size_t d) {
    const std::size_t k = weight.size();
    Vectors axes, values;
    for (const auto& each : scatter) {
        auto& own = axes.emplace_back(each);
        auto& found = values.emplace_back(d);
        symmetric_eigen(own, d, found);
        for (double& value : found) value = std::max(value, 0.0);
    }
    Vectors made;
    if (structure == Parsimonious::vev) {
        const Volumes found = common_diagonal(weight, values);
        for (std::size_t c = 0; c < k; ++c) {
            auto own = found.common;
            for (double& value : own) value *= found.volume[c];
            made.push_back(turned_back(axes[c], own));
        }
        return made;
    }
    std::vector<double> sum(d);
    for (const auto& each : values)
        for (std::size_t j = 0; j < d; ++j) sum[j] += each[j] / total(weight);
    for (const auto& own : axes) made.push_back(turned_back(own, sum));
    return made;
}

// Equal volumes, everything else own: S_k = l W_k / |W_k|^(1/d).
Vectors equal_determinant(std::span<const double> weight, std::span<const std::vector<double>> scatter, std::size_t d) {
    std::vector<double> size;
    for (const auto& each : scatter) {
        auto factor = each;
        size.push_back(factorize(factor, d) ? std::exp(log_determinant(factor, d) / static_cast<double>(d)) : least);
    }
    const double volume = total(size) / total(weight);
    Vectors made(scatter.begin(), scatter.end());
    for (std::size_t c = 0; c < made.size(); ++c)
        for (double& value : made[c]) value *= volume / size[c];
    return made;
}

// One orientation for all: planes of two axes are turned one after the other, each to where
// sum of trace(W_k D A_k^-1 D') is least, which within a plane is an eigenvector (Flury and Gautschi, 1986).
class CommonAxes {
public:
    CommonAxes(std::span<const double> weight, std::span<const std::vector<double>> scatter, std::size_t d,
               bool own_volume)
        : weight_(weight), turned_(scatter.begin(), scatter.end()), axes_(d * d), d_(d), own_volume_(own_volume) {}

    Vectors run() {
        start();
        double before = std::numeric_limits<double>::infinity();
        for (int step = 0; step < most_steps; ++step) {
            shape();
            if (before - deviance_ <= settled * (std::abs(deviance_) + total(weight_))) break;
            before = deviance_;
            for (std::size_t i = 0; i < d_; ++i)
                for (std::size_t j = i + 1; j < d_; ++j) turn(i, j);
        }
        shape();
        Vectors made;
        for (const auto& own : diagonal_) made.push_back(turned_back(axes_, own));
        return made;
    }

private:
    // From the axes of the pooled scatter; the scatters are seen from there.
    void start() {
        for (const auto& each : turned_)
            for (std::size_t at = 0; at < d_ * d_; ++at) axes_[at] += each[at];
        std::vector<double> values(d_), half(d_ * d_);
        symmetric_eigen(axes_, d_, values);
        for (auto& each : turned_) {
            multiply(axes_, each, half);
            multiply_transposed(half, axes_, each);
        }
    }
    void multiply(std::span<const double> a, std::span<const double> b, std::span<double> out) const {
        std::ranges::fill(out, 0.0);
        for (std::size_t i = 0; i < d_; ++i)
            for (std::size_t l = 0; l < d_; ++l)
                for (std::size_t j = 0; j < d_; ++j) out[i * d_ + j] += a[i * d_ + l] * b[l * d_ + j];
    }
    void multiply_transposed(std::span<const double> a, std::span<const double> b, std::span<double> out) const {
        for (std::size_t i = 0; i < d_; ++i)
            for (std::size_t j = 0; j < d_; ++j)
                out[i * d_ + j] = std::inner_product(&a[i * d_], &a[i * d_] + d_, &b[j * d_], 0.0);
    }
    // The variances along the axes, and the deviance they leave.
    void shape() {
        Vectors seen;
        for (const auto& each : turned_) {
            auto& own = seen.emplace_back(d_);
            for (std::size_t i = 0; i < d_; ++i) own[i] = std::max(each[i * (d_ + 1)], least);
        }
        deviance_ = 0;
        if (own_volume_) {
            for (std::size_t c = 0; c < seen.size(); ++c)
                for (double& value : seen[c]) {
                    value /= weight_[c];
                    deviance_ += weight_[c] * std::log(value);
                }
            diagonal_ = std::move(seen);
        } else {
            diagonal_ = equal_volume(weight_, seen);
            deviance_ = total(weight_) * static_cast<double>(d_) * std::log(geometric_mean(diagonal_[0]));
        }
    }
    void turn(std::size_t i, std::size_t j) {
        double ii = 0, ij = 0, jj = 0;
        for (std::size_t c = 0; c < turned_.size(); ++c) {
            const double pull = 1 / diagonal_[c][i] - 1 / diagonal_[c][j];
            ii += pull * turned_[c][i * (d_ + 1)];
            jj += pull * turned_[c][j * (d_ + 1)];
            ij += pull * turned_[c][i * d_ + j];
        }
        // The axis i goes to where the quadratic form (ii, ij, jj) is least, by the smaller angle.
        const double angle = 0.5 * std::atan2(-2 * ij, jj - ii);
        const double cosine = std::cos(angle), sine = std::sin(angle);
        if (sine == 0) return;
        for (auto& each : turned_) {
            for (std::size_t l = 0; l < d_; ++l) rotate(each[i * d_ + l], each[j * d_ + l], cosine, sine);
            for (std::size_t l = 0; l < d_; ++l) rotate(each[l * d_ + i], each[l * d_ + j], cosine, sine);
        }
        for (std::size_t l = 0; l < d_; ++l) rotate(axes_[i * d_ + l], axes_[j * d_ + l], cosine, sine);
    }
    static void rotate(double& x, double& y, double cosine, double sine) {
        const double first = cosine * x + sine * y;
        y = cosine * y - sine * x;
        x = first;
    }

    std::span<const double> weight_;
    Vectors turned_;            // scatters along the axes
    std::vector<double> axes_;  // one per row
    std::size_t d_;
    bool own_volume_;
    Vectors diagonal_;
    double deviance_ = 0;
};

}  // namespace

std::optional<Parsimonious> parsimonious_structure(const Settings& settings) {
    if (settings.sharing != Sharing::groups || settings.groups.size() != 1 || settings.groups[0].size() != 1) return {};
    const auto& names = enum_names<Parsimonious>;
    const auto found = std::ranges::find(names, settings.groups[0][0]);
    if (found == names.end()) return {};
    return static_cast<Parsimonious>(found - names.begin());
}

std::size_t covariance_parameter_count(Parsimonious structure, std::size_t class_count, std::size_t dimension) {
    const std::size_t k = class_count, d = dimension, square = d * (d + 1) / 2;
    switch (structure) {
        case Parsimonious::vei:
            return k + d - 1;
        case Parsimonious::evi:
            return 1 + k * (d - 1);
        case Parsimonious::vee:
            return square + k - 1;
        case Parsimonious::eve:
            return square + (k - 1) * (d - 1);
        case Parsimonious::vve:
            return square + (k - 1) * d;
        case Parsimonious::eev:
            return k * square - (k - 1) * d;
        case Parsimonious::vev:
            return k * square - (k - 1) * (d - 1);
        case Parsimonious::evv:
            return k * square - (k - 1);
    }
    return 0;
}

Vectors parsimonious_variances(Parsimonious structure, std::span<const double> weight,
                               std::span<const std::vector<double>> scatter) {
    if (structure == Parsimonious::evi) return equal_volume(weight, scatter);
    const Volumes found = common_diagonal(weight, scatter);
    Vectors made;
    for (const double volume : found.volume) {
        auto& own = made.emplace_back(found.common);
        for (double& value : own) value *= volume;
    }
    return made;
}

Vectors parsimonious_covariances(Parsimonious structure, std::span<const double> weight,
                                 std::span<const std::vector<double>> scatter, std::size_t dimension) {
    switch (structure) {
        case Parsimonious::vee:
            return common_matrix(weight, scatter, dimension);
        case Parsimonious::evv:
            return equal_determinant(weight, scatter, dimension);
        case Parsimonious::eve:
        case Parsimonious::vve:
            return CommonAxes(weight, scatter, dimension, structure == Parsimonious::vve).run();
        default:
            return own_axes(structure, weight, scatter, dimension);
    }
}

}  // namespace suffice
