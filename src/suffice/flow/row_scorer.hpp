// Scores one row at a time for services: made once from a model, it keeps its memory, so that scoring allocates
// nothing. One for each thread; the model behind them is shared.
//
//   suffice::RowScorer scorer(model);
//   scorer.set("country", "NL"), scorer.set("age", 41);
//   scorer.posteriors(out);
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "suffice/flow/model.hpp"

namespace suffice {

class RowScorer {
public:
    explicit RowScorer(const Model& model);

    std::size_t column_count() const { return row_.size(); }
    std::size_t class_count() const { return predictor_->class_count(); }

    // Columns in the model's order, NaN missing, categories as codes of their levels (unseen_level: none of them).
    Result<void> posteriors(std::span<const double> row, std::span<double> out);
    // The same and log p(x).
    Result<double> log_evidence(std::span<const double> row, std::span<double> out);

    // By name. A word that is no level of its column counts as one that was never seen; what is not set is missing.
    Result<void> set(std::string_view column, double value);
    Result<void> set(std::string_view column, std::string_view word);
    void clear();
    Result<void> posteriors(std::span<double> out) { return posteriors(row_, out); }
    std::span<const double> row() const { return row_; }

private:
    // Words are looked up without being copied.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
    };
    using Codes = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

    Result<std::uint32_t> place_of(std::string_view column) const;
    Result<void> score(std::span<const double> row, std::span<double> out, double* evidence);

    std::shared_ptr<const Predictor> predictor_;
    Codes columns_;
    std::vector<Codes> levels_;  // by column
    std::vector<double> row_;
    Workspace workspace_;
};

}  // namespace suffice
