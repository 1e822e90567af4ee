// Everything there is to say about posteriors beside the truth, gathered in one pass: a Statistic that merges.
//
// Row weights are read as counts: weight two is two rows, weight zero is none. Rows whose label the model does not know
// (code -1) are counted apart and enter no measure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/evaluate/calibration_line.hpp"
#include "suffice/evaluate/confusion.hpp"
#include "suffice/evaluate/curves.hpp"
#include "suffice/evaluate/posterior_rows.hpp"
#include "suffice/evaluate/reliability.hpp"
#include "suffice/evaluate/score_store.hpp"

namespace suffice {

struct Scores : LabelScores {
    std::uint64_t row_count = 0, unknown_row_count = 0;
    double weight = 0, unknown_weight = 0;
    Confusion confusion;

    Defined log_loss;  // posteriors kept away from 0 and 1 by 2^-52, as scikit-learn does
    Defined brier;     // sum over classes of squared differences; with two classes half of it, as scikit-learn does
    std::optional<BrierParts> brier_parts;
    Defined calibration_error;             // of the largest posterior, 15 bins of equal width
    Defined calibration_error_equal_mass;  // 15 bins of equal weight
    std::vector<ReliabilityBin> reliability, reliability_equal_mass;
    std::vector<std::optional<CalibrationLine>> calibration;  // of each class, one against the rest
    std::vector<Defined> top_k;  // [k - 1]: share of rows whose class is among the k most probable; ties in class order

    RocAreas roc_auc;            // empty, with what follows, where curves were not asked for
    Averaged average_precision;  // micro stays empty
    bool exact_curves = true;    // else from bins: score_store.hpp
};

class Evaluation {
public:
    static constexpr std::size_t class_limit = 4096;

    // Codes 0 to class_count - 1 are the model's classes in order. At most `limit` posteriors are kept for exact
    // curves.
    static Result<Evaluation> make(std::size_t class_count, std::size_t limit = ScoreStore::default_limit);
    Evaluation() = default;

    // Decisions: the class decided for each row, -1 where it was rejected; empty: the most probable class. On an Error
    // nothing has changed.
    Result<void> observe(const PosteriorRows& rows, std::span<const std::int32_t> decisions = {});
    Result<void> observe(std::int32_t truth, std::span<const double> posteriors, double weight = 1);
    // Both sides must have the same classes; an empty default is the identity.
    void merge(const Evaluation& from);
    double weight() const { return weight_; }
    bool operator==(const Evaluation&) const = default;

    // areas: curves without the calibration lines, which are searched for.
    enum class Curves : std::uint8_t { with, areas, without };
    Scores scores(Curves curves = Curves::with) const;

    std::size_t class_count() const { return class_count_; }
    std::span<const ReliabilityBin> reliability(std::size_t class_code) const { return per_class_[class_code].bins(); }
    const ScoreStore& store() const { return store_; }
    ThresholdCurve threshold_curve(std::size_t class_code) const;
    std::vector<RejectPoint> reject_curve() const { return suffice::reject_curve(store_.by_confidence()); }

private:
    explicit Evaluation(std::size_t class_count, std::size_t limit);

    std::size_t class_count_ = 0;
    std::uint64_t row_count_ = 0, unknown_row_count_ = 0;
    double weight_ = 0, unknown_weight_ = 0, log_loss_ = 0, brier_ = 0;
    Confusion confusion_;
    std::vector<double> rank_weight_;  // by how many classes stand before the truth
    ReliabilityBins top_;
    std::vector<ReliabilityBins> per_class_;
    ScoreStore store_;

public:
    static constexpr auto fields = FieldTuple{field("class_count", &Evaluation::class_count_),
                                              field("row_count", &Evaluation::row_count_),
                                              field("unknown_row_count", &Evaluation::unknown_row_count_),
                                              field("weight", &Evaluation::weight_),
                                              field("unknown_weight", &Evaluation::unknown_weight_),
                                              field("log_loss", &Evaluation::log_loss_),
                                              field("brier", &Evaluation::brier_),
                                              field("confusion", &Evaluation::confusion_),
                                              field("rank_weight", &Evaluation::rank_weight_),
                                              field("top", &Evaluation::top_),
                                              field("per_class", &Evaluation::per_class_),
                                              field("store", &Evaluation::store_)};
};

}  // namespace suffice
