// Smooths counts and takes logarithms; levels that a class never had share one logarithm.
#include "suffice/estimate/counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "suffice/family/probability.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

// Counts are small, so most logarithms of a table repeat: log (n + smoothing) of whole n below 1024.
class SmallLogs {
public:
    explicit SmallLogs(double smoothing) : smoothing_(smoothing) { log_.fill(not_yet); }
    double operator()(double count) {
        if (count >= 0 && count < static_cast<double>(log_.size()))
            if (const auto n = static_cast<std::size_t>(count); static_cast<double>(n) == count) {
                if (log_[n] == not_yet) log_[n] = std::log(count + smoothing_);
                return log_[n];
            }
        return std::log(count + smoothing_);
    }

private:
    static constexpr double not_yet = std::numeric_limits<double>::max();
    double smoothing_;
    std::array<double, 1024> log_;
};

}  // namespace

std::vector<double> CountMatrix::class_totals() const {
    if (!known_totals.empty()) return known_totals;
    std::vector<double> total(class_count);
    for (std::size_t k = 0; k < level_count; ++k)
        for (std::size_t c = 0; c < class_count; ++c) total[c] += level(k)[c];
    return total;
}

double multinomial_weights(const CountMatrix& counts, double smoothing) {
    std::vector<double> total = counts.class_totals(), never(counts.class_count), log_total(counts.class_count);
    for (std::size_t c = 0; c < total.size(); ++c) {
        total[c] += smoothing * static_cast<double>(counts.level_count);
        never[c] = total[c] > 0 ? log_kept(smoothing / total[c]) : -std::log(static_cast<double>(counts.level_count));
        log_total[c] = std::log(total[c]);
    }
    SmallLogs log_smoothed(smoothing);
    double log_likelihood = 0;
    for (std::size_t k = 0; k < counts.level_count; ++k) {
        double* row = counts.level(k);
        for (std::size_t c = 0; c < total.size(); ++c) {
            const double count = row[c];
            if (count == 0) {
                row[c] = never[c];
                continue;
            }
            row[c] = log_smoothed(count) - log_total[c];
            log_likelihood += count * row[c];
        }
    }
    return log_likelihood;
}

SparseMultinomial::SparseMultinomial(std::span<const double> totals, std::size_t level_count, double smoothing)
    : smoothing_(smoothing), totals_(totals.begin(), totals.end()), log_(small), tally_(small) {
    const auto levels = static_cast<double>(level_count);
    for (const double total : totals) {
        const double smoothed = total + smoothing * levels;
        never_.push_back(smoothed > 0 ? log_kept(smoothing / smoothed) : -std::log(levels));
        log_total_.push_back(smoothed > 0 ? std::log(smoothed) : 0);
    }
    for (std::size_t n = 1; n < small; ++n) log_[n] = std::log(static_cast<double>(n) + smoothing);
}

double SparseMultinomial::take_large(double count) {
    large_.push_back(count);
    return std::log(count + smoothing_);
}

double SparseMultinomial::log_likelihood() const {
    double sum = 0;
    for (std::size_t n = 1; n < small; ++n) sum += static_cast<double>(tally_[n]) * static_cast<double>(n) * log_[n];
    std::vector<double> large = large_;
    std::ranges::sort(large);
    for (const double count : large) sum += count * std::log(count + smoothing_);
    for (std::size_t c = 0; c < totals_.size(); ++c) sum -= totals_[c] * log_total_[c];
    return sum;
}

void complement_weights(const CountMatrix& counts, double smoothing, bool normalize) {
    const std::vector<double> own = counts.class_totals();
    double all = smoothing * static_cast<double>(counts.level_count);
    for (double total : own) all += total;
    std::vector<double> sum(own.size());
    for (std::size_t k = 0; k < counts.level_count; ++k) {
        double* row = counts.level(k);
        double everywhere = 0;
        for (std::size_t c = 0; c < own.size(); ++c) everywhere += row[c];
        double known_total = -1, known = 0;  // most classes lack most words: one logarithm less each
        for (std::size_t c = 0; c < own.size(); ++c) {
            const double others = everywhere - row[c] + smoothing;
            if (others != known_total) {
                known_total = others;
                known = log_kept(others);
            }
            row[c] = known - std::log(kept(all - own[c]));
            sum[c] += row[c];
        }
    }
    for (std::size_t k = 0; k < counts.level_count; ++k)
        for (std::size_t c = 0; c < own.size(); ++c) {
            double& weight = counts.level(k)[c];
            weight = normalize ? weight / sum[c] : -weight;
        }
}

PresenceBaseline presence_weights(const CountMatrix& documents, std::span<const double> document_weight,
                                  double smoothing) {
    const std::size_t classes = documents.class_count;
    PresenceBaseline baseline{std::vector<double>(classes), 0};
    std::vector<double> never(classes), never_absent(classes);
    for (std::size_t c = 0; c < classes; ++c) {
        const double p = kept(smoothing / (document_weight[c] + 2 * smoothing));
        never_absent[c] = log_complement(p);
        never[c] = std::log(p) - never_absent[c];
    }
    for (std::size_t k = 0; k < documents.level_count; ++k) {
        double* row = documents.level(k);
        for (std::size_t c = 0; c < classes; ++c) {
            const double count = row[c];
            double absent = never_absent[c];
            row[c] = never[c];
            if (count != 0) {
                const double p = kept((count + smoothing) / (document_weight[c] + 2 * smoothing));
                absent = log_complement(p);
                row[c] = std::log(p) - absent;
            }
            baseline.by_class[c] += absent;
            baseline.log_likelihood += count * row[c] + document_weight[c] * absent;
        }
    }
    return baseline;
}

DirichletTotals dirichlet_weights(const CountMatrix& counts, double smoothing) {
    DirichletTotals posterior{counts.class_totals(), 0};
    const double prior = smoothing * static_cast<double>(counts.level_count);
    for (double& total : posterior.total) {
        posterior.log_evidence += log_gamma(prior) - log_gamma(prior + total);
        total += prior;
    }
    const double log_smoothing = std::log(smoothing), start = log_gamma(smoothing);
    for (std::size_t k = 0; k < counts.level_count; ++k) {
        double* row = counts.level(k);
        for (std::size_t c = 0; c < counts.class_count; ++c) {
            const double count = row[c];
            row[c] = count == 0 ? log_smoothing : std::log(count + smoothing);
            if (count != 0) posterior.log_evidence += log_gamma(count + smoothing) - start;
        }
    }
    return posterior;
}

}  // namespace suffice
