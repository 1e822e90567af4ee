// Counts of words or events per class -> the weights that score them: multinomial, complement, Bernoulli and the
// Dirichlet-multinomial. McCallum & Nigam, "A comparison of event models for naive Bayes text classification", 1998;
// Rennie et al., "Tackling the poor assumptions of naive Bayes text classifiers", 2003.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace suffice {

// count[level * stride + class], turned into weights in place.
struct CountMatrix {
    double* values = nullptr;
    std::size_t level_count = 0, class_count = 0, stride = 0;
    std::vector<double> known_totals = {};  // by class, where the caller has them already

    double* level(std::size_t at) const { return values + at * stride; }
    std::vector<double> class_totals() const;
};

// log (n + a)/(N + a L); a class without any count has all levels alike. Returns the sum of n log p: the log-likelihood
// without its carrier.
double multinomial_weights(const CountMatrix& counts, double smoothing);

// The same where most counts are zero: rows are filled with `never`, and each whole count above zero is taken once, in
// any order; the likelihood has the same bits whatever it is.
class SparseMultinomial {
public:
    SparseMultinomial(std::span<const double> totals, std::size_t level_count, double smoothing);

    const std::vector<double>& never() const { return never_; }  // by class
    double take(std::size_t c, double count) {
        if (!(count < static_cast<double>(small))) return take_large(count) - log_total_[c];
        const auto n = static_cast<std::size_t>(count);
        ++tally_[n];
        return log_[n] - log_total_[c];
    }
    double log_likelihood() const;

private:
    static constexpr std::size_t small = 1024;  // counts are small, so most logarithms repeat
    double take_large(double count);

    double smoothing_;
    std::vector<double> totals_, never_, log_total_;
    std::vector<double> log_;           // log (n + a) by n
    std::vector<std::uint64_t> tally_;  // how often each n was taken
    std::vector<double> large_;
};

// -log of the smoothed share of each level in all other classes; normalised: each class's logarithms divided by their
// sum. These are scores, not densities.
void complement_weights(const CountMatrix& counts, double smoothing, bool normalize);

// From the number of documents that have each level: log p/(1 - p) with p = (n + a)/(N + 2a), and what a document
// without any level scores.
struct PresenceBaseline {
    std::vector<double> by_class;
    double log_likelihood = 0;
};
PresenceBaseline presence_weights(const CountMatrix& documents, std::span<const double> document_weight,
                                  double smoothing);

// log (n + a): the posterior Dirichlet, whose predictive counts a repeated word as ever more likely. `total` is its sum
// per class. Needs smoothing above zero.
struct DirichletTotals {
    std::vector<double> total;
    double log_evidence = 0;  // without the carrier
};
DirichletTotals dirichlet_weights(const CountMatrix& counts, double smoothing);

}  // namespace suffice
