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

// The steps from counted words to their weights, over what they share.
class WordEstimate {
public:
    WordEstimate(const TokenPart& part, const Settings& settings, const Column& column)
        : part_(part),
          settings_(settings),
          column_(column),
          smoothing_(settings.by_likelihood() ? 0 : settings.smoothing) {
        made_.column = part.columns[0];
        made_.score = score_of(settings);
        made_.class_count = part.document_weight.size();
        made_.densities = !settings.idf && !part.unit_length;
    }

    Result<void> choose_words();
    void count();
    void weigh();
    Estimated finish();

private:
    template <class Visit>
    void each_row(Visit visit) const {
        part_.table.for_each([&](const TokenTable::Entry& each) {
            const std::uint32_t row = made_.row_of_word.empty() ? each.word : made_.row_of_word[each.word];
            if (row == TokenWeights::no_row) return;
            visit(row, each.of_class, made_.score == WordScore::presence ? each.documents : each.count);
        });
    }
    double multinomial();

    const TokenPart& part_;
    const Settings& settings_;
    const Column& column_;
    const double smoothing_;
    Estimated done_;
    TokenWeights made_;
    CountMatrix counts_{};
    std::vector<double> totals_, idf_;
    bool sparse_ = false;  // whole counts whose table need not be filled before its logarithms are
};

Result<void> WordEstimate::choose_words() {
    if (auto fits = check_words(settings_, part_.unit_length, made_.score, column_.name); !fits) return fits;
    if (part_.unit_length)  // the words were chosen before their documents were scaled
        made_.row_count = column_.levels.size();
    else
        select_words(part_, settings_, column_.levels.size(), made_);
    if (made_.row_count == 0)
        return Error(ErrorKind::usage, "no word is left within the bounds on documents per word")
            .in_column(column_.name);
    if (made_.row_count > TokenPart::most_weight_bytes / sizeof(double) / kernel::row_width(made_.class_count))
        return Error(std::to_string(made_.row_count) + " words in " + std::to_string(made_.class_count) +
                     " classes need a table of more than 4 GiB")
            .advise({"max_features", "", "keep the most frequent with"})
            .in_column(column_.name);
    if (made_.row_count > many_words)
        done_.notes.push_back({std::to_string(made_.row_count) + " words in the column " + column_.name +
                                   " take about 0.4 kB of memory each",
                               {{"max_features", "", "keep the most frequent of them with"},
                                {"hash_features", "", "count them in so many buckets with"}}});
    if (made_.score == WordScore::dirichlet && !(smoothing_ > 0))
        return Error(ErrorKind::usage, "the predictive of words needs smoothing above zero").in_column(column_.name);
    return {};
}

void WordEstimate::count() {
    const std::size_t width = kernel::row_width(made_.class_count);
    made_.weight = PageArray<double>(made_.row_count * width);
    totals_.resize(made_.class_count);
    bool whole = true;  // then sums are exact in any order; else they are taken row by row
    each_row([&](std::size_t, std::size_t c, double count) {
        totals_[c] += count;
        whole = whole && count == std::floor(count) && count < 0x1p32;
    });
    sparse_ = whole && made_.score == WordScore::multinomial && !settings_.idf;
    counts_ = {made_.weight.data(), made_.row_count, made_.class_count, width, {}};
    if (!sparse_) each_row([&](std::size_t row, std::size_t c, double count) { counts_.level(row)[c] = count; });
    if (!whole) totals_ = counts_.class_totals();
    counts_.known_totals = totals_;
    if (settings_.idf) idf_ = idf_of_rows(part_, made_, column_.levels.size());
    if (settings_.idf && !part_.unit_length) {  // else it is in the counts
        scale_rows(counts_, idf_);
        counts_.known_totals.clear();
    }
    made_.length.resize(made_.class_count);
    for (std::size_t c = 0; c < made_.class_count; ++c)
        made_.length[c] = part_.document_weight[c] > 0 ? totals_[c] / part_.document_weight[c] : 0;
}

double WordEstimate::multinomial() {
    if (!sparse_) return multinomial_weights(counts_, smoothing_);
    SparseMultinomial logs(totals_, made_.row_count, smoothing_);
    for (std::size_t row = 0; row < made_.row_count; ++row) std::ranges::copy(logs.never(), counts_.level(row));
    each_row([&](std::size_t row, std::size_t c, double n) {
        if (n > 0) counts_.level(row)[c] = logs.take(c, n);
    });
    return logs.log_likelihood();
}

void WordEstimate::weigh() {
    const double carrier = std::accumulate(part_.log_carrier.begin(), part_.log_carrier.end(), 0.0);
    done_.parameter_count = made_.class_count * (made_.row_count - 1);
    switch (made_.score) {
        case WordScore::multinomial:
            done_.log_likelihood = multinomial() + carrier;
            break;
        case WordScore::complement:
            complement_weights(counts_, smoothing_, settings_.normalize_weights);
            done_.log_likelihood = std::numeric_limits<double>::quiet_NaN();  // scores are no densities
            break;
        case WordScore::presence: {
            auto baseline = presence_weights(counts_, part_.document_weight, smoothing_);
            made_.total = std::move(baseline.by_class);
            done_.log_likelihood = baseline.log_likelihood;
            done_.parameter_count = made_.class_count * made_.row_count;
            break;
        }
        case WordScore::dirichlet: {
            auto posterior = dirichlet_weights(counts_, smoothing_);
            made_.total = std::move(posterior.total);
            done_.log_likelihood = posterior.log_evidence + carrier;
            break;
        }
    }
    if (settings_.idf) scale_rows(counts_, idf_);
    if (!made_.densities) done_.log_likelihood = std::numeric_limits<double>::quiet_NaN();
}

Estimated WordEstimate::finish() {
    if (part_.unit_length) {
        made_.norm_weight = settings_.idf ? std::move(idf_) : std::vector<double>(made_.row_count, 1.0);
        done_.notes.push_back(
            "documents scaled to length one take two passes, so this model can be neither merged nor updated nor taken "
            "apart: to add documents, fit it again to all of them");
    }
    if (settings_.document_length != DocumentLength::none) {
        made_.length_model = length_models(part_, settings_.document_length);
        done_.parameter_count +=
            made_.class_count * (settings_.document_length == DocumentLength::negative_binomial ? 2 : 1);
        done_.notes.push_back("the log-likelihood is that of the words, given how many each document has");
    }
    done_.scorers.push_back(token_scorer(std::move(made_)));
    return std::move(done_);
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
    if (!(weight() > 0)) return Estimated{};  // never seen: tells nothing
    if (column.levels.empty()) {
        Estimated nothing;
        nothing.notes.push_back("the column " + column.name + " holds no words, so it tells nothing");
        return nothing;
    }
    WordEstimate words(*this, settings, column);
    if (auto chosen = words.choose_words(); !chosen) return chosen.error();
    words.count();
    words.weigh();
    return words.finish();
}

}  // namespace suffice
