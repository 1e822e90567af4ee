// Counts the words of documents, and makes scorers of the counts.
#include "suffice/part/token_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/accumulate/word_run.hpp"
#include "suffice/encode/text_weight.hpp"
#include "suffice/estimate/counts.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/text_rows.hpp"
#include "suffice/math/special.hpp"
#include "suffice/score/counts_scorer.hpp"
#include "suffice/score/token_scorer.hpp"

namespace suffice {

TokenPart TokenPart::blank() const {
    TokenPart fresh;
    fresh.columns = columns;
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

namespace {

constexpr std::size_t many_words = std::size_t{2} << 20;  // worth a word of advice

// Fills row_of_word and word_of_row where not every word is kept.
void select_words(const TokenPart& part, const Settings& settings, std::size_t word_count, TokenWeights& into) {
    into.row_count = word_count;
    const double documents = part.weight();
    const double least = settings.min_documents < 1 ? settings.min_documents * documents : settings.min_documents;
    const double most = settings.max_documents <= 1 ? settings.max_documents * documents : settings.max_documents;
    if (settings.min_documents <= 1 && settings.min_documents >= 1 && most >= documents && settings.max_words == 0)
        return;
    std::vector<double> in_documents(word_count), in_all(word_count);
    part.table.for_each([&](const TokenTable::Entry& each) {
        in_documents[each.word] += each.documents;
        in_all[each.word] += each.count;
    });
    std::vector<std::uint32_t> order(word_count);
    std::iota(order.begin(), order.end(), 0u);
    into.word_of_row = select_terms(in_documents, in_all, order, least, most, settings.max_words);
    into.row_count = into.word_of_row.size();
    into.row_of_word.assign(word_count, TokenWeights::no_row);
    for (std::uint32_t k = 0; k < into.row_count; ++k) into.row_of_word[into.word_of_row[k]] = k;
}

WordScore score_of(const Settings& settings) {
    if (settings.complement) return WordScore::complement;
    if (settings.presence) return WordScore::presence;
    return settings.estimate == Estimate::predictive ? WordScore::dirichlet : WordScore::multinomial;
}

// Scikit-learn's smoothed inverse document frequency, by row.
std::vector<double> idf_of_rows(const TokenPart& part, const TokenWeights& made, std::size_t word_count) {
    std::vector<double> in_documents(word_count), idf(made.row_count);
    part.table.for_each([&](const TokenTable::Entry& each) { in_documents[each.word] += each.documents; });
    for (std::size_t k = 0; k < made.row_count; ++k)
        idf[k] =
            std::log((1 + part.weight()) / (1 + in_documents[made.word_of_row.empty() ? k : made.word_of_row[k]])) + 1;
    return idf;
}

void scale_rows(const CountMatrix& rows, const std::vector<double>& factor) {
    for (std::size_t k = 0; k < rows.level_count; ++k)
        for (std::size_t c = 0; c < rows.class_count; ++c) rows.level(k)[c] *= factor[k];
}

// By moments: a variance above the mean is that of a negative binomial, m + m^2/r; else Poisson.
std::vector<LengthModel> length_models(const TokenPart& part, DocumentLength kind) {
    std::vector<LengthModel> models;
    for (std::size_t c = 0; c < part.document_weight.size(); ++c) {
        const double weight = part.document_weight[c];
        LengthModel& made = models.emplace_back(0, std::numeric_limits<double>::infinity());
        if (!(weight > 0)) continue;
        made.mean = part.length_sum[c] / weight;
        const double spread = part.length_square[c] / weight - made.mean * made.mean - made.mean;
        if (kind == DocumentLength::negative_binomial && spread > 0) made.r = made.mean * made.mean / spread;
    }
    return models;
}

Result<void> check_words(const Settings& settings, WordScore score, const std::string& column) {
    const bool counted = score == WordScore::multinomial || score == WordScore::complement;
    if (settings.idf && !counted)
        return Error(ErrorKind::usage, "idf weighs counts of words: it is for multinomial_nb and complement_nb")
            .in_column(column);
    const bool dense = !settings.idf && (score == WordScore::multinomial || score == WordScore::dirichlet);
    if (settings.document_length != DocumentLength::none && !dense)
        return Error(ErrorKind::usage, "the length of documents goes with densities: multinomial_nb without idf")
            .in_column(column);
    return {};
}

}  // namespace

Result<Estimated> TokenPart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    const Column& column = schema.columns[columns[0]];
    Estimated done;
    if (!(weight() > 0)) return done;  // never seen: tells nothing
    if (column.levels.empty()) {
        done.notes.push_back("the column " + column.name + " holds no words, so it tells nothing");
        return done;
    }
    TokenWeights made;
    made.column = columns[0];
    made.score = score_of(settings);
    made.class_count = document_weight.size();
    made.densities = !settings.idf;
    if (auto fits = check_words(settings, made.score, column.name); !fits) return fits.error();
    select_words(*this, settings, column.levels.size(), made);
    if (made.row_count == 0)
        return Error(ErrorKind::usage, "no word is left within the bounds on documents per word")
            .in_column(column.name);
    const std::size_t width = kernel::row_width(made.class_count);
    if (made.row_count > most_weight_bytes / sizeof(double) / width)
        return Error(std::to_string(made.row_count) + " words in " + std::to_string(made.class_count) +
                     " classes need a table of more than 4 GiB; keep the most frequent with --max-features")
            .in_column(column.name);
    if (made.row_count > many_words)
        done.notes.push_back(std::to_string(made.row_count) + " words in the column " + column.name +
                             " take about 0.4 kB of memory each; --max-features keeps the most frequent of them, "
                             "--hash counts them in so many buckets");
    const double smoothing = settings.estimate == Estimate::likelihood ? 0 : settings.smoothing;
    if (made.score == WordScore::dirichlet && !(smoothing > 0))
        return Error(ErrorKind::usage, "the predictive of words needs smoothing above zero").in_column(column.name);

    made.weight = PageArray<double>(made.row_count * width);
    made.length.resize(made.class_count);
    std::vector<double> totals(made.class_count);
    bool whole = true;  // then sums are exact in any order; else they are taken row by row
    const auto each_row = [&](auto visit) {
        table.for_each([&](const TokenTable::Entry& each) {
            const std::uint32_t row = made.row_of_word.empty() ? each.word : made.row_of_word[each.word];
            if (row == TokenWeights::no_row) return;
            visit(row, each.of_class, made.score == WordScore::presence ? each.documents : each.count);
        });
    };
    each_row([&](std::size_t, std::size_t c, double count) {
        totals[c] += count;
        whole = whole && count == std::floor(count) && count < 0x1p32;
    });
    const bool sparse = whole && made.score == WordScore::multinomial && !settings.idf;
    CountMatrix counts{made.weight.data(), made.row_count, made.class_count, width, {}};
    if (!sparse) each_row([&](std::size_t row, std::size_t c, double count) { counts.level(row)[c] = count; });
    if (!whole) totals = counts.class_totals();
    counts.known_totals = totals;
    std::vector<double> idf;
    if (settings.idf) {
        idf = idf_of_rows(*this, made, column.levels.size());
        scale_rows(counts, idf);
        counts.known_totals.clear();
    }
    for (std::size_t c = 0; c < made.class_count; ++c)
        made.length[c] = document_weight[c] > 0 ? totals[c] / document_weight[c] : 0;
    const double carrier = std::accumulate(log_carrier.begin(), log_carrier.end(), 0.0);
    done.parameter_count = made.class_count * (made.row_count - 1);
    switch (made.score) {
        case WordScore::multinomial:
            if (sparse) {
                SparseMultinomial logs(totals, made.row_count, smoothing);
                for (std::size_t row = 0; row < made.row_count; ++row)
                    std::ranges::copy(logs.never(), counts.level(row));
                each_row([&](std::size_t row, std::size_t c, double n) {
                    if (n > 0) counts.level(row)[c] = logs.take(c, n);
                });
                done.log_likelihood = logs.log_likelihood() + carrier;
            } else {
                done.log_likelihood = multinomial_weights(counts, smoothing) + carrier;
            }
            break;
        case WordScore::complement:
            complement_weights(counts, smoothing, settings.normalize_weights);
            done.log_likelihood = std::numeric_limits<double>::quiet_NaN();  // scores are no densities
            break;
        case WordScore::presence: {
            auto baseline = presence_weights(counts, document_weight, smoothing);
            made.total = std::move(baseline.by_class);
            done.log_likelihood = baseline.log_likelihood;
            done.parameter_count = made.class_count * made.row_count;
            break;
        }
        case WordScore::dirichlet: {
            auto posterior = dirichlet_weights(counts, smoothing);
            made.total = std::move(posterior.total);
            done.log_likelihood = posterior.log_evidence + carrier;
            break;
        }
    }
    if (settings.idf) {
        scale_rows(counts, idf);
        done.log_likelihood = std::numeric_limits<double>::quiet_NaN();
    }
    if (settings.document_length != DocumentLength::none) {
        made.length_model = length_models(*this, settings.document_length);
        done.parameter_count +=
            made.class_count * (settings.document_length == DocumentLength::negative_binomial ? 2 : 1);
        done.notes.push_back("the log-likelihood is that of the words, given how many each document has");
    }
    done.scorers.push_back(token_scorer(std::move(made)));
    return done;
}

}  // namespace suffice
