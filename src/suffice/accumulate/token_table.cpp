// Grows, combines, recodes and saves counts of words.
#include "suffice/accumulate/token_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>

#include "suffice/encode/text_memory.hpp"
#include "suffice/encode/text_threads.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {

void TokenTable::Words::reserve(std::size_t count) {
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(count + count / 2 + 1, 64));
    if (size <= slots_.size()) return;
    std::vector<Slot> old(size);
    old.swap(slots_);
    if (old.empty()) old.swap(list_);
    shift_ = static_cast<unsigned>(64 + 3 - std::bit_width(size - 1));
    for (const Slot& slot : old)
        if (slot.next != 0) slot_of(slot.next - 1) = slot;
}

constexpr std::size_t ahead = 12;  // words whose slots are on their way

void TokenTable::Words::add(std::span<const std::uint32_t> words, std::span<const double> counts, double weight) {
    make_room(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (k + ahead < words.size()) prefetch(words[k + ahead]);
        const double x = counts.empty() ? 1.0 : counts[k];
        if (x > 0) put(words[k], weight * x, weight);
    }
}

// A list is run through as long as it is not much longer than what comes: then no slot has to be found.
void TokenTable::Words::add(std::span<const std::uint32_t> words, WordSum* sum_of_word) {
    constexpr std::size_t much_longer = 4;
    if (listed() && list_.size() <= much_longer * words.size()) {
        for (Slot& slot : list_) {
            WordSum& more = sum_of_word[slot.next - 1];
            slot.count += more.count;
            slot.documents += more.documents;
            more = {};
        }
        if (list_.capacity() < list_.size() + words.size()) list_.reserve(2 * list_.size() + words.size());
        for (const std::uint32_t word : words) {
            if (sum_of_word[word].documents == 0) continue;  // was in the list
            list_.push_back({sum_of_word[word].count, sum_of_word[word].documents, word + 1});
            sum_of_word[word] = {};
        }
        used_ = list_.size();
        return;
    }
    make_room(words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (k + ahead < words.size()) prefetch(words[k + ahead]);
        WordSum& more = sum_of_word[words[k]];
        put(words[k], more.count, more.documents);
        more = {};
    }
}

// To a list, of other words than it holds.
void TokenTable::Words::append(const Words& from, const CodeMap& words) {
    list_.reserve(list_.size() + from.used_);
    from.for_each([&](std::uint32_t word, double count, double documents) {
        if (const std::uint32_t to = words.to[word]; to != CodeMap::dropped)
            list_.push_back({count, documents, to + 1});
    });
    used_ = list_.size();
}

// `place` is zero for every word before and after: in between, where in the list it stands plus one.
void TokenTable::Words::merge_lists(const Words& from, std::vector<std::uint32_t>& place) {
    const auto place_of = [&](std::uint32_t next) -> std::uint32_t& {
        if (next > place.size()) place.resize(next + place.size() / 2);
        return place[next - 1];
    };
    for (std::uint32_t k = 0; k < list_.size(); ++k) place_of(list_[k].next) = k + 1;
    list_.reserve(list_.size() + from.list_.size());
    for (const Slot& slot : from.list_) {
        if (const std::uint32_t at = place_of(slot.next); at != 0) {
            list_[at - 1].count += slot.count;
            list_[at - 1].documents += slot.documents;
        } else {
            list_.push_back(slot);
        }
    }
    for (const Slot& slot : list_) place[slot.next - 1] = 0;
    used_ = list_.size();
}

void TokenTable::Words::take_out(std::uint32_t word, double count, double documents) {
    add(word, 0, 0);
    Slot& slot = slot_of(word);
    slot.count = difference(slot.count, count);
    slot.documents = difference(slot.documents, documents);
}

// Room first: a table poured in its own order into a smaller one would pile up in front.
void TokenTable::merge(const TokenTable& from) {
    std::vector<std::uint32_t> place;
    for (std::size_t c = 0; c < from.classes_.size(); ++c) {
        Words& mine = of_class(c);
        const Words& theirs = from.classes_[c];
        if (mine.used_ == 0) {
            mine = theirs;
            continue;
        }
        if (mine.listed() && theirs.listed()) {
            mine.merge_lists(theirs, place);
            continue;
        }
        mine.reserve(mine.used_ + theirs.used_);
        theirs.for_each([&](std::uint32_t word, double count, double documents) { mine.add(word, count, documents); });
    }
}

void TokenTable::merge(const TokenTable& from, const CodeMap& classes, const CodeMap& words) {
    for (std::size_t c = 0; c < from.classes_.size(); ++c) {
        if (classes.to[c] == CodeMap::dropped) continue;
        Words& mine = of_class(classes.to[c]);
        const Words& theirs = from.classes_[c];
        mine.reserve(mine.used_ + theirs.used_);
        theirs.for_each([&](std::uint32_t word, double count, double documents) {
            if (words.to[word] != CodeMap::dropped) mine.add(words.to[word], count, documents);
        });
    }
}

void TokenTable::remove(const TokenTable& rows) {
    for (std::size_t c = 0; c < rows.classes_.size(); ++c) {
        Words& mine = of_class(c);
        mine.reserve(mine.used_ + rows.classes_[c].used_);
        rows.classes_[c].for_each(
            [&](std::uint32_t word, double count, double documents) { mine.take_out(word, count, documents); });
    }
}

void TokenTable::scale(double factor) {
    for (Words& words : classes_)
        for (std::vector<Words::Slot>* slots : {&words.slots_, &words.list_})
            for (Words::Slot& slot : *slots) {
                slot.count *= factor;
                slot.documents *= factor;
            }
}

void TokenTable::recode(const CodeMap& classes, const CodeMap& words) {
    TokenTable fresh;
    for (std::size_t c = 0; c < classes_.size(); ++c)
        if (classes.to[c] != CodeMap::dropped) fresh.of_class(classes.to[c]).append(classes_[c], words);
    *this = std::move(fresh);
}

namespace {

// Sums by code, given out in the order of the codes.
class OrderedSums {
public:
    explicit OrderedSums(std::size_t word_count) : sum_(word_count), met_(word_count / 64 + 1) {}

    void add(std::uint32_t word, double count, double documents) {
        sum_[word].count += count;
        sum_[word].documents += documents;
        met_[word / 64] |= std::uint64_t{1} << word % 64;
    }
    std::size_t size() const {
        std::size_t count = 0;
        for (const std::uint64_t bits : met_) count += static_cast<std::size_t>(std::popcount(bits));
        return count;
    }
    // visit(word, sum), after which it is empty.
    template <class Visit>
    void take(Visit&& visit) {
        for (std::size_t k = 0; k < met_.size(); ++k)
            for (; met_[k] != 0; met_[k] &= met_[k] - 1) {
                const std::size_t word = k * 64 + static_cast<std::size_t>(std::countr_zero(met_[k]));
                visit(static_cast<std::uint32_t>(word), std::exchange(sum_[word], {}));
            }
    }

private:
    PageArray<WordSum> sum_;
    std::vector<std::uint64_t> met_;  // a bit for each word
};

}  // namespace

TokenTable TokenTable::united(std::span<const TokenTable> tables, std::span<const CodeMap> words,
                              unsigned thread_count) {
    TokenTable all;
    std::size_t word_count = 0;
    for (const TokenTable& table : tables)
        if (table.classes_.size() > all.classes_.size()) all.classes_.resize(table.classes_.size());
    for (const CodeMap& map : words) word_count = std::max<std::size_t>(word_count, map.count);
    std::atomic<std::size_t> next = 0;
    run_parts(std::min<std::size_t>(thread_count, all.classes_.size()), [&](std::size_t) {
        OrderedSums sums(word_count);
        for (std::size_t c; (c = next++) < all.classes_.size();) {
            for (std::size_t t = 0; t < tables.size(); ++t) {
                if (c >= tables[t].classes_.size()) continue;
                tables[t].classes_[c].for_each([&](std::uint32_t word, double count, double documents) {
                    if (const std::uint32_t to = words[t].to[word]; to != CodeMap::dropped)
                        sums.add(to, count, documents);
                });
            }
            Words& mine = all.classes_[c];
            mine.list_.reserve(sums.size());
            sums.take([&](std::uint32_t word, const WordSum& sum) {
                mine.list_.push_back({sum.count, sum.documents, word + 1});
            });
            mine.used_ = mine.list_.size();
        }
    });
    return all;
}

std::vector<TokenTable::Entry> TokenTable::sorted() const {
    std::vector<Entry> entries;
    std::size_t most = 0;
    for (const Words& each : classes_) most += each.used_;
    entries.reserve(most);
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
        const auto first = static_cast<std::ptrdiff_t>(entries.size());
        classes_[c].for_each([&](std::uint32_t word, double count, double documents) {
            entries.push_back({c, word, count, documents});
        });
        std::sort(entries.begin() + first, entries.end(),
                  [](const Entry& a, const Entry& b) { return a.word < b.word; });
    }
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
    for (std::size_t k = 0; k < classes.size(); ++k) {
        if (!is_code(classes[k]) || !is_code(words[k]) || classes[k] >= most_classes) return source.fail();
        add(static_cast<std::uint32_t>(classes[k]), static_cast<std::uint32_t>(words[k]), count[k], documents[k]);
    }
}

}  // namespace suffice
