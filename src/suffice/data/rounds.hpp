// A fit whose rows lie in parts elsewhere: each pass over them is a round. Whoever leads the fit asks every part for
// its statistic, merges them and goes on to the next pass.
//
// Nothing of a learner is ever sent. Learners are deterministic and see rows only through statistics, so the answers of
// the passes so far (the log) lead any process to the same next pass: a part runs the learner over the log, takes the
// pass after it over its own rows and gives back the statistic; the leader, who has no rows, merges the statistics of
// all parts, appends them to the log and runs on to the next pass or to the end. A part that is asked twice answers
// alike, so a task that is run again counts once.
#pragma once
#include <string_view>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/base/result.hpp"
#include "suffice/base/type_key.hpp"
#include "suffice/data/block_tree.hpp"

namespace suffice {

class Rounds {
public:
    enum class Turn {
        answered,  // the log has it
        merge,     // the leader has the statistics of the parts
        own,       // a part takes the pass over its rows
        over,      // the round ends here
    };

    virtual ~Rounds() = default;
    // The turn of the next pass; `what` is told apart from other kinds of passes.
    virtual Turn next(std::string_view what) = 0;
    // Reading: of the answer in the log, or of one part's statistic.
    virtual FieldSource& answer() = 0;
    virtual std::size_t part_count() const = 0;
    virtual FieldSource& part(std::size_t which) = 0;
    // Writing what the leader adds to the log, or what a part gives back; made() ends it.
    virtual FieldSink& sink() = 0;
    virtual void made() = 0;
    // What is computed once, by the leader, between passes: true where the log has it.
    virtual bool knows(std::string_view what) = 0;
};

inline Error round_over() { return {ErrorKind::cancelled, "the round is over"}; }

template <class T>
concept Archived = Fielded<T> || requires(const T& value, FieldSink& sink) { value.write(sink, std::string_view{}); };

template <class T>
Result<T> read_answer(FieldSource& source, T blank) {
    read_value(source, blank);
    if (source.failed()) return Error("the statistics of a part cannot be read; was it made by another version?");
    return blank;
}

// Neighbours first, then neighbours of those: the same bits whoever has merged a run of 2, 4, 8 ... parts before.
template <class T, class Merge>
Result<T> merge_in_pairs(std::vector<T> parts, Merge merge) {
    for (std::size_t step = 1; step < parts.size(); step *= 2)
        for (std::size_t k = 0; k + step < parts.size(); k += 2 * step) {
            Result<T> both = merge(std::move(parts[k]), std::move(parts[k + step]));
            if (!both) return both.error();
            parts[k] = std::move(*both);
        }
    return std::move(parts.front());
}

template <Archived T>
void write_sums(FieldSink& sink, const BlockTree<T>& tree) {
    sink.whole({}, tree.size());
    for (const auto& [first, each] : tree.sums()) {
        sink.whole({}, first);
        sink.whole({}, each.span);
        write_value(sink, {}, each.sum);
    }
}

template <Archived T>
Result<void> read_sums(FieldSource& source, const T& blank, BlockTree<T>& into) {
    for (std::uint64_t left = source.whole(); left > 0; --left) {
        const std::uint64_t first = source.whole(), span = source.whole();
        auto sum = read_answer(source, blank);
        if (!sum) return sum.error();
        if (auto added = into.add({first, span, std::move(*sum)}, MergeStatistics{}); !added) return added;
    }
    return {};
}

// What `make` gives for the rows at hand (sums over their blocks), of all parts together.
template <Archived T, class Make>
Result<T> exchange(Rounds& rounds, const T& blank, Make make) {
    switch (rounds.next(type_spelling<T>())) {
        case Rounds::Turn::answered:
            return read_answer(rounds.answer(), blank);
        case Rounds::Turn::merge: {
            BlockTree<T> parts;
            for (std::size_t k = 0; k < rounds.part_count(); ++k)
                if (auto read = read_sums(rounds.part(k), blank, parts); !read) return read.error();
            auto all = std::move(parts).all(blank, MergeStatistics{});
            if (!all) return all.error();
            write_value(rounds.sink(), {}, *all);
            rounds.made();
            return std::move(*all);
        }
        case Rounds::Turn::own: {
            const Result<BlockTree<T>> mine = make();
            if (!mine) return mine.error();
            write_sums(rounds.sink(), *mine);
            rounds.made();
            return round_over();
        }
        case Rounds::Turn::over:
            break;
    }
    return round_over();
}

// A value that follows from the passes so far and costs more to find again than to send. Null: there are no rounds.
template <Archived T, class Make>
Result<T> once(Rounds* rounds, Make make) {
    if (rounds == nullptr) return make();
    if (rounds->knows(type_spelling<T>())) return read_answer(rounds->answer(), T{});
    Result<T> value = make();
    if (!value) return value;
    write_value(rounds->sink(), {}, *value);
    rounds->made();
    return value;
}

}  // namespace suffice
