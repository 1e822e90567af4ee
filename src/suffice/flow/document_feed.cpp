// Unites what the lanes of a pass over documents found.
#include "suffice/flow/document_feed.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/held_stream.hpp"
#include "suffice/encode/byte_order.hpp"
#include "suffice/encode/document_codes.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/encode/text_threads.hpp"
#include "suffice/group/mixture_discriminant.hpp"
#include "suffice/model/labeled_rows.hpp"
#include "suffice/model/unit_documents.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {
namespace {

// What one lane has met: words numbered by first appearance, and what was counted of them.
struct WordLane {
    ModelStatistic counted;
    Vocabulary words = {};
    DocumentCodes codes;
};

// Merging only lists the lanes; unite makes one of them, by the hashes of their words.
struct WordLanes {
    std::vector<std::shared_ptr<WordLane>> lanes;
    bool operator==(const WordLanes&) const = default;
    double weight() const {
        double sum = 0;
        for (const auto& lane : lanes) sum += lane->counted.weight();
        return sum;
    }
    void merge(const WordLanes& from) { lanes.insert(lanes.end(), from.lanes.begin(), from.lanes.end()); }
};

struct LearnWords {
    using Statistic = WordLanes;
    const DocumentStream& stream;
    LabeledRows rows;

    WordLanes empty() const { return {}; }
    std::size_t footprint() const { return rows.footprint(); }
    Result<void> observe(WordLanes& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const {
        if (into.lanes.empty())
            into.lanes.push_back(
                std::make_shared<WordLane>(rows.empty(), Vocabulary{}, DocumentCodes(stream.tokenizer())));
        WordLane& lane = *into.lanes[0];
        const auto document = [&](std::size_t row) { return stream.documents().text[unit.first_row + row]; };
        if (auto read = lane.codes.read(unit.size(), document, nullptr, lane.words); !read)
            return Error(read.error())
                .at_row(unit.first_row + read.error().row.value_or(1))
                .in_column(names.columns[0].name);
        ColumnView view;
        view.tokens = lane.codes.view(lane.words.size());
        view.validity = lane.codes.validity();
        LabeledBlock coded = unit;
        coded.rows = ColumnBlock{{&view, 1}, unit.size(), 0};
        return rows.observe(lane.counted, coded, names, workspace);
    }
};

// Lane's code -> place of the word in the order of all words, and those words.
struct SortedWords {
    std::vector<CodeMap> of_lane;
    std::vector<std::string> names;
};

CodeMap same_codes(std::size_t count) {
    CodeMap map{std::vector<std::uint32_t>(count), static_cast<std::uint32_t>(count)};
    std::iota(map.to.begin(), map.to.end(), 0u);
    return map;
}

SortedWords sort_words(WordLanes& found, unsigned thread_count) {
    SortedWords sorted;
    Vocabulary all = std::move(found.lanes[0]->words);
    sorted.of_lane.push_back(same_codes(all.size()));
    for (std::size_t l = 1; l < found.lanes.size(); ++l)
        sorted.of_lane.push_back({all.merge(found.lanes[l]->words, thread_count), 0});
    std::vector<std::uint32_t> order = same_codes(all.size()).to, place(all.size());
    sort_by_bytes(order, [&](std::uint32_t code) { return all.word(code); }, thread_count);
    sorted.names.resize(order.size());
    const auto share = [&](std::size_t count, std::size_t part) { return count * part / thread_count; };
    run_parts(thread_count, [&](std::size_t part) {
        for (std::size_t k = share(order.size(), part), end = share(order.size(), part + 1); k < end; ++k) {
            place[order[k]] = static_cast<std::uint32_t>(k);
            sorted.names[k] = all.word(order[k]);
        }
    });
    for (CodeMap& map : sorted.of_lane) map.count = static_cast<std::uint32_t>(place.size());
    run_parts(thread_count, [&](std::size_t part) {
        for (CodeMap& map : sorted.of_lane)
            for (std::size_t k = share(map.to.size(), part), end = share(map.to.size(), part + 1); k < end; ++k)
                map.to[k] = place[map.to[k]];
    });
    return sorted;
}

// Counts of words are most of the work and are added class by class, by all threads; the rest is quick.
ModelStatistic unite(WordLanes found, unsigned thread_count) {
    SortedWords words = sort_words(found, thread_count);
    std::vector<TokenTable> tables;
    for (const auto& lane : found.lanes)
        if (auto* tokens = lane->counted.parts[0].as<TokenPart>())
            tables.push_back(std::exchange(tokens->table, TokenTable()));
    TokenTable table;
    if (!tables.empty()) table = TokenTable::united(tables, words.of_lane, thread_count);
    const std::size_t count = found.lanes.size(), threads = std::min<std::size_t>(thread_count, count);
    run_parts(threads, [&](std::size_t part) {
        for (std::size_t l = part; l < count; l += threads) {
            ModelStatistic& counted = found.lanes[l]->counted;
            counted.recode({same_codes(counted.schema.classes.size()), {std::move(words.of_lane[l])}});
        }
    });
    ModelStatistic all = std::move(found.lanes[0]->counted);
    for (std::size_t l = 1; l < count; ++l) all.merge(found.lanes[l]->counted);
    if (!tables.empty()) all.parts[0].as<TokenPart>()->table = std::move(table);
    all.schema.columns[0].levels = std::move(words.names);
    return all;
}

// Then all classes and words were met, and the words are sorted already: by their bytes, as they should be unless all
// of them are numbers.
bool every_name_counts(const LabeledDocuments& documents, const ModelStatistic& counted) {
    auto classes = counted.schema.classes;
    sort_names(classes);
    return documents.weight.empty() && std::ranges::all_of(documents.label, [](std::int32_t c) { return c >= 0; }) &&
           !documents.label.empty() && classes == counted.schema.classes &&
           std::ranges::all_of(counted.class_weight, [](double weight) { return weight > 0; }) &&
           !all_numbers(counted.schema.columns[0].levels);
}

}  // namespace

Result<ModelState> feed_documents(ModelState state, DocumentStream& documents, const Context& context) {
    LearnWords pass{documents, {state.statistic.blank()}};
    pass.rows.blank.schema.columns[0].levels.clear();  // lanes number words from zero
    auto found = fold(pass, documents, context);
    if (!found) return found.error();
    ModelStatistic gathered = pass.rows.blank;
    if (!found->lanes.empty()) gathered = unite(std::move(*found), useful_threads(context, documents.byte_count()));
    const bool fresh = !(state.statistic.weight() > 0 || state.statistic.unlabeled_weight > 0);
    if (fresh)
        state.statistic = std::move(gathered);
    else
        state.statistic.merge(gathered);
    if (!fresh || !every_name_counts(documents.documents(), state.statistic)) state.statistic.tidy();
    return state;
}

Result<ModelState> fit_unit_documents(const ModelState& blank, LabeledDocuments documents, const Context& context) {
    DocumentStream all(documents, blank.statistic.schema, true);
    auto words = feed_documents(blank, all, context);
    if (!words) return words.error();
    Schema names = blank.statistic.schema;
    names.columns[0].levels = std::move(words->statistic.schema.columns[0].levels);
    ModelState recipe = blank;
    recipe.statistic.grow(names);
    DocumentStream known(documents, std::move(names), false);
    const auto held = HeldStream::hold(known, context);
    if (!held) return held.error();
    return fit_unit_documents(recipe, *held ? **held : known, context);
}

Result<Classifier> fit_semi_supervised(const ModelState& blank, LabeledDocuments documents, double unlabeled_weight,
                                       const Context& context) {
    const std::vector<std::int32_t> any_class(documents.text.size(), 0);
    DocumentStream all({documents.text, any_class, documents.weight}, blank.statistic.schema, true);
    auto words = feed_documents(blank, all, context);
    if (!words) return words.error();
    Schema names = blank.statistic.schema;
    Column& column = names.columns[0];
    column.levels = std::move(words->statistic.schema.columns[0].levels);
    column.declared_levels = static_cast<std::uint32_t>(column.levels.size());
    ModelState recipe = blank;
    recipe.statistic.grow(names);
    DocumentStream known(documents, std::move(names), false);
    const auto held = HeldStream::hold(known, context);
    if (!held) return held.error();
    return fit_semi_supervised(recipe, *held ? **held : known, unlabeled_weight, {}, context);
}

}  // namespace suffice
