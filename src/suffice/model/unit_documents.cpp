// Weighs the words of a block of rows on their way into a statistic.
#include "suffice/model/unit_documents.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/fold.hpp"
#include "suffice/model/labeled_rows.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {
namespace {

struct TermWeights {
    std::uint32_t column = 0;
    std::vector<double> of_word;
};

// Counts times the weights of the words, each row then of length one.
void weigh(const SparseBlock& rows, const std::vector<double>& weight, std::vector<double>& values) {
    values.assign(rows.column.size(), 0.0);
    for (std::size_t row = 0; row + 1 < rows.row_start.size(); ++row) {
        double square = 0;
        for (auto k = static_cast<std::size_t>(rows.row_start[row]);
             k < static_cast<std::size_t>(rows.row_start[row + 1]); ++k) {
            if (rows.column[k] < weight.size())
                values[k] = rows.value_at(static_cast<std::int64_t>(k)) * weight[rows.column[k]];
            square += values[k] * values[k];
        }
        if (square > 0)
            std::for_each(values.begin() + rows.row_start[row], values.begin() + rows.row_start[row + 1],
                          [length = std::sqrt(square)](double& value) { value /= length; });
    }
}

struct WeighedColumns {
    std::vector<ColumnView> views;
    std::vector<std::vector<double>> values;
};

struct WeighedRows {
    using Statistic = ModelStatistic;
    LabeledRows rows;
    std::vector<TermWeights> terms;

    ModelStatistic empty() const { return rows.empty(); }
    std::size_t footprint() const { return rows.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema& names,
                         Workspace& workspace) const {
        const auto* block = std::get_if<ColumnBlock>(&unit.rows);
        if (block == nullptr) return Error(ErrorKind::usage, "documents are scaled to length one where they are text");
        auto& weighed = workspace.of<WeighedColumns>();
        weighed.views.assign(block->columns.begin(), block->columns.end());
        weighed.values.resize(terms.size());
        for (std::size_t t = 0; t < terms.size(); ++t) {
            SparseBlock& tokens = weighed.views[terms[t].column].tokens;
            weigh(tokens, terms[t].of_word, weighed.values[t]);
            tokens.value = weighed.values[t];
        }
        LabeledBlock same = unit;
        same.rows = ColumnBlock{weighed.views, block->row_count, block->first_row};
        return rows.observe(into, same, names, workspace);
    }
};

}  // namespace

Result<ModelState> fit_unit_documents(const ModelState& blank, Stream& rows, const Context& context) {
    const LabeledRows counts{blank.statistic.blank()};
    const auto counted = fold(counts, rows, context);
    if (!counted) return counted.error();
    WeighedRows pass{counts, {}};
    for (std::size_t p = 0; p < counted->parts.size(); ++p) {
        const auto* tokens = counted->parts[p].as<TokenPart>();
        if (tokens == nullptr) continue;
        const Column& column = counted->schema.columns[tokens->columns[0]];
        auto weights = tokens->term_weights(blank.settings, column.levels.size());
        if (!weights.empty() && std::ranges::all_of(weights, [](double each) { return each == 0; }))
            return Error(ErrorKind::usage, "no word is left within the bounds on documents per word")
                .in_column(column.name);
        pass.terms.push_back({tokens->columns[0], std::move(weights)});
        pass.rows.blank.parts[p].as<TokenPart>()->unit_length = true;
    }
    if (pass.terms.empty())
        return Error(ErrorKind::usage,
                     "documents are scaled to length one where a column holds text as counts of words");
    if (auto again = rows.rewind(); !again) return again.error();
    auto weighed = fold(pass, rows, context);
    if (!weighed) return weighed.error();
    ModelState made = blank;
    made.statistic = std::move(*weighed);
    made.statistic.tidy();
    made.passes = Passes::weighed_documents;
    return made;
}

}  // namespace suffice
