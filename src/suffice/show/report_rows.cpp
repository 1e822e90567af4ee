// Gathers what a report tells of the rows.
#include "suffice/show/report_rows.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/flow/training_rows.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/show/word_places.hpp"

namespace suffice {
namespace {

std::string_view document_at(const TableUnit& unit, std::uint32_t column, std::size_t row) {
    const Cells& cells = unit.columns[column];
    if (cells.codes.empty()) return row < cells.words.size() ? cells.words[row] : std::string_view{};
    return cells.codes[row] < 0 ? std::string_view{} : cells.dictionary[static_cast<std::size_t>(cells.codes[row])];
}

// What one unit of rows gives; units are put together in their order.
struct UnitRows {
    Evaluation evaluation;
    Matrix values;
    std::vector<std::int32_t> label, prediction;
    std::vector<double> log_evidence;
    std::vector<Mistake> mistakes;
    std::vector<OddRow> odd;
    std::vector<std::vector<WordInContext::Place>> places;
};

class RowGatherer {
public:
    RowGatherer(const Model& model, const ReportLimits& limits, Evaluation blank,
                std::vector<std::uint32_t> text_columns, std::vector<WordInContext> words)
        : model_(model.predictor()),
          density_(bool(model_.check_density())),
          limits_(limits),
          blank_(std::move(blank)),
          text_(std::move(text_columns)),
          words_(std::move(words)) {}

    // `unit`: where the rows come from; null: from memory.
    Result<UnitRows> gather(const LabeledBlock& block, const TableUnit* unit) const {
        UnitRows made;
        const std::size_t rows = block.size(), classes = model_.class_count(), width = model_.schema().columns.size();
        std::vector<double> posterior(rows * classes);  // as evaluate has them, or rows of equal scores are told apart
        made.log_evidence.resize(rows);
        ScoreSink sink;
        sink.scores = posterior.data();
        sink.stride = static_cast<std::ptrdiff_t>(classes);
        if (density_) sink.log_evidence = made.log_evidence.data();
        Context alone;
        alone.thread_count = 1;
        if (auto scored = model_.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
        made.evaluation = blank_;
        if (auto seen = made.evaluation.observe({posterior, classes, block.label, block.weight}); !seen)
            return seen.error();
        made.values = Matrix(rows, width);
        std::vector<std::pair<double, std::size_t>> wrong, odd;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t k = 0; k < width; ++k)
                made.values(row, k) = model_.schema().columns[k].kind == ColumnKind::text
                                          ? std::numeric_limits<double>::quiet_NaN()
                                          : value_at(block.rows, row, k);
            const auto own = std::span(posterior).subspan(row * classes, classes);
            const auto best = static_cast<std::size_t>(std::ranges::max_element(own) - own.begin());
            made.label.push_back(block.label_of(row));
            made.prediction.push_back(static_cast<std::int32_t>(best));
            if (!(block.weight_of(row) > 0)) continue;  // it was never seen
            if (const auto truth = block.label_of(row); truth >= 0 && static_cast<std::size_t>(truth) != best)
                wrong.emplace_back(std::log(own[best] / std::max(own[static_cast<std::size_t>(truth)], 1e-300)), row);
            if (density_) odd.emplace_back(-made.log_evidence[row], row);
        }
        const auto worst = [](auto& some, std::size_t most) {
            std::ranges::stable_sort(some, std::greater{}, [](const auto& each) { return each.first; });
            some.resize(std::min(some.size(), most));
        };
        worst(wrong, limits_.mistakes);
        worst(odd, limits_.odd);
        const auto explained = [&](std::size_t row) {
            return explain_row(model_, block, row, std::span(posterior).subspan(row * classes, classes));
        };
        const auto text = [&](std::size_t row) {
            return text_.empty() ? std::string() : beginning_of(document_at(*unit, text_[0], row), 220);
        };
        for (const auto& [lost, row] : wrong)
            made.mistakes.push_back({explained(row), static_cast<std::size_t>(block.label_of(row)), lost, text(row)});
        for (const auto& [surprise, row] : odd)
            made.odd.push_back({explained(row), block.label_of(row), -surprise, text(row)});
        if (!text_.empty()) look_for_words(block, *unit, made);
        return made;
    }

private:
    void look_for_words(const LabeledBlock& block, const TableUnit& unit, UnitRows& made) const {
        made.places.resize(words_.size());
        for (std::size_t row = 0; row < block.size(); ++row) {
            const std::string_view document = document_at(unit, text_[0], row);
            if (document.data() == nullptr) continue;
            for (std::size_t k = 0; k < words_.size(); ++k) {
                if (static_cast<std::int32_t>(words_[k].of_class) != block.label_of(row) ||
                    made.places[k].size() >= limits_.places)
                    continue;
                const Column& column = model_.schema().columns[words_[k].column];
                const bool stemmed = !column.text.empty() && !column.text[0].stemmer.empty();
                if (auto place = place_of(document, column.levels[words_[k].word], stemmed))
                    made.places[k].push_back(std::move(*place));
            }
        }
    }

    const Predictor& model_;
    bool density_;  // is there a log p(x)?
    ReportLimits limits_;
    Evaluation blank_;
    std::vector<std::uint32_t> text_;
    std::vector<WordInContext> words_;
};

template <class Row, class Key>
void keep_worst(std::vector<Row>& all, std::vector<Row>& more, std::size_t most, Key key) {
    std::ranges::move(more, std::back_inserter(all));
    std::ranges::stable_sort(all, std::greater{}, key);
    all.resize(std::min(all.size(), most));
}

// Reservoir sampling (algorithm R, Vitter 1985): rows come in order, so the same rows are drawn for any thread count.
void draw_sample(SeenRows& sample, const UnitRows& unit, std::size_t most, Rng& rng) {
    const std::size_t width = unit.values.column_count;
    sample.values.column_count = width;
    for (std::size_t row = 0; row < unit.label.size(); ++row) {
        const std::uint64_t seen = sample.row_count++;
        std::size_t to = sample.size();
        if (to == most) {
            to = rng.below(seen + 1);
            if (to >= most) continue;
        } else {
            sample.values.values.resize((to + 1) * width);
            sample.values.row_count = to + 1;
            sample.label.resize(to + 1);
            sample.prediction.resize(to + 1);
            sample.log_evidence.resize(to + 1);
        }
        std::ranges::copy(unit.values.row(row), sample.values.row(to).begin());
        sample.label[to] = unit.label[row];
        sample.prediction[to] = unit.prediction[row];
        sample.log_evidence[to] = unit.log_evidence[row];
    }
}

// Units in the order of the rows, put together.
class RowCollector {
public:
    RowCollector(const Model& model, const ReportLimits& limits, const Context& context, Evaluation blank)
        : limits_(limits), rng_(context.seed, "report") {
        limits_.sample = std::min(limits.sample, most_values / std::max<std::size_t>(model.schema().columns.size(), 1));
        all_.evaluation = std::move(blank);
    }

    Result<void> take(UnitRows unit) {
        all_.evaluation.merge(unit.evaluation);
        draw_sample(all_.sample, unit, limits_.sample, rng_);
        keep_worst(all_.mistakes, unit.mistakes, limits_.mistakes, &Mistake::log_odds);
        keep_worst(all_.odd, unit.odd, limits_.odd, [](const OddRow& row) { return -row.log_evidence; });
        for (std::size_t k = 0; k < unit.places.size(); ++k)
            for (auto& place : unit.places[k])
                if (all_.words[k].places.size() < limits_.places) all_.words[k].places.push_back(std::move(place));
        return {};
    }
    ReportRows& rows() { return all_; }

private:
    static constexpr std::size_t most_values = 4'000'000;  // of the sample, in all columns together

    ReportLimits limits_;
    Rng rng_;
    ReportRows all_;
};

Error nothing_known(const Model& model) {
    return Error("no row has a class that the model knows, so there is nothing to report")
        .in_column(model.schema().target);
}

bool were_trained_on(const ReportRows& all, const Model& model, const ReportLimits& limits, Stream& stream,
                     const Context& context) {
    return limits.training && are_training_rows(model, all.evaluation.scores(), stream, context);
}

}  // namespace

std::vector<double> SeenRows::column(std::size_t which) const {
    std::vector<double> all(size());
    for (std::size_t row = 0; row < size(); ++row) all[row] = values(row, which);
    return all;
}

Result<ReportRows> gather_rows(const Model& model, const Data& data, const ApplyOptions& options,
                               const ReportLimits& limits, const Context& context) {
    ApplyOptions labelled = options;
    labelled.need_target = true;
    for (const auto& column : model.schema().columns)
        if (column.kind == ColumnKind::text) labelled.keep.push_back(column.name);
    auto applied = open_for_model(model, data, labelled);
    if (!applied) return applied.error();
    auto blank = Evaluation::make(model.predictor().class_count());
    if (!blank) return blank.error();
    RowCollector collector(model, limits, context, *blank);
    ReportRows& all = collector.rows();
    all.words = telling_words_of(model, limits.words);
    const RowGatherer gatherer(model, limits, *blank, applied->kept, all.words);
    auto done = map_in_order(
        *applied->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane& lane, Workspace&) {
            return gatherer.gather(block, &TableStream::unit_of(lane));
        },
        [&](UnitRows unit) { return collector.take(std::move(unit)); });
    if (!done) return in_data(done.error(), *applied->data.reader);
    all.files = applied->data.reader->files();
    all.notes = std::move(applied->data.notes);
    if (!(all.evaluation.weight() > 0)) return nothing_known(model).in_file(first_file(*applied->data.reader));
    all.training = were_trained_on(all, model, limits, *applied->data.stream, context);
    return std::move(all);
}

Result<ReportRows> gather_rows(const Model& model, const LabeledBlock& rows, const ReportLimits& limits,
                               const Context& context) {
    auto blank = Evaluation::make(model.predictor().class_count());
    if (!blank) return blank.error();
    RowCollector collector(model, limits, context, *blank);
    const RowGatherer gatherer(model, limits, *blank, {}, {});
    MemoryStream stream(rows, model.schema());
    auto done = map_in_order(
        stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) {
            return gatherer.gather(block, nullptr);
        },
        [&](UnitRows unit) { return collector.take(std::move(unit)); });
    if (!done) return done.error();
    if (!(collector.rows().evaluation.weight() > 0)) return nothing_known(model);
    collector.rows().training = were_trained_on(collector.rows(), model, limits, stream, context);
    return std::move(collector.rows());
}

}  // namespace suffice
