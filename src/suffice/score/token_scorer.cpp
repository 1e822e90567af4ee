// Scores, explains and draws documents.
#include "suffice/score/token_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/family/probability.hpp"
#include "suffice/kernel/text_rows.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"
#include "suffice/score/counts_scorer.hpp"
#include "suffice/score/expression.hpp"

namespace suffice {

// Negative binomial: Gamma(n + r)/(Gamma(r) n!) (r/(r + m))^r (m/(r + m))^n.
double LengthModel::log_density(double length) const {
    const double arranged = -log_gamma(length + 1);
    if (!(mean > 0)) return length == 0 ? 0 : log_kept(0);
    if (std::isinf(r)) return length * std::log(mean) - mean + arranged;
    return log_gamma(length + r) - log_gamma(r) + arranged - r * std::log1p(mean / r) +
           length * (std::log(mean) - std::log(r + mean));
}

namespace {

// The rows of a document's words and how often each occurs; no counts: once each.
struct Document {
    std::span<const std::uint32_t> row;
    std::span<const double> count;

    double count_at(std::size_t k) const { return count.empty() ? 1.0 : count[k]; }
    double length() const {
        double sum = 0;
        for (double x : count) sum += x;
        return count.empty() ? static_cast<double>(row.size()) : sum;
    }
};

struct DocumentScratch {
    std::vector<std::uint32_t> row;
    std::vector<double> count;
    std::vector<double> sum;
};

class TokenScorer final : public Scorer {
public:
    explicit TokenScorer(TokenWeights weights)
        : weights_(std::move(weights)), width_(kernel::row_width(weights_.class_count)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        auto& scratch = workspace.of<DocumentScratch>();
        const SparseBlock rows = tokens_of(tile, weights_.column);
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            if (is_missing(tile, row, weights_.column)) continue;
            const Document document = read(rows, row, scratch);
            score(document, scratch.sum);
            const double carrier = exactness == Exactness::density ? log_carrier(document) : 0;
            for (std::size_t c = 0; c < joint.class_count; ++c) joint.of_class(c)[row] += scratch.sum[c] + carrier;
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        if (is_missing(block, row, weights_.column)) return {};
        DocumentScratch scratch;
        const Document document = read(tokens_of(block, weights_.column), row, scratch);
        for (std::size_t k = 0; k < document.row.size(); ++k)
            if (!std::isfinite(document.count_at(k))) return infinite_value(weights_.column);
        score(document, scratch.sum);
        const double carrier = log_carrier(document);
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += scratch.sum[c] + carrier;
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        if (is_missing(block, row, weights_.column)) return;
        DocumentScratch scratch;
        const Document document = read(tokens_of(block, weights_.column), row, scratch);
        std::vector<double> rest(width_);
        start(document, rest);
        const double carrier = log_carrier(document), scale = scale_of(document);
        for (std::size_t c = 0; c < weights_.class_count; ++c) into.intercept[c] += rest[c] + carrier;
        for (std::size_t k = 0; k < document.row.size(); ++k) {
            const std::uint32_t at = document.row[k];
            auto& term =
                into.terms.emplace_back(weights_.column, weights_.word_of_row.empty() ? at : weights_.word_of_row[at],
                                        std::vector<double>(weights_.class_count));
            for (std::size_t c = 0; c < weights_.class_count; ++c)
                term.by_class[c] = scale * contribution(weight_row(at)[c], document.count_at(k));
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        auto& words = into.tokens[weights_.column];
        words.clear();
        if (weights_.score == WordScore::presence) {
            for (std::uint32_t k = 0; k < weights_.row_count; ++k)
                if (rng.uniform() < 1 / (1 + std::exp(-weight_row(k)[c]))) words.push_back(k);
        } else {
            draw_words(c, static_cast<std::size_t>(draw_length(c, rng)), rng, words);
        }
        if (!weights_.word_of_row.empty())
            for (auto& word : words) word = weights_.word_of_row[word];
    }
    double add_sequence(const Block& block, std::size_t row, std::span<double> by_class) const override {
        if (!has_probabilities() || is_missing(block, row, weights_.column)) return 0;
        DocumentScratch scratch;
        const Document document = read(tokens_of(block, weights_.column), row, scratch);
        score(document, scratch.sum, false);
        for (std::size_t c = 0; c < by_class.size(); ++c) by_class[c] += scratch.sum[c];
        return document.length();
    }
    // Without an order the words before tell nothing, except to Polya's urn.
    bool next_words(std::uint32_t column, std::span<const std::uint32_t> history, std::size_t c,
                    std::vector<double>& into) const override {
        if (column != weights_.column || !has_probabilities()) return false;
        const bool urn = weights_.score == WordScore::dirichlet;
        into.assign(weights_.row_of_word.empty() ? weights_.row_count : weights_.row_of_word.size(), 0.0);
        for (std::size_t at = 0; at < weights_.row_count; ++at)
            into[weights_.word_of_row.empty() ? at : weights_.word_of_row[at]] = std::exp(weight_row(at)[c]);
        if (!urn) return true;
        double total = weights_.total[c];
        for (const std::uint32_t word : history)
            if (word < into.size() && into[word] > 0) into[word] += 1, total += 1;
        for (double& each : into) each /= total;
        return true;
    }
    void describe(Description& into) const override {
        auto& column = into.columns.emplace_back(weights_.column, "tokens");
        for (std::size_t c = 0; c < weights_.class_count; ++c)
            column.by_class.push_back({{{"mean_length", weights_.length[c]}}});
    }
    Result<void> express(ScoreExpression& into) const override {
        const bool urn = weights_.score == WordScore::dirichlet;
        WordTerm term{.column = weights_.column,
                      .distinct = weights_.score == WordScore::presence,
                      .urn = urn,
                      .start = std::vector<double>(weights_.class_count),
                      .norm = weights_.norm_weight};
        if (term.distinct) term.start = weights_.total;
        if (urn)
            term.length_rises.push_back({.base = weights_.total, .weight = std::vector(weights_.class_count, -1.0)});
        if (auto told = express_length(term); !told) return told;
        for (std::uint32_t at = 0; at < weights_.row_count; ++at) {
            term.words.push_back(weights_.word_of_row.empty() ? at : weights_.word_of_row[at]);
            auto& line = term.weight.emplace_back(weight_row(at), weight_row(at) + weights_.class_count);
            if (urn)
                for (double& each : line) each = std::exp(each);
        }
        into.words.push_back(std::move(term));
        return {};
    }

private:
    // LengthModel::log_density without log n!, which is the same for all classes.
    Result<void> express_length(WordTerm& term) const {
        if (weights_.length_model.empty()) return {};
        RiseTerm rise{.base = std::vector(weights_.class_count, 1.0),
                      .weight = std::vector<double>(weights_.class_count)};
        term.length_weight.resize(weights_.class_count);
        for (std::size_t c = 0; c < weights_.class_count; ++c) {
            const auto [mean, r] = weights_.length_model[c];
            if (!(mean > 0))
                return Error(ErrorKind::usage, "a class has no words, and the length of its texts no formula");
            term.start[c] -= std::isinf(r) ? mean : r * std::log1p(mean / r);
            term.length_weight[c] = std::log(mean) - (std::isinf(r) ? 0 : std::log(r + mean));
            if (!std::isinf(r)) rise.base[c] = r, rise.weight[c] = 1;
        }
        term.length_rises.push_back(std::move(rise));
        return {};
    }
    bool has_probabilities() const {
        return weights_.densities &&
               (weights_.score == WordScore::multinomial || weights_.score == WordScore::dirichlet);
    }
    double draw_length(std::size_t c, Rng& rng) const {
        const double mean = weights_.length[c];
        if (weights_.length_model.empty() || std::isinf(weights_.length_model[c].r) || !(mean > 0))
            return sample_poisson(mean, rng);
        const double r = weights_.length_model[c].r;
        return sample_negative_binomial(r, r / (r + mean), rng);
    }
    const double* weight_row(std::size_t at) const { return weights_.weight.data() + at * width_; }

    Document read(const SparseBlock& rows, std::size_t row, DocumentScratch& scratch) const {
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        const auto count = static_cast<std::size_t>(rows.row_start[row + 1]) - first;
        const bool as_is = weights_.row_of_word.empty() && rows.column_count <= weights_.row_count &&
                           weights_.score != WordScore::presence;
        if (as_is)
            return {rows.column.subspan(first, count),
                    rows.value.empty() ? rows.value : rows.value.subspan(first, count)};
        scratch.row.clear();
        scratch.count.clear();
        const std::size_t known = weights_.row_of_word.empty() ? weights_.row_count : weights_.row_of_word.size();
        for (std::size_t at = first; at < first + count; ++at) {
            const std::uint32_t word = rows.column[at];
            const double x = rows.value.empty() ? 1.0 : rows.value[at];
            if (word >= known || x == 0 || std::isnan(x)) continue;
            const std::uint32_t place = weights_.row_of_word.empty() ? word : weights_.row_of_word[word];
            if (place == TokenWeights::no_row) continue;
            scratch.row.push_back(place);
            scratch.count.push_back(weights_.score == WordScore::presence ? 1.0 : x);
        }
        return {scratch.row, scratch.count};
    }

    // What belongs to the document and not to one of its words.
    void start(const Document& document, std::vector<double>& sum, bool with_length = true) const {
        sum.assign(width_, 0.0);
        if (with_length)
            for (std::size_t c = 0; c < weights_.length_model.size(); ++c)
                sum[c] = weights_.length_model[c].log_density(document.length());
        for (std::size_t c = 0; c < weights_.class_count; ++c) {
            if (weights_.score == WordScore::presence) sum[c] += weights_.total[c];
            if (weights_.score == WordScore::dirichlet)
                sum[c] += log_gamma(weights_.total[c]) - log_gamma(weights_.total[c] + document.length());
        }
    }
    void score(const Document& document, std::vector<double>& sum, bool with_length = true) const {
        start(document, sum, with_length);
        const bool once_each = weights_.score == WordScore::dirichlet || weights_.score == WordScore::presence;
        kernel::add_rows(weights_.weight.data(), width_, document.row,
                         once_each ? std::span<const double>{} : document.count, sum.data());
        if (!weights_.norm_weight.empty())
            for (double& each : sum) each *= scale_of(document);
        if (weights_.score != WordScore::dirichlet) return;
        for (std::size_t k = 0; k < document.row.size(); ++k) {
            const double x = document.count_at(k);
            if (x == 1) continue;
            const double* row = weight_row(document.row[k]);
            for (std::size_t c = 0; c < weights_.class_count; ++c) sum[c] += contribution(row[c], x) - row[c];
        }
    }
    double scale_of(const Document& document) const {
        if (weights_.norm_weight.empty()) return 1;
        double square = 0;
        for (std::size_t k = 0; k < document.row.size(); ++k) {
            const double x = document.count_at(k) * weights_.norm_weight[document.row[k]];
            square += x * x;
        }
        return square > 0 ? 1 / std::sqrt(square) : 1;
    }
    double contribution(double weight, double count) const {
        if (weights_.score == WordScore::presence) return weight;
        if (weights_.score != WordScore::dirichlet) return count * weight;
        const double alpha = std::exp(weight);
        return count == 1 ? weight : log_gamma(alpha + count) - log_gamma(alpha);
    }
    double log_carrier(const Document& document) const {
        return !has_probabilities()     ? 0
               : document.count.empty() ? log_factorial(document.row.size())
                                        : log_arrangements(document.count.data(), document.count.size());
    }

    // Each word anew from the class's distribution; or, under a Dirichlet, with growing chance one that was there
    // before (Polya's urn).
    void draw_words(std::size_t c, std::size_t count, Rng& rng, std::vector<std::uint32_t>& words) const {
        words.resize(count);
        std::vector<std::pair<double, std::size_t>> anew;  // draws in order of their place in the distribution
        for (std::size_t k = 0; k < count; ++k) {
            const bool urn = weights_.score == WordScore::dirichlet &&
                             rng.uniform() * (weights_.total[c] + static_cast<double>(k)) >= weights_.total[c];
            words[k] = urn ? static_cast<std::uint32_t>(rng.below(k)) : TokenWeights::no_row;
            if (!urn) anew.emplace_back(rng.uniform(), k);
        }
        std::ranges::sort(anew);
        std::vector<std::uint32_t> drawn(count);
        const double whole = weights_.score == WordScore::dirichlet ? weights_.total[c] : 1;
        double below = 0;
        std::uint32_t at = 0;
        for (const auto& [place, k] : anew) {
            for (; at + 1 < weights_.row_count; ++at) {
                const double share = std::exp(weight_row(at)[c]) / whole;
                if (below + share > place) break;
                below += share;
            }
            drawn[k] = at;
        }
        for (std::size_t k = 0; k < count; ++k)
            words[k] = words[k] == TokenWeights::no_row ? drawn[k] : words[words[k]];
    }

    TokenWeights weights_;
    std::size_t width_;
};

}  // namespace

std::unique_ptr<Scorer> token_scorer(TokenWeights weights) { return std::make_unique<TokenScorer>(std::move(weights)); }

}  // namespace suffice
