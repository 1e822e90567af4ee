// Makes scorers of counted words: multinomial, complement, presence, or the Dirichlet predictive.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/encode/text_weight.hpp"
#include "suffice/estimate/counts.hpp"
#include "suffice/kernel/text_rows.hpp"
#include "suffice/part/token_part.hpp"
#include "suffice/score/token_scorer.hpp"

namespace suffice {
namespace {

constexpr std::size_t many_words = std::size_t{2} << 20;  // worth a word of advice

// Fills row_of_word and word_of_row where not every word is kept.
void select_words(const TokenPart& part, const Settings& settings, std::size_t word_count, TokenWeights& into) {
    into.row_count = word_count;
    const double documents = part.weight();
    const double least = settings.min_df < 1 ? settings.min_df * documents : settings.min_df;
    const double most = settings.max_df <= 1 ? settings.max_df * documents : settings.max_df;
    if (settings.min_df <= 1 && settings.min_df >= 1 && most >= documents && settings.max_features == 0) return;
    std::vector<double> in_documents(word_count), in_all(word_count);
    part.table.for_each([&](const TokenTable::Entry& each) {
        in_documents[each.word] += each.documents;
        in_all[each.word] += each.count;
    });
    std::vector<std::uint32_t> order(word_count);
    std::iota(order.begin(), order.end(), 0u);
    into.word_of_row = select_terms(in_documents, in_all, order, least, most, settings.max_features);
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

Result<void> check_words(const Settings& settings, bool unit_length, WordScore score, const std::string& column) {
    const bool counted = score == WordScore::multinomial || score == WordScore::complement;
    if (unit_length && !counted)
        return Error(ErrorKind::usage, "documents are scaled to length one for multinomial_nb and complement_nb alone")
            .in_column(column);
    if (settings.idf && !counted)
        return Error(ErrorKind::usage, "idf weighs counts of words: it is for multinomial_nb and complement_nb")
            .in_column(column);
    const bool dense =
        !settings.idf && !unit_length && (score == WordScore::multinomial || score == WordScore::dirichlet);
    if (settings.document_length != DocumentLength::none && !dense)
        return Error(ErrorKind::usage,
                     "the length of documents goes with densities: multinomial_nb without idf or norm")
            .in_column(column);
    return {};
}

}  // namespace

std::vector<double> TokenPart::term_weights(const Settings& settings, std::size_t word_count) const {
    TokenWeights kept;
    select_words(*this, settings, word_count, kept);
    const std::vector<double> of_row =
        settings.idf ? idf_of_rows(*this, kept, word_count) : std::vector<double>(kept.row_count, 1.0);
    std::vector<double> of_word(word_count);
    for (std::size_t k = 0; k < kept.row_count; ++k)
        of_word[kept.word_of_row.empty() ? k : kept.word_of_row[k]] = of_row[k];
    return of_word;
}

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
    made.densities = !settings.idf && !unit_length;
    if (auto fits = check_words(settings, unit_length, made.score, column.name); !fits) return fits.error();
    if (unit_length)  // the words were chosen before their documents were scaled
        made.row_count = column.levels.size();
    else
        select_words(*this, settings, column.levels.size(), made);
    if (made.row_count == 0)
        return Error(ErrorKind::usage, "no word is left within the bounds on documents per word")
            .in_column(column.name);
    const std::size_t width = kernel::row_width(made.class_count);
    if (made.row_count > most_weight_bytes / sizeof(double) / width)
        return Error(std::to_string(made.row_count) + " words in " + std::to_string(made.class_count) +
                     " classes need a table of more than 4 GiB")
            .advise({"max_features", "", "keep the most frequent with"})
            .in_column(column.name);
    if (made.row_count > many_words)
        done.notes.push_back({std::to_string(made.row_count) + " words in the column " + column.name +
                                  " take about 0.4 kB of memory each",
                              {{"max_features", "", "keep the most frequent of them with"},
                               {"hash_features", "", "count them in so many buckets with"}}});
    const double smoothing = settings.by_likelihood() ? 0 : settings.smoothing;
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
        if (!unit_length) {  // else it is in the counts
            scale_rows(counts, idf);
            counts.known_totals.clear();
        }
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
    if (settings.idf) scale_rows(counts, idf);
    if (!made.densities) done.log_likelihood = std::numeric_limits<double>::quiet_NaN();
    if (unit_length) {
        made.norm_weight = settings.idf ? std::move(idf) : std::vector<double>(made.row_count, 1.0);
        done.notes.push_back(
            "documents scaled to length one take two passes, so this model can be neither merged nor updated nor taken "
            "apart: to add documents, fit it again to all of them");
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
