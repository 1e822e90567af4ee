// Scores one row in memory that is kept from call to call.
#include "suffice/flow/row_scorer.hpp"

#include <algorithm>
#include <limits>

#include "suffice/kernel/softmax.hpp"

namespace suffice {

RowScorer::RowScorer(const Model& model) : predictor_(model.share()) {
    const auto& columns = predictor_->schema().columns;
    levels_.resize(columns.size());
    for (std::uint32_t k = 0; k < columns.size(); ++k) {
        columns_.emplace(columns[k].name, k);
        if (columns[k].kind != ColumnKind::category) continue;
        for (std::uint32_t level = 0; level < columns[k].levels.size(); ++level)
            levels_[k].emplace(columns[k].levels[level], level);
    }
    row_.resize(columns.size());
    // Scores nothing of interest, so that all memory that scoring needs is there: of usual rows, and of those with
    // holes.
    std::vector<double> out(class_count());
    (void)posteriors(row_, out);
    (void)log_evidence(row_, out);
    clear();
    (void)posteriors(row_, out);
}

void RowScorer::clear() { std::ranges::fill(row_, std::numeric_limits<double>::quiet_NaN()); }

Result<std::uint32_t> RowScorer::place_of(std::string_view column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end()) return Error(ErrorKind::usage, "the model has no column " + std::string(column));
    return found->second;
}

Result<void> RowScorer::set(std::string_view column, double value) {
    const auto place = place_of(column);
    if (!place) return place.error();
    const ColumnKind kind = predictor_->schema().columns[*place].kind;
    if (kind == ColumnKind::category || kind == ColumnKind::text)
        return Error("the model knows words here, and a number was given").in_column(std::string(column));
    row_[*place] = value;
    return {};
}

Result<void> RowScorer::set(std::string_view column, std::string_view word) {
    const auto place = place_of(column);
    if (!place) return place.error();
    switch (predictor_->schema().columns[*place].kind) {
        case ColumnKind::category: {
            const auto found = levels_[*place].find(word);
            row_[*place] = found == levels_[*place].end() ? unseen_level : found->second;
            return {};
        }
        case ColumnKind::text:
            return Error("text is scored with its document; a row scorer takes numbers and categories")
                .in_column(std::string(column));
        default:
            return Error("the model knows numbers here, and the word " + std::string(word) + " was given")
                .in_column(std::string(column));
    }
}

Result<void> RowScorer::posteriors(std::span<const double> row, std::span<double> out) {
    return score(row, out, nullptr);
}

Result<double> RowScorer::log_evidence(std::span<const double> row, std::span<double> out) {
    if (auto dense = predictor_->check_density(); !dense) return dense.error();
    double evidence = 0;
    if (auto scored = score(row, out, &evidence); !scored) return scored.error();
    return evidence;
}

Result<void> RowScorer::score(std::span<const double> row, std::span<double> out, double* evidence) {
    if (row.size() != row_.size())
        return Error("the row has " + std::to_string(row.size()) + " columns, the model " +
                     std::to_string(row_.size()));
    if (out.size() < class_count())
        return Error(ErrorKind::usage, "there is room for " + std::to_string(out.size()) + " posteriors of " +
                                           std::to_string(class_count()) + " classes");
    const Block block = DenseBlock{row.data(), Element::f64, 1, row.size(), static_cast<std::ptrdiff_t>(row.size()), 1};
    const kernel::Tile joint{out.data(), 1, class_count(), 1};
    const Exactness exactness = evidence != nullptr ? Exactness::density : Exactness::posterior;
    if (auto scored = predictor_->score_tile(block, joint, exactness, workspace_, 0); !scored) return scored;
    kernel::softmax(joint, evidence);
    return {};
}

}  // namespace suffice
