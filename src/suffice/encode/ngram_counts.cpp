// Adds, takes away, recodes and saves n-gram counts.
#include "suffice/encode/ngram_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace suffice {
namespace {

// What is left after taking all of it away is rounding.
double difference(double whole, double part) {
    const double rest = whole - part;
    return std::abs(rest) <= 1e-12 * std::abs(part) ? 0 : rest;
}

}  // namespace

void NgramCounts::add(std::span<const std::uint32_t> padded, double weight) {
    const std::uint32_t number = table_.add(padded);
    if (number == count_.size()) count_.push_back(0);
    count_[number] += weight;
}

void NgramCounts::observe(std::span<const std::uint32_t> codes, double weight) {
    std::array<std::uint32_t, largest_order> window;
    window.fill(absent);
    const std::span<std::uint32_t> event(window.data(), order_);
    const auto push = [event](std::uint32_t code) {
        std::copy(event.begin() + 1, event.end(), event.begin());
        event.back() = code;
    };
    push(begin);
    for (const std::uint32_t code : codes) push(code), add(event, weight);
    push(end), add(event, weight);
    weight_ += weight * static_cast<double>(codes.size() + 1);
    document_weight_ += weight;
}

void NgramCounts::merge(const NgramCounts& from) {
    for (std::size_t k = 0; k < from.table_.size(); ++k)
        if (from.count_[k] != 0) add(from.table_[k], from.count_[k]);
    weight_ += from.weight_;
    document_weight_ += from.document_weight_;
}

void NgramCounts::remove(const NgramCounts& from) {
    for (std::size_t k = 0; k < from.table_.size(); ++k) {
        if (from.count_[k] == 0) continue;
        const std::uint32_t number = table_.add(from.table_[k]);
        if (number == count_.size()) count_.push_back(0);
        count_[number] = difference(count_[number], from.count_[k]);
    }
    weight_ = difference(weight_, from.weight_);
    document_weight_ = difference(document_weight_, from.document_weight_);
}

void NgramCounts::scale(double factor) {
    for (double& count : count_) count *= factor;
    weight_ *= factor;
    document_weight_ *= factor;
}

void NgramCounts::recode(std::span<const std::uint32_t> code_here) {
    NgramCounts recoded(order_);
    std::array<std::uint32_t, largest_order> codes;
    for (std::size_t k = 0; k < table_.size(); ++k) {
        std::transform(table_[k].begin(), table_[k].end(), codes.begin(),
                       [&](std::uint32_t code) { return code < code_here.size() ? code_here[code] : code; });
        if (count_[k] != 0) recoded.add(std::span(codes.data(), order_), count_[k]);
    }
    recoded.weight_ = weight_;
    recoded.document_weight_ = document_weight_;
    *this = std::move(recoded);
}

bool operator==(const NgramCounts& a, const NgramCounts& b) {
    if (a.order_ != b.order_ || a.weight_ != b.weight_ || a.document_weight_ != b.document_weight_) return false;
    const auto is_in = [](const NgramCounts& part, const NgramCounts& whole) {
        for (std::size_t k = 0; k < part.table_.size(); ++k) {
            const std::uint32_t number = whole.table_.find(part.table_[k]);
            if (part.count_[k] != (number == NgramTable::none ? 0 : whole.count_[number])) return false;
        }
        return true;
    };
    return is_in(a, b) && is_in(b, a);
}

std::vector<std::uint32_t> NgramCounts::in_order() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < table_.size(); ++k)
        if (count_[k] != 0) order.push_back(k);
    const auto before = [this](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(table_[a], table_[b]);
    };
    if (!std::ranges::is_sorted(order, before)) std::ranges::sort(order, before);
    return order;
}

NgramCounts NgramCounts::sorted() const {
    NgramCounts made(order_);
    for (const std::uint32_t k : in_order()) made.add(table_[k], count_[k]);
    made.weight_ = weight_;
    made.document_weight_ = document_weight_;
    return made;
}

void NgramCounts::write(FieldSink& sink, std::string_view name) const {
    std::vector<double> codes, counts;
    for (const std::uint32_t k : in_order()) {
        codes.insert(codes.end(), table_[k].begin(), table_[k].end());
        counts.push_back(count_[k]);
    }
    sink.open_record(name);
    sink.whole("order", order_);
    sink.number("weight", weight_);
    sink.number("document_weight", document_weight_);
    sink.numbers("codes", codes);
    sink.numbers("counts", counts);
    sink.close();
}

void NgramCounts::read(FieldSource& source) {
    const std::uint64_t order = source.whole();
    if (order == 0 || order > largest_order) return source.fail();
    *this = NgramCounts(order);
    weight_ = source.number();
    document_weight_ = source.number();
    const std::vector<double> codes = source.numbers(), counts = source.numbers();
    if (source.failed() || codes.size() != counts.size() * order_) return source.fail();
    std::array<std::uint32_t, largest_order> event;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        for (std::size_t j = 0; j < order_; ++j) {
            const double code = codes[k * order_ + j];
            if (!(code >= 0 && code <= 0xFFFFFFFFu) || code != std::floor(code)) return source.fail();
            event[j] = static_cast<std::uint32_t>(code);
        }
        if (event[order_ - 1] == absent) return source.fail();
        add(std::span(event.data(), order_), counts[k]);
    }
}

}  // namespace suffice
