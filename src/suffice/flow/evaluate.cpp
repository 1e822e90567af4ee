// Scores labelled files.
#include "suffice/flow/evaluate.hpp"

#include "suffice/accumulate/fold.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Scratch {
    std::vector<double> posteriors;
};

struct ScoredRows {
    using Statistic = Evaluation;
    const Predictor& model;
    Evaluation blank;

    Evaluation empty() const { return blank; }
    std::size_t footprint() const { return std::size_t{16} << 20; }  // of the posteriors kept for curves
    Result<void> observe(Evaluation& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& posteriors = workspace.of<Scratch>().posteriors;
        const std::size_t classes = model.class_count();
        posteriors.resize(unit.size() * classes);
        ScoreSink sink;
        sink.scores = posteriors.data();
        sink.stride = static_cast<std::ptrdiff_t>(classes);
        Context alone;
        alone.thread_count = 1;
        if (auto scored = model.score(unit.rows, sink, alone, unit.first_row); !scored) return scored;
        return into.observe({posteriors, classes, unit.label, unit.weight});
    }
};

}  // namespace

Result<Evaluated> evaluate(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                           const Context& context) {
    ApplyOptions labelled = options;
    labelled.need_target = true;
    auto applied = open_for_model(model, files, labelled);
    if (!applied) return applied.error();
    auto blank = Evaluation::make(model.predictor().class_count());
    if (!blank) return blank.error();
    const auto gathered = fold(ScoredRows{model.predictor(), std::move(*blank)}, *applied->data.stream, context);
    if (!gathered) return in_data(gathered.error(), *applied->data.reader);
    Evaluated done{gathered->scores(), std::move(applied->data.notes)};
    if (!(done.scores.weight > 0))
        return Error("no row has a class that the model knows, so there is nothing to evaluate")
            .in_file(applied->data.reader->files().front())
            .in_column(model.schema().target);
    if (done.scores.unknown_row_count > 0)
        done.notes.push_back(std::to_string(done.scores.unknown_row_count) +
                             " rows without a class that the model knows were skipped");
    if (const auto skipped = applied->data.reader->skipped_rows(); skipped > 0)
        done.notes.push_back(std::to_string(skipped) + " ragged rows were skipped");
    return done;
}

}  // namespace suffice
