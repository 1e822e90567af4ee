// Texts in C: counts of words, in columns of their own.
#include <algorithm>

#include "suffice/export/c_writer.hpp"

namespace suffice {
namespace {

// Every place that names a column.
template <class Visit>
void each_column(ScoreExpression& score, Visit visit) {
    for (CurveTerm& term : score.curves) {
        visit(term.column);
        for (ColumnFunction& each : term.functions) visit(each.other);
    }
    for (BellTerm& term : score.bells) visit(term.column);
    for (PieceTerm& term : score.pieces) visit(term.column);
    for (WordTerm& term : score.words) visit(term.column);
    const auto visit_all = [&](std::vector<std::uint32_t>& columns) { std::ranges::for_each(columns, visit); };
    for (RiseTerm& term : score.rises) visit_all(term.columns);
    for (TableTerm& term : score.tables) visit_all(term.columns);
    for (GaussianTerm& term : score.gaussians) visit_all(term.columns);
}

}  // namespace

ExportedModel with_counted_words(ExportedModel model) {
    std::vector<Column> columns;
    std::vector<std::uint32_t> place;  // by column as it was
    for (std::uint32_t k = 0; k < model.schema.columns.size(); ++k) {
        place.push_back(static_cast<std::uint32_t>(columns.size()));
        Column& column = model.schema.columns[k];
        const auto term = std::ranges::find(model.score.words, k, &WordTerm::column);
        if (term == model.score.words.end()) {
            columns.push_back(std::move(column));
            continue;
        }
        for (const auto word : term->words) columns.push_back({column.levels[word]});
    }
    model.schema.columns = std::move(columns);
    each_column(model.score, [&](std::uint32_t& column) { column = place[column]; });
    return model;
}

void CWriter::words(const WordTerm& term) {
    const std::string first = "values[" + std::to_string(term.column), value = first + " + k]";
    const bool by_length = !term.length_weight.empty() || !term.length_rises.empty(), norm = !term.norm.empty();
    line("if (" + first + "] == " + first + "]) {");
    line(term.urn ? doubles_by_class("base", term.weight)
                  : of("weight", term.weight.size()) + table(term.weight) + ";");
    if (norm) line("static const double norm[] = " + doubles(term.norm) + ";");
    line("real sum[WIDTH] = " + numbers(term.start) + ";");
    if (norm) line("double square = 0;");
    if (by_length) line("double length = 0;");
    line("for (k = 0; k < " + std::to_string(term.words.size()) + "; ++k) {");
    line("    const double u = " + (term.distinct ? value + " > 0 ? 1 : 0" : value) + ";");
    line("    if (!(u > 0)) continue;");
    if (norm) line("    square += u * norm[k] * u * norm[k];");
    if (by_length) line("    length += u;");
    line(term.urn ? "    for (c = 0; c < WIDTH; ++c) sum[c] += (real)rise(base[k][c], u);"
                  : "    for (c = 0; c < WIDTH; ++c) sum[c] += weight[k][c] * (real)u;");
    line("}");
    if (norm) {
        line("if (square > 0)");
        line("    for (c = 0; c < WIDTH; ++c) sum[c] /= (real)sqrt(square);");
    }
    length_of_text(term);
    line("for (c = 0; c < WIDTH; ++c) joint[c] += sum[c];");
    line("}");
}

void CWriter::length_of_text(const WordTerm& term) {
    if (!term.length_weight.empty()) {
        line("{");
        line("static const double by_length[] = " + doubles(term.length_weight) + ";");
        line("for (c = 0; c < WIDTH; ++c) sum[c] += (real)(by_length[c] * length);");
        line("}");
    }
    for (const RiseTerm& each : term.length_rises) {
        line("if (length > 0) {");
        line("static const double start[] = " + doubles(each.base) + ", factor[] = " + doubles(each.weight) + ";");
        line("for (c = 0; c < WIDTH; ++c) sum[c] += (real)(factor[c] * rise(start[c], length));");
        line("}");
    }
}

}  // namespace suffice
