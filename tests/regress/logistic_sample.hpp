// Random rows to regress on, and the objective of softmax regression by its definition.
#pragma once
#include <cmath>
#include <vector>

#include "suffice/data/stream.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/regress/logistic.hpp"

namespace suffice {

// Columns of very different size and place, so that nothing converges by luck.
struct Problem {
    std::vector<double> values, weights;
    std::vector<std::int32_t> labels;
    Schema schema;

    Problem(std::size_t rows, std::size_t d, std::size_t k, std::uint64_t seed = 3, double signal = 1) {
        Rng rng(seed, "logistic");
        for (std::size_t j = 0; j < d; ++j) schema.columns.push_back({"x" + std::to_string(j)});
        for (std::size_t c = 0; c < k; ++c) schema.classes.push_back("c" + std::to_string(c));
        std::vector<double> truth(k * d);
        for (double& w : truth) w = signal * sample_normal(rng);
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<double> x(d);
            for (std::size_t j = 0; j < d; ++j) {
                x[j] = sample_normal(rng);
                values.push_back(10.0 * static_cast<double>(j) + (1 + static_cast<double>(j)) * x[j]);
            }
            std::int32_t best = 0;
            double most = -1e300;
            for (std::size_t c = 0; c < k; ++c) {
                double score = 1.5 * sample_normal(rng);
                for (std::size_t j = 0; j < d; ++j) score += truth[c * d + j] * x[j];
                if (score > most) most = score, best = static_cast<std::int32_t>(c);
            }
            labels.push_back(row < k ? static_cast<std::int32_t>(row) : best);
            weights.push_back(0.5 + static_cast<double>(row % 3));
        }
    }
    std::size_t width() const { return schema.columns.size(); }
    LabeledBlock block() const {
        return {
            DenseBlock{values.data(), Element::f64, labels.size(), width(), static_cast<std::ptrdiff_t>(width()), 1},
            labels, weights, 0};
    }
    Result<LogisticFit> fit(const LogisticSettings& settings, unsigned threads = 1) const {
        MemoryStream stream(block(), schema);
        Context context;
        context.thread_count = threads;
        return fit_logistic(schema, Features::of(schema).value(), stream, settings, context);
    }
    // By the definition, row after row; the gradient is by class: coefficients, then the intercept.
    double objective(const LogisticParameter& at, double penalty, std::vector<double>* gradient = nullptr) const {
        const std::size_t k = schema.classes.size(), d = width();
        double sum = 0;
        if (gradient != nullptr) gradient->assign(k * (d + 1), 0.0);
        for (std::size_t row = 0; row < labels.size(); ++row) {
            std::vector<double> score(at.intercept);
            double most = -1e300, total = 0;
            for (std::size_t c = 0; c < k; ++c) {
                for (std::size_t j = 0; j < d; ++j) score[c] += at.coefficient[c * d + j] * values[row * d + j];
                most = std::max(most, score[c]);
            }
            for (double s : score) total += std::exp(s - most);
            const auto own = static_cast<std::size_t>(labels[row]);
            const double w = weights.empty() ? 1.0 : weights[row];
            sum += w * (most + std::log(total) - score[own]);
            for (std::size_t c = 0; gradient != nullptr && c < k; ++c) {
                const double residual = w * (std::exp(score[c] - most) / total - (c == own ? 1 : 0));
                for (std::size_t j = 0; j < d; ++j) (*gradient)[c * (d + 1) + j] += residual * values[row * d + j];
                (*gradient)[c * (d + 1) + d] += residual;
            }
        }
        const double each = k == 2 ? 2 * penalty : penalty;
        for (std::size_t i = 0; i < at.coefficient.size(); ++i) {
            sum += each / 2 * at.coefficient[i] * at.coefficient[i];
            if (gradient != nullptr) (*gradient)[i / d * (d + 1) + i % d] += each * at.coefficient[i];
        }
        return sum;
    }
};

}  // namespace suffice
