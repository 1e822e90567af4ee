// Counts n-grams by class, and makes one scorer of the models of all classes.
#include "suffice/part/ngram_part.hpp"

#include <cmath>

#include "suffice/estimate/ngram_model.hpp"
#include "suffice/score/ngram_scorer.hpp"

namespace suffice {

NgramPart NgramPart::blank() const {
    NgramPart fresh;
    fresh.columns = columns;
    fresh.order = order;
    fresh.counts.assign(counts.size(), NgramCounts(order));
    return fresh;
}

double NgramPart::weight() const {
    double sum = 0;
    for (const auto& each : counts) sum += each.document_weight();
    return sum;
}

void NgramPart::observe(const Block& block, const Membership& membership, Workspace&) {
    const SparseBlock rows = tokens_of(block, columns[0]);
    for (std::size_t row = 0, end = row_count(block); row < end; ++row) {
        if (is_missing(block, row, columns[0])) continue;
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        const auto words = rows.column.subspan(first, static_cast<std::size_t>(rows.row_start[row + 1]) - first);
        membership.for_each_class(row, [&](std::size_t c, double w) { counts[c].observe(words, w); });
    }
}

void NgramPart::merge(const NgramPart& from) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c].merge(from.counts[c]);
}

void NgramPart::remove(const NgramPart& rows) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c].remove(rows.counts[c]);
}

void NgramPart::scale(double factor) {
    for (auto& each : counts) each.scale(factor);
}

void NgramPart::recode(const Recoding& recoding) {
    if (!recoding.classes.is_identity()) {
        std::vector<NgramCounts> fresh(recoding.classes.count, NgramCounts(order));
        for (std::size_t c = 0; c < counts.size(); ++c)
            if (recoding.classes.to[c] != CodeMap::dropped) fresh[recoding.classes.to[c]] = std::move(counts[c]);
        counts = std::move(fresh);
    }
    const CodeMap& words = recoding.levels[columns[0]];
    bool moves = false;
    for (std::uint32_t k = 0; k < words.to.size(); ++k) moves = moves || words.to[k] != k;
    if (moves)
        for (auto& each : counts) each.recode(words.to);
}

bool NgramPart::valid(const Schema& schema) const {
    if (columns.size() != 1 || !schema.holds(columns) || counts.size() != schema.classes.size() || order < 1 ||
        order > NgramCounts::largest_order)
        return false;
    const std::size_t words = schema.columns[columns[0]].levels.size();
    bool good = true;
    for (const auto& each : counts) {
        good = good && each.order() == order && each.document_weight() >= 0;
        each.for_each([&](std::span<const std::uint32_t> codes, double count) {
            good = good && count >= 0 && std::isfinite(count);
            for (const std::uint32_t code : codes) good = good && (code < words || code >= NgramCounts::end);
        });
    }
    return good;
}

std::size_t NgramPart::footprint(const Schema&) const { return std::size_t{40} << 20; }  // not known before: two lanes

Result<void> NgramPart::refuses(const Schema&) const { return {}; }

std::vector<double> NgramPart::level_weight(std::uint32_t column, std::size_t level_count) const {
    if (column != columns[0]) return {};
    std::vector<double> weight(level_count);
    for (const auto& each : counts)
        each.for_each([&](std::span<const std::uint32_t> codes, double count) {
            if (codes.back() < level_count) weight[codes.back()] += count;
        });
    return weight;
}

TokenTable NgramPart::word_counts() const {
    TokenTable table;
    for (std::uint32_t c = 0; c < counts.size(); ++c)
        counts[c].for_each([&](std::span<const std::uint32_t> codes, double count) {
            if (codes.back() < NgramCounts::end) table.add(c, codes.back(), count, 0);
        });
    return table;
}

namespace {

NgramLevel joined_level(const std::vector<NgramModel>& models, std::size_t length) {
    NgramLevel level{NgramTable(length), NgramTable(length + 1), {}, {}, {}, {}};
    std::vector<ClassShares::Share> gamma, alpha;
    for (std::uint32_t c = 0; c < models.size(); ++c) {
        models[c].for_each_history(length, [&](std::span<const std::uint32_t> codes, double value) {
            gamma.push_back({level.histories.add(codes), c, value});
        });
        models[c].for_each_gram(length, [&](std::span<const std::uint32_t> codes, double value) {
            alpha.push_back({level.grams.add(codes), c, value});
        });
    }
    level.gamma = ClassShares(std::move(gamma), level.histories.size());
    level.alpha = ClassShares(std::move(alpha), level.grams.size());
    level.group();
    return level;
}

}  // namespace

Result<Estimated> NgramPart::estimate(const Settings& settings, const Schema& schema) const {
    const Column& column = schema.columns[columns[0]];
    if (settings.max_features > 0 || settings.min_df != 1 || settings.max_df != 1 || settings.idf)
        return Error(ErrorKind::usage, "n-gram models keep every word: bounds on words and idf are for counts of words")
            .in_column(column.name);
    if (settings.complement || settings.presence)
        return Error(ErrorKind::usage, "the complement and the presence of words are not for sequences of words")
            .in_column(column.name);
    Estimated done;
    if (!(weight() > 0)) return done;  // never seen: tells nothing
    NgramWeights made;
    made.column = columns[0];
    made.class_count = counts.size();
    made.vocabulary_size = column.levels.size();
    std::vector<NgramModel> models;
    for (const auto& unsorted : counts) {
        const NgramCounts each = unsorted.sorted();
        auto model = NgramModel::estimate(each, column.levels.size(), settings.ngram_smoothing);
        if (!model) return Error(model.error()).in_column(column.name);
        each.for_each([&](std::span<const std::uint32_t> codes, double count) {
            done.log_likelihood += count * std::log(model->probability(codes.first(codes.size() - 1), codes.back()));
        });
        for (std::size_t length = 0; length < order; ++length) done.parameter_count += model->gram_count(length);
        made.length.push_back(each.document_weight() > 0 ? each.weight() / each.document_weight() - 1 : 0);
        models.push_back(std::move(*model));
    }
    for (std::size_t length = 0; length < order; ++length) made.levels.push_back(joined_level(models, length));
    done.scorers.push_back(ngram_scorer(std::move(made)));
    return done;
}

}  // namespace suffice
