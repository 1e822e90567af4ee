// Scores labelled files.
#include "suffice/flow/evaluate.hpp"

#include <algorithm>

#include "suffice/accumulate/fold.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/flow/training_rows.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Scratch {
    std::vector<double> posteriors;
};

// Of labels and of documents.
struct Measured {
    Evaluation labels;
    TextFit text;
    bool operator==(const Measured&) const = default;
    double weight() const { return labels.weight(); }
    void merge(const Measured& from) {
        labels.merge(from.labels);
        text.merge(from.text);
    }
};

struct ScoredRows {
    using Statistic = Measured;
    const Predictor& model;
    const Classifier* words;  // null: the model has no language models
    Measured blank;

    Measured empty() const { return blank; }
    std::size_t footprint() const { return std::size_t{16} << 20; }  // of the posteriors kept for curves
    Result<void> observe(Measured& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& posteriors = workspace.of<Scratch>().posteriors;
        const std::size_t classes = model.class_count();
        posteriors.resize(unit.size() * classes);
        ScoreSink sink;
        sink.scores = posteriors.data();
        sink.stride = static_cast<std::ptrdiff_t>(classes);
        Context alone;
        alone.thread_count = 1;
        if (auto scored = model.score(unit.rows, sink, alone, unit.first_row); !scored) return scored;
        if (words != nullptr) measure_text(into.text, unit);
        return into.labels.observe({posteriors, classes, unit.label, unit.weight});
    }
    void measure_text(TextFit& into, const LabeledBlock& unit) const {
        std::vector<double> by_class(model.class_count());
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (unit.label_of(row) < 0) continue;
            const auto truth = static_cast<std::size_t>(unit.label_of(row));
            std::ranges::fill(by_class, 0.0);
            for (const auto& scorer : words->scorers())
                into.words[truth] += unit.weight_of(row) * scorer->add_sequence(unit.rows, row, by_class);
            into.log_probability[truth] += unit.weight_of(row) * by_class[truth];
        }
    }
};

}  // namespace

Result<Evaluated> evaluate(const Model& model, const Data& data, const ApplyOptions& options, const Context& context) {
    return guarded([&]() -> Result<Evaluated> {
        ApplyOptions labelled = options;
        labelled.need_target = true;
        auto applied = open_for_model(model, data, labelled);
        if (!applied) return applied.error();
        auto blank = Evaluation::make(model.predictor().class_count());
        if (!blank) return blank.error();
        const auto is_text = [](const Column& each) { return each.kind == ColumnKind::text; };
        const Classifier* words =
            std::ranges::any_of(model.schema().columns, is_text) ? model.as<Classifier>() : nullptr;
        const ScoredRows pass{
            model.predictor(), words, {std::move(*blank), TextFit(words != nullptr ? model.classes().size() : 0)}};
        auto gathered = fold(pass, *applied->data.stream, context);
        if (!gathered) return in_data(gathered.error(), *applied->data.reader);
        Evaluated done{gathered->labels.scores(), std::move(applied->data.notes), std::move(gathered->text)};
        if (!(done.scores.weight > 0))
            return Error("no row has a class that the model knows, so there is nothing to evaluate")
                .in_file(first_file(*applied->data.reader))
                .in_column(model.schema().target);
        if (done.scores.unknown_row_count > 0)
            done.notes.push_back(std::to_string(done.scores.unknown_row_count) +
                                 " rows without a class that the model knows were skipped");
        for (Note& each : notes_of_reading(*applied->data.reader)) done.notes.push_back(std::move(each));
        if (are_training_rows(model, done.scores, *applied->data.stream, context))
            done.notes.push_back(training_rows_note());
        return done;
    });
}

Result<Evaluation> measure(const Model& model, std::unique_ptr<TableReader> rows, const std::string& weight,
                           const Context& context) {
    return guarded([&]() -> Result<Evaluation> {
        ApplyOptions labelled;
        labelled.need_target = true;
        labelled.weight = weight;
        auto applied = open_for_names(model.schema(), std::move(rows), labelled);
        if (!applied) return applied.error();
        auto blank = Evaluation::make(model.predictor().class_count());
        if (!blank) return blank.error();
        const ScoredRows pass{model.predictor(), nullptr, {std::move(*blank), TextFit(0)}};
        auto gathered = fold(pass, *applied->data.stream, context);
        if (!gathered) return in_data(gathered.error(), *applied->data.reader);
        return std::move(gathered->labels);
    });
}

}  // namespace suffice
