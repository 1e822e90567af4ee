// Scores labelled files, fits a calibration to the posteriors, and measures before and after.
#include "suffice/flow/calibrate.hpp"

#include "suffice/accumulate/in_order.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

struct Judged {
    std::vector<double> posteriors;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
};

Result<Judged> judge(const Predictor& model, const LabeledBlock& block) {
    const std::size_t classes = model.class_count();
    Judged part;
    part.posteriors.resize(block.size() * classes);
    ScoreSink sink;
    sink.scores = part.posteriors.data();
    sink.stride = static_cast<std::ptrdiff_t>(classes);
    Context alone;
    alone.thread_count = 1;
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
    for (std::size_t row = 0; row < block.size(); ++row) {
        part.labels.push_back(block.label_of(row));
        part.weights.push_back(block.weight_of(row));
    }
    return part;
}

Result<Scores> scores_of(const PosteriorRows& rows) {
    auto evaluation = Evaluation::make(rows.class_count);
    if (!evaluation) return evaluation.error();
    if (auto seen = evaluation->observe(rows); !seen) return seen.error();
    return evaluation->scores(Evaluation::Curves::without);
}

}  // namespace

Result<Calibrated> calibrate(const Model& model, const std::vector<std::string>& files, std::string_view method,
                             const ApplyOptions& options, const Context& context) {
    const Model plain = model.with_calibration({});
    ApplyOptions labelled = options;
    labelled.need_target = true;
    auto applied = open_for_model(plain, files, labelled);
    if (!applied) return applied.error();
    const Predictor& predictor = plain.predictor();
    Judged all;
    const auto done = map_in_order(
        *applied->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<Judged> {
            auto part = judge(predictor, block);
            if (!part) return part.error();
            return part;
        },
        [&](const Judged& part) -> Result<void> {
            all.posteriors.insert(all.posteriors.end(), part.posteriors.begin(), part.posteriors.end());
            all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
            all.weights.insert(all.weights.end(), part.weights.begin(), part.weights.end());
            return {};
        });
    if (!done) return in_data(done.error(), *applied->data.reader);
    const PosteriorRows rows{all.posteriors, predictor.class_count(), all.labels, all.weights};
    Calibrated made{plain, {}, 0, 0, 0, 0, 0, applied->data.notes};
    Calibration calibration;
    if (method == "auto") {
        auto chosen = choose_calibration(rows);
        if (!chosen) return in_data(chosen.error(), *applied->data.reader);
        calibration = std::move(chosen->calibration);
        made.scores = std::move(chosen->scores);
    } else {
        auto fitted = fit_calibration(method, rows);
        if (!fitted) return in_data(fitted.error(), *applied->data.reader);
        calibration = std::move(*fitted);
    }
    const auto before = scores_of(rows);
    if (!before) return before.error();
    if (auto moved = calibration.apply(all.posteriors, predictor.class_count()); !moved) return moved.error();
    const auto after = scores_of(rows);
    if (!after) return after.error();
    made.rows = before->weight;
    made.log_loss_before = before->log_loss.value_or(0);
    made.log_loss_after = after->log_loss.value_or(0);
    made.error_before = before->calibration_error.value_or(0);
    made.error_after = after->calibration_error.value_or(0);
    made.model = plain.with_calibration(std::move(calibration));
    return made;
}

}  // namespace suffice
