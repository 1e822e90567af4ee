// Counts the words of documents.
#include "suffice/part/token_part.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/accumulate/word_run.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/special.hpp"
#include "suffice/score/counts_scorer.hpp"

namespace suffice {

TokenPart TokenPart::blank() const {
    TokenPart fresh;
    fresh.columns = columns;
    fresh.unit_length = unit_length;
    fresh.document_weight.resize(document_weight.size());
    fresh.log_carrier.resize(log_carrier.size());
    fresh.length_sum.resize(length_sum.size());
    fresh.length_square.resize(length_square.size());
    return fresh;
}

double TokenPart::weight() const { return std::accumulate(document_weight.begin(), document_weight.end(), 0.0); }

namespace {

// The words of one document and how often each occurs; no counts: once each.
struct DocumentWords {
    std::span<const std::uint32_t> word;
    std::span<const double> count = {};
    bool usable = true;
    double length = 0, carrier = 0;

    DocumentWords(const SparseBlock& rows, std::size_t row) {
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        word = rows.column.subspan(first, static_cast<std::size_t>(rows.row_start[row + 1]) - first);
        if (rows.value.empty()) {
            length = static_cast<double>(word.size());
            carrier = log_factorial(word.size());
            return;
        }
        count = rows.value.subspan(first, word.size());
        for (const double x : count) {
            usable = usable && x >= 0 && std::isfinite(x);
            length += x;
        }
        if (usable) carrier = log_arrangements(count.data(), count.size());
    }
};

std::span<const std::uint32_t> words_of(const SparseBlock& rows, std::size_t row_count) {
    const auto first = static_cast<std::size_t>(rows.row_start[0]);
    return rows.column.subspan(first, static_cast<std::size_t>(rows.row_start[row_count]) - first);
}

// Rows of no class first, then class by class, each in the order of the block.
std::vector<std::uint32_t> rows_by_class(std::span<const std::int32_t> code) {
    std::vector<std::uint32_t> rows(code.size());
    std::iota(rows.begin(), rows.end(), 0u);
    if (!std::ranges::is_sorted(code)) std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return code[row]; });
    return rows;
}

}  // namespace

void TokenPart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    const SparseBlock rows = tokens_of(block, columns[0]);
    const std::size_t count = row_count(block);
    if (count == 0) return;
    const auto add = [&](const DocumentWords& document, std::size_t c, double w) {
        if (!document.usable) return refused[0] += w, false;
        document_weight[c] += w;
        log_carrier[c] += w * document.carrier;
        length_sum[c] += w * document.length;
        length_square[c] += w * document.length * document.length;
        return true;
    };
    const auto words = words_of(rows, count);
    const std::uint32_t largest = words.empty() ? 0 : *std::ranges::max_element(words);
    if (membership.share != nullptr || largest >= WordRun::most_words) {
        for (std::size_t row = 0; row < count; ++row) {
            if (is_missing(block, row, columns[0])) continue;
            const DocumentWords document(rows, row);
            membership.for_each_class(row, [&](std::size_t c, double w) {
                if (add(document, c, w)) table.of_class(c).add(document.word, document.count, w);
            });
        }
    } else {
        auto& run = workspace.of<WordRun>();
        run.make_room(largest + 1, words.size());
        std::size_t before = 0;
        for (const std::uint32_t row : rows_by_class(membership.code)) {
            if (is_missing(block, row, columns[0])) continue;
            membership.for_each_class(row, [&](std::size_t c, double w) {
                if (c != before && !run.empty()) run.pour(table.of_class(before));
                before = c;
                const DocumentWords document(rows, row);
                if (add(document, c, w)) run.add(document.word, document.count, w);
            });
        }
        if (!run.empty()) run.pour(table.of_class(before));
    }
}

void TokenPart::merge(const TokenPart& from) {
    add_sums(document_weight, from.document_weight);
    add_sums(log_carrier, from.log_carrier);
    add_sums(length_sum, from.length_sum);
    add_sums(length_square, from.length_square);
    add_sums(refused, from.refused);
    table.merge(from.table);
}

void TokenPart::merge(const TokenPart& from, const Recoding& recoding) {
    add_sums(document_weight, recoding.classes.spread(from.document_weight));
    add_sums(log_carrier, recoding.classes.spread(from.log_carrier));
    add_sums(length_sum, recoding.classes.spread(from.length_sum));
    add_sums(length_square, recoding.classes.spread(from.length_square));
    add_sums(refused, from.refused);
    table.merge(from.table, recoding.classes, recoding.levels[columns[0]]);
}

void TokenPart::remove(const TokenPart& rows) {
    remove_sums(document_weight, rows.document_weight);
    remove_sums(log_carrier, rows.log_carrier);
    remove_sums(length_sum, rows.length_sum);
    remove_sums(length_square, rows.length_square);
    for (std::size_t c = 0; c < document_weight.size(); ++c)
        if (document_weight[c] == 0) log_carrier[c] = 0;
    remove_sums(refused, rows.refused);
    table.remove(rows.table);
}

void TokenPart::scale(double factor) {
    scale_sums(document_weight, factor);
    scale_sums(log_carrier, factor);
    scale_sums(length_sum, factor);
    scale_sums(length_square, factor);
    scale_sums(refused, factor);
    table.scale(factor);
}

namespace {

// Old codes stay as they are; only new ones follow.
bool only_grows(const CodeMap& map) {
    for (std::uint32_t k = 0; k < map.to.size(); ++k)
        if (map.to[k] != k) return false;
    return true;
}

}  // namespace

void TokenPart::recode(const Recoding& recoding) {
    const CodeMap& words = recoding.levels[columns[0]];
    if (!recoding.classes.is_identity()) {
        document_weight = recoding.classes.spread(document_weight);
        log_carrier = recoding.classes.spread(log_carrier);
        length_sum = recoding.classes.spread(length_sum);
        length_square = recoding.classes.spread(length_square);
    }
    if (!only_grows(recoding.classes) || !only_grows(words)) table.recode(recoding.classes, words);
}

bool TokenPart::valid(const Schema& schema) const {
    const std::size_t classes = schema.classes.size();
    if (columns.size() != 1 || !schema.holds(columns) || document_weight.size() != classes ||
        log_carrier.size() != classes || length_sum.size() != classes || length_square.size() != classes ||
        refused.size() != 1)
        return false;
    for (std::size_t c = 0; c < classes; ++c)
        if (!(document_weight[c] >= 0) || !std::isfinite(log_carrier[c]) || !std::isfinite(length_sum[c]) ||
            !std::isfinite(length_square[c]))
            return false;
    return table.valid(classes, schema.columns[columns[0]].levels.size());
}

std::size_t TokenPart::footprint(const Schema& schema) const {
    constexpr std::size_t usual = std::size_t{15} << 20;  // of a vocabulary that is yet to be found: four lanes
    return std::max(usual, schema.columns[columns[0]].levels.size() * 96);
}

Result<void> TokenPart::refuses(const Schema& schema) const {
    if (refused[0] > 0)
        return Error("there are counts of words that are below zero or infinite")
            .in_column(schema.columns[columns[0]].name);
    return {};
}

std::vector<double> TokenPart::level_weight(std::uint32_t column, std::size_t level_count) const {
    if (column != columns[0]) return {};
    std::vector<double> weight(level_count);
    table.for_each([&](const TokenTable::Entry& each) { weight[each.word] += each.documents; });
    return weight;
}

}  // namespace suffice
