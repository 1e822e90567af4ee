// Explains the rows of files.
#include "suffice/flow/explain.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/read/word_look.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

std::string value_text(const LabeledBlock& block, std::size_t row, std::uint32_t column, const Schema& schema) {
    const double value = value_at(block.rows, row, column);
    const Column& about = schema.columns[column];
    if (std::isnan(value)) return {};
    if (about.kind == ColumnKind::category) return value < 0 ? "unseen" : about.levels[static_cast<std::size_t>(value)];
    std::string text;
    append_number(text, value);
    return text;
}

Result<std::vector<ExplainedRow>> explain_block(const Predictor& model, const LabeledBlock& block,
                                                const TableUnit& unit, const std::vector<std::size_t>& text_columns) {
    Context alone;
    alone.thread_count = 1;
    const std::size_t classes = model.class_count();
    std::vector<double> posteriors(block.size() * classes);
    ScoreSink sink;
    sink.scores = posteriors.data();
    sink.stride = static_cast<std::ptrdiff_t>(classes);
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
    std::vector<ExplainedRow> explained;
    for (std::size_t row = 0; row < block.size(); ++row) {
        explained.push_back(explain_row(model, block, row, std::span(posteriors).subspan(row * classes, classes)));
        for (const std::size_t column : text_columns)
            explained.back().texts.emplace_back(text_at(unit.columns[column], row));
    }
    return explained;
}

}  // namespace

ExplainedRow explain_row(const Predictor& model, const LabeledBlock& block, std::size_t row,
                         std::span<const double> posterior) {
    ExplainedRow made;
    made.number = block.first_row + row + 1;
    made.posterior.assign(posterior.begin(), posterior.end());
    made.best = static_cast<std::size_t>(std::ranges::max_element(made.posterior) - made.posterior.begin());
    made.second = made.best == 0 ? 1 : 0;
    for (std::size_t c = 0; c < posterior.size(); ++c)
        if (c != made.best && made.posterior[c] > made.posterior[made.second]) made.second = c;
    made.explanation = model.contributions(block.rows, row);
    std::ranges::stable_sort(made.explanation.terms, {}, &Explanation::Term::column);
    for (const auto& term : made.explanation.terms)
        made.values.push_back(term.level != Explanation::no_level
                                  ? model.schema().columns[term.column].levels[term.level]
                                  : value_text(block, row, term.column, model.schema()));
    return made;
}

Result<std::vector<Note>> explain(const Model& model, const Data& data, const ApplyOptions& options,
                                  const ExplanationSink& sink, const Context& context) {
    return guarded([&]() -> Result<std::vector<Note>> {
        auto applied = open_for_model(model, data, options);
        if (!applied) return applied.error();
        std::vector<std::size_t> text_columns;  // where they stand in the table
        const auto& found = applied->data.reader->columns();
        for (const Column& column : model.schema().columns)
            if (const auto at = std::ranges::find(found, column.name, &FoundColumn::name);
                column.kind == ColumnKind::text && at != found.end())
                text_columns.push_back(static_cast<std::size_t>(at - found.begin()));
        auto done = map_in_order(
            *applied->data.stream, context,
            [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane& lane, Workspace&) {
                return explain_block(model.predictor(), block, TableStream::unit_of(lane), text_columns);
            },
            [&](const std::vector<ExplainedRow>& rows) -> Result<void> {
                for (const auto& row : rows)
                    if (auto taken = sink(row); !taken) return taken;
                return {};
            });
        if (!done) return in_data(done.error(), *applied->data.reader);
        return std::move(applied->data.notes);
    });
}

}  // namespace suffice
