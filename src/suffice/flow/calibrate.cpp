// Scores files, fits the stages behind a model to the posteriors, and measures before and after.
#include "suffice/flow/calibrate.hpp"

#include <filesystem>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/flow/training_rows.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Judged {
    std::vector<double> posteriors, log_evidence;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
};

struct Wanted {
    bool posteriors = true, log_evidence = false;
};

Result<Judged> judge(const Predictor& model, const LabeledBlock& block, Wanted wanted) {
    const std::size_t classes = model.class_count();
    Judged part;
    ScoreSink sink;
    if (wanted.posteriors) {
        part.posteriors.resize(block.size() * classes);
        sink.scores = part.posteriors.data();
        sink.stride = static_cast<std::ptrdiff_t>(classes);
    }
    if (wanted.log_evidence) {
        part.log_evidence.resize(block.size());
        sink.log_evidence = part.log_evidence.data();
    }
    Context alone;
    alone.thread_count = 1;
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
    for (std::size_t row = 0; row < block.size(); ++row) {
        part.labels.push_back(block.label_of(row));
        part.weights.push_back(block.weight_of(row));
    }
    return part;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Result<Judged> judge_all(const Predictor& model, OpenedData& data, Wanted wanted, const Context& context) {
    if (wanted.log_evidence)
        if (auto dense = model.check_density(); !dense) return dense.error();
    Judged all;
    const auto done = map_in_order(
        *data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) {
            return judge(model, block, wanted);
        },
        [&](const Judged& part) -> Result<void> {
            append(all.posteriors, part.posteriors);
            append(all.log_evidence, part.log_evidence);
            append(all.labels, part.labels);
            append(all.weights, part.weights);
            return {};
        });
    if (!done) return in_data(done.error(), *data.reader);
    return all;
}

Result<Evaluation> evaluation_of(const PosteriorRows& rows) {
    auto evaluation = Evaluation::make(rows.class_count);
    if (!evaluation) return evaluation.error();
    if (auto seen = evaluation->observe(rows); !seen) return seen.error();
    return evaluation;
}

// On rows that the model has learned its posteriors are too sure, and a calibration to them makes them surer.
void note_training_rows(const Model& model, const Scores& scores, OpenedData& data,
                        const std::vector<std::string>& files, const Context& context, std::vector<Note>& notes) {
    if (are_training_rows(model, scores, *data.stream, context)) {
        notes.push_back("the model was trained on these very rows; calibrate it on rows that it has not seen");
        return;
    }
    const auto name_of = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
    for (const auto& file : files)
        for (const auto& learned : model.seen().files)
            if (name_of(file) == name_of(learned)) {
                notes.push_back("the model was fitted to a file of the name " + name_of(file) +
                                "; calibrate it on rows that it has not seen");
                return;
            }
}

// Adds the thresholds of the goals.
Result<void> choose_thresholds(const Evaluation& evaluation, const CalibrateOptions& options, DecisionStage& into,
                               Calibrated& made) {
    for (const ThresholdGoal& goal : options.goals) {
        const auto choice = choose_threshold(evaluation.threshold_curve(goal.of_class), goal);
        if (!choice) return choice.error();
        made.thresholds.push_back(*choice);
        into.thresholds.push_back({made.model.classes()[goal.of_class], choice->threshold});
    }
    return {};
}

}  // namespace

Result<Calibrated> calibrate(const Model& model, const Data& data, const CalibrateOptions& options,
                             const Context& context) {
    return guarded([&]() -> Result<Calibrated> {
        const Model plain = model.with_calibration({});
        ApplyOptions labelled = options.apply;
        labelled.need_target = true;
        auto applied = open_for_model(plain, data, labelled);
        if (!applied) return applied.error();
        const Predictor& predictor = plain.predictor();
        auto all = judge_all(predictor, applied->data, {true, options.novelty}, context);
        if (!all) return all.error();
        const PosteriorRows rows{all->posteriors, predictor.class_count(), all->labels, all->weights};
        Calibrated made{plain, {}, 0, 0, {}, {}, {}, 0, applied->data.notes};
        Calibration calibration;
        if (options.method == "auto") {
            auto chosen = choose_calibration(rows);
            if (!chosen) return in_data(chosen.error(), *applied->data.reader);
            calibration = std::move(chosen->calibration);
            made.scores = std::move(chosen->scores);
        } else {
            auto fitted = fit_calibration(options.method, rows);
            if (!fitted) return in_data(fitted.error(), *applied->data.reader);
            calibration = std::move(*fitted);
        }
        const auto before = evaluation_of(rows);
        if (!before) return before.error();
        if (const auto fresh = cross_calibrated(options.method, rows)) {
            const auto seen = evaluation_of({fresh->posteriors, fresh->class_count, fresh->truths, fresh->weights});
            if (!seen) return seen.error();
            const Scores then = seen->scores(Evaluation::Curves::without);
            made.log_loss_after = then.log_loss;
            made.error_after = then.calibration_error;
        }
        if (auto moved = calibration.apply(all->posteriors, predictor.class_count()); !moved) return moved.error();
        const auto after = evaluation_of(rows);
        if (!after) return after.error();
        const Scores first = before->scores(Evaluation::Curves::without);
        note_training_rows(plain, first, applied->data, data.files(), context, made.notes);
        made.rows = first.weight;
        made.log_loss_before = first.log_loss.value_or(0);
        made.error_before = first.calibration_error.value_or(0);
        DecisionStage decision;
        if (auto chosen = choose_thresholds(*after, options, decision, made); !chosen)
            return in_data(chosen.error(), *applied->data.reader);
        if (options.novelty) decision.usual_evidence = usual_evidence(std::move(all->log_evidence));
        auto behind = plain.with_calibration(std::move(calibration)).with_decision(std::move(decision));
        if (!behind) return behind.error();
        made.model = std::move(*behind);
        return made;
    });
}

Result<double> novelty_below(const Model& model, const Data& data, double share, const ApplyOptions& options,
                             const Context& context) {
    return guarded([&]() -> Result<double> {
        auto applied = open_for_model(model, data, options);
        if (!applied) return applied.error();
        auto all = judge_all(model.predictor(), applied->data, {false, true}, context);
        if (!all) return all.error();
        return novelty_threshold(std::move(all->log_evidence), share);
    });
}

}  // namespace suffice
