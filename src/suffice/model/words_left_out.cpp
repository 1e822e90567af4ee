// Subtracts a document's words from the counts of its class, word by word as they are needed.
#include "suffice/model/words_left_out.hpp"

#include <cmath>

#include "suffice/family/sums.hpp"
#include "suffice/kernel/text_rows.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {

bool WordsLeftOut::applies(const ModelState& state) {
    const Settings& settings = state.settings;
    return state.statistic.parts.size() == 1 && state.statistic.parts[0].as<TokenPart>() != nullptr && !settings.idf &&
           !settings.complement && !settings.presence && settings.estimate == Estimate::map && settings.smoothing > 0 &&
           settings.document_length == DocumentLength::none && settings.min_df == 1 && settings.max_df == 1 &&
           settings.max_features == 0;
}

WordsLeftOut::WordsLeftOut(const ModelState& state)
    : class_count_(state.statistic.schema.classes.size()),
      word_count_(state.statistic.schema.columns[0].levels.size()),
      width_(kernel::row_width(class_count_)),
      smoothing_(state.settings.smoothing),
      count_(word_count_ * width_),
      log_(word_count_ * width_),
      total_(class_count_),
      in_documents_(word_count_),
      sum_(width_) {
    state.statistic.parts[0].as<TokenPart>()->table.for_each([&](const TokenTable::Entry& each) {
        count_[each.word * width_ + each.of_class] = each.count;
        total_[each.of_class] += each.count;
        in_documents_[each.word] += each.documents;
    });
    for (std::size_t k = 0; k < word_count_ * width_; ++k) log_[k] = std::log(count_[k] + smoothing_);
}

Result<void> WordsLeftOut::add(const Block& document, std::size_t c, double weight, std::span<long double> joint) {
    const auto not_there = [] { return Error("this document was not among those that the model was fitted to"); };
    if (is_missing(document, 0, 0)) return {};
    const SparseBlock rows = tokens_of(document, 0);
    double length = 0, own_sum = 0;
    std::size_t ended = 0;
    word_.clear();
    times_.clear();
    for (auto at = static_cast<std::size_t>(rows.row_start[0]); at < static_cast<std::size_t>(rows.row_start[1]);
         ++at) {
        const std::uint32_t word = rows.column[at];
        const double x = rows.value.empty() ? 1.0 : rows.value[at];
        if (word >= word_count_ || x == 0) continue;
        const double own = difference(count_[word * width_ + c], weight * x);
        if (own < 0) return not_there();
        length += x;
        if (difference(in_documents_[word], weight) == 0) {
            ++ended;
            continue;
        }
        word_.push_back(word);
        times_.push_back(x);
        own_sum += x * std::log(own + smoothing_);
    }
    const double left = difference(total_[c], weight * length);
    if (left < 0) return not_there();
    if (ended == word_count_) return {};  // there are no words any more
    sum_.assign(width_, 0.0);
    kernel::add_rows(log_.data(), width_, word_, times_, sum_.data());
    double kept = 0;
    for (const double x : times_) kept += x;
    const double prior = smoothing_ * static_cast<double>(word_count_ - ended);
    for (std::size_t k = 0; k < class_count_; ++k)
        joint[k] += (k == c ? own_sum : sum_[k]) - kept * std::log((k == c ? left : total_[k]) + prior);
    return {};
}

}  // namespace suffice
