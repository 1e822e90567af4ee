// Counts a query's words in every document.
#include "suffice/flow/query.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/text_count.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/token_part.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

struct Collection {
    std::uint32_t column = 0;
    std::vector<double> count;  // by word, of all classes
    double total = 0;
};

Result<Collection> collection_of(const Model& model) {
    if (const auto* classifier = model.as<Classifier>())
        for (const Part& part : classifier->state().statistic.parts) {
            const auto* tokens = part.as<TokenPart>();
            const auto* grams = part.as<NgramPart>();
            if (tokens == nullptr && grams == nullptr) continue;
            Collection made{part.columns()[0], {}, 0};
            made.count.resize(model.schema().columns[made.column].levels.size());
            const TokenTable table = tokens != nullptr ? tokens->table : grams->word_counts();
            table.for_each([&](const TokenTable::Entry& each) {
                made.count[each.word] += each.count;
                made.total += each.count;
            });
            return made;
        }
    return Error(ErrorKind::usage, "the model has no text to ask for; fit it to documents");
}

struct QueryWord {
    std::uint32_t word = 0;
    double count = 0;  // in the query
    double share = 0;  // in the collection
};

// The start of a document for people, its line ends as blanks.
std::string beginning(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string start(text.substr(0, longest));
    while (text.size() > longest && !start.empty() && (start.back() & 0xC0) == 0x80) start.pop_back();
    if (text.size() > longest && !start.empty() && (start.back() & 0x80) != 0) start.pop_back();
    for (char& each : start)
        if (static_cast<unsigned char>(each) < ' ') each = ' ';
    return start;
}

double log_likelihood(const std::vector<QueryWord>& query, const SparseBlock& rows, std::size_t row,
                      const QueryOptions& options) {
    const auto first = static_cast<std::size_t>(rows.row_start[row]),
               last = static_cast<std::size_t>(rows.row_start[row + 1]);
    double length = 0, sum = 0;
    std::vector<double> found(query.size());
    for (std::size_t at = first; at < last; ++at) {
        const double count = rows.value_at(static_cast<std::int64_t>(at));
        length += count;
        for (std::size_t k = 0; k < query.size(); ++k)
            if (query[k].word == rows.column[at]) found[k] += count;
    }
    for (std::size_t k = 0; k < query.size(); ++k) {
        const double own = length > 0 ? found[k] / length : 0;
        const double p = options.smoothing == QueryOptions::Smoothing::dirichlet
                             ? (found[k] + options.amount * query[k].share) / (length + options.amount)
                             : (1 - options.amount) * own + options.amount * query[k].share;
        sum += query[k].count * std::log(p);
    }
    return sum;
}

}  // namespace

Result<Ranking> rank_documents(const Model& model, const std::vector<std::string>& files, std::string_view query,
                               const QueryOptions& options, const Context& context) {
    const auto collection = collection_of(model);
    if (!collection) return collection.error();
    const Column& column = model.schema().columns[collection->column];
    const auto tokenizer = Tokenizer::make(column.text.empty() ? TextOptions{} : column.text[0]);
    if (!tokenizer) return tokenizer.error();
    const Vocabulary vocabulary(column.levels);
    DocumentReader reader(*tokenizer);
    std::vector<QueryWord> words;
    auto read = reader.for_each_known_count(query, vocabulary, [&](std::uint32_t word, double count) {
        words.push_back({word, count, collection->count[word] / collection->total});
    });
    if (!read) return read.error();
    if (words.empty())
        return Error(ErrorKind::usage, "no word of the query is one that the model has seen: " + std::string(query));
    Ranking ranking;
    if (reader.unknown_count() > 0)
        ranking.notes.push_back("words of the query that the model has never seen were left out: " +
                                std::to_string(reader.unknown_count()));

    ApplyOptions apply = options.apply;
    apply.allow_missing_columns = true;  // only the text is looked at
    auto applied = open_for_model(model, files, apply);
    if (!applied) return applied.error();
    const auto& found = applied->data.reader->columns();
    const auto at = std::ranges::find(found, column.name, &FoundColumn::name);
    if (at == found.end())
        return Error("there is no column " + column.name + " with the text").in_file(applied->data.reader->files()[0]);
    const auto place = static_cast<std::size_t>(at - found.begin());
    const auto better = [](const RankedDocument& a, const RankedDocument& b) {
        return a.log_likelihood != b.log_likelihood ? a.log_likelihood > b.log_likelihood : a.row < b.row;
    };
    auto done = map_in_order(
        *applied->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane& lane,
            Workspace&) -> Result<std::vector<RankedDocument>> {
            std::vector<RankedDocument> made;
            const SparseBlock rows = tokens_of(block.rows, collection->column);
            const Cells& cells = TableStream::unit_of(lane).columns[place];
            for (std::size_t row = 0; row < block.size(); ++row)
                if (!is_missing(block.rows, row, collection->column))
                    made.push_back({block.first_row + row + 1, log_likelihood(words, rows, row, options),
                                    beginning(text_at(cells, row))});
            return made;
        },
        [&](std::vector<RankedDocument> more) -> Result<void> {
            auto& best = ranking.documents;
            best.insert(best.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
            const std::size_t kept = std::min(options.most, best.size());
            std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(kept), better);
            best.resize(kept);
            return {};
        });
    if (!done) return in_data(done.error(), *applied->data.reader);
    return ranking;
}

}  // namespace suffice
