// Grows, combines, recodes and saves counts of words.
#include "suffice/accumulate/token_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "suffice/family/sums.hpp"

namespace suffice {

void TokenTable::reserve(std::size_t count) {
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(2 * count, 1024));
    if (size <= slots_.size()) return;
    std::vector<Slot> old(size);
    old.swap(slots_);
    mask_ = size - 1;
    for (const Slot& slot : old) {
        if (slot.key == 0) continue;
        std::size_t at = home(slot.key);
        while (slots_[at].key != 0) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
}

// Room first: a table poured in its own order into a smaller one would pile up in front.
void TokenTable::merge(const TokenTable& from) {
    if (used_ == 0) {
        *this = from;
        return;
    }
    reserve(used_ + from.used_);
    from.for_each([&](const Entry& each) { add(each.of_class, each.word, each.count, each.documents); });
}

void TokenTable::remove(const TokenTable& rows) {
    reserve(used_ + rows.used_);
    rows.for_each([&](const Entry& each) {
        add(each.of_class, each.word, 0, 0);
        const std::uint64_t key = key_of(each.of_class, each.word);
        std::size_t at = home(key);
        while (slots_[at].key != key) at = (at + 1) & mask_;
        slots_[at].count = difference(slots_[at].count, each.count);
        slots_[at].documents = difference(slots_[at].documents, each.documents);
    });
}

void TokenTable::scale(double factor) {
    for (Slot& slot : slots_) {
        slot.count *= factor;
        slot.documents *= factor;
    }
}

void TokenTable::recode(const CodeMap& classes, const CodeMap& words) {
    TokenTable fresh;
    fresh.reserve(used_);
    for_each([&](const Entry& each) {
        const std::uint32_t of_class = classes.to[each.of_class], word = words.to[each.word];
        if (of_class != CodeMap::dropped && word != CodeMap::dropped)
            fresh.add(of_class, word, each.count, each.documents);
    });
    *this = std::move(fresh);
}

std::vector<TokenTable::Entry> TokenTable::sorted() const {
    std::vector<Entry> entries;
    entries.reserve(used_);
    for_each([&](const Entry& each) { entries.push_back(each); });
    std::ranges::sort(entries, {}, [](const Entry& each) { return std::tuple(each.of_class, each.word); });
    return entries;
}

bool TokenTable::valid(std::size_t class_count, std::size_t word_count) const {
    bool good = true;
    for_each([&](const Entry& each) {
        good = good && each.of_class < class_count && each.word < word_count && each.count >= 0 &&
               each.documents >= 0 && std::isfinite(each.count) && std::isfinite(each.documents);
    });
    return good;
}

void TokenTable::write(FieldSink& sink, std::string_view name) const {
    const auto entries = sorted();
    sink.open_record(name);
    std::vector<double> run(entries.size());
    const auto put = [&](std::string_view field, auto value) {
        std::ranges::transform(entries, run.begin(), value);
        sink.numbers(field, run);
    };
    put("class", [](const Entry& each) { return static_cast<double>(each.of_class); });
    put("word", [](const Entry& each) { return static_cast<double>(each.word); });
    put("count", [](const Entry& each) { return each.count; });
    put("documents", [](const Entry& each) { return each.documents; });
    sink.close();
}

void TokenTable::read(FieldSource& source) {
    *this = TokenTable();
    const auto classes = source.numbers(), words = source.numbers(), count = source.numbers(),
               documents = source.numbers();
    if (words.size() != classes.size() || count.size() != classes.size() || documents.size() != classes.size())
        return source.fail();
    const auto is_code = [](double x) { return x >= 0 && x < 0xFFFFFFFFu && x == std::floor(x); };
    reserve(classes.size());
    for (std::size_t k = 0; k < classes.size(); ++k) {
        if (!is_code(classes[k]) || !is_code(words[k])) return source.fail();
        add(static_cast<std::uint32_t>(classes[k]), static_cast<std::uint32_t>(words[k]), count[k], documents[k]);
    }
}

}  // namespace suffice
