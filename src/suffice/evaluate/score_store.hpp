// What curves are drawn from: all scores while they are few, then a histogram of them whose error is known.
//
// Up to `limit` posteriors (rows x classes) rows are kept as they are and curves are exact. Beyond it posteriors fall
// into bins of fixed edges, alike on the side of 0 and of 1: 256 to an octave of p (or of 1 - p) down to 2^-64 (2^-53),
// one to an octave below that; 32 with more than 8 classes, 4 with more than 256. Scores of one bin count as tied, so
// an area under the ROC curve is off by at most half the share of positive-negative pairs that meet in a bin, which
// RocAreas reports. Whether rows or bins are kept depends on the total number of rows only, not on the order or cut in
// which they came.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/archive.hpp"

namespace suffice {

struct ScoredWeight {
    double score = 0;
    double weight = 0;
    std::int32_t truth = 0;  // a class code; -1: some other class than the one asked for
};

// Monotone in the posterior.
class PosteriorBins {
public:
    explicit PosteriorBins(std::size_t class_count = 0);
    std::size_t count() const { return low_ + high_ + 2; }
    std::size_t bin_of(double posterior) const;
    double middle(std::size_t bin) const;
    bool operator==(const PosteriorBins&) const = default;

private:
    unsigned fraction_bits_ = 0;
    std::size_t low_ = 0, high_ = 0;  // bins for (0, 0.5) and for [0.5, 1); 0 and 1 have their own
};

class ScoreStore {
public:
    static constexpr std::size_t default_limit = 4'000'000;
    static constexpr std::size_t binned_pair_limit =
        32;  // up to so many classes bins are kept by truth: pairwise areas

    explicit ScoreStore(std::size_t class_count = 0, std::size_t limit = default_limit);

    void observe(std::int32_t truth, std::span<const double> posteriors, double weight);
    void merge(const ScoreStore& from);
    bool operator==(const ScoreStore&) const = default;
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

    bool exact() const { return bins_.empty(); }
    bool knows_pairs() const { return exact() || by_truth(); }
    std::size_t row_count() const { return truths_.size(); }  // rows kept
    std::int32_t truth(std::size_t row) const { return truths_[row]; }
    double weight(std::size_t row) const { return weights_[row]; }
    std::span<const double> posteriors(std::size_t row) const {
        return std::span(posteriors_).subspan(row * class_count_, class_count_);
    }

    // From high to low by the posterior of one class; by the largest posterior, truth 1 where it was right and 0 where
    // not.
    std::vector<ScoredWeight> by_class(std::size_t class_code) const;
    std::vector<ScoredWeight> by_confidence() const;

private:
    bool by_truth() const { return class_count_ <= binned_pair_limit; }
    std::size_t side_count() const { return by_truth() ? class_count_ : 2; }
    void bin(std::int32_t truth, std::span<const double> posteriors, double weight);
    void turn_into_bins();

    std::size_t class_count_ = 0, limit_ = 0;
    PosteriorBins edges_;
    std::vector<std::int32_t> truths_;
    std::vector<double> weights_, posteriors_;
    std::vector<double> bins_;             // class x side x bin; sides are truths, or 0 = other and 1 = the class
    std::vector<double> confidence_bins_;  // (wrong, right) x bin
};

}  // namespace suffice
