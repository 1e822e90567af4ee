// Learns from the rows again and compares.
#include "suffice/flow/training_rows.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/model/classifier.hpp"

namespace suffice {
namespace {

bool holds_text(const Schema& schema) {
    return std::ranges::any_of(schema.columns, [](const Column& each) { return each.kind == ColumnKind::text; });
}

bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

bool are_training_rows(const Model& model, const Scores& scores, Stream& rows, const Context& context) {
    if (!nearly_equal(scores.weight, model.seen().rows) || scores.unknown_row_count > 0) return false;
    const Classifier* sums = model.as<Classifier>();
    if (sums == nullptr)
        return scores.log_loss && nearly_equal(*scores.log_loss * scores.weight, -model.predictor().log_likelihood());
    if (holds_text(model.schema()) || !rows.rewind()) return false;
    ModelState state = sums->state();
    const std::vector<double> weight = state.statistic.class_weight;
    state.statistic = state.statistic.blank();
    const auto fed = feed(std::move(state), rows, context);
    if (!fed || !std::ranges::equal(fed->statistic.class_weight, weight, nearly_equal)) return false;
    const auto again = Classifier::from(*fed);
    return again && nearly_equal(again->log_likelihood(), sums->log_likelihood());
}

Note training_rows_note() { return "the model was trained on these very rows; of others expect less"; }

}  // namespace suffice
