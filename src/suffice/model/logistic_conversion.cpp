// Generative models written as regressions, and one sigmoid as two scores.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

// What a class adds for each level of a column of categories; empty where the column is none.
std::vector<double> level_scores(const Description::OfColumn& column, std::size_t class_code, std::size_t level_count) {
    std::vector<double> scores = column.by_class[class_code].numbers("probability");
    if (column.family != "categorical" || scores.size() != level_count) return {};
    for (double& score : scores) score = std::log(score);
    return scores;
}

void centre_classes(std::vector<double>& values, std::size_t class_count) {
    const std::size_t width = values.size() / class_count;
    for (std::size_t j = 0; j < width; ++j) {
        double middle = 0;  // of all classes: softmax does not see it
        for (std::size_t c = 0; c < class_count; ++c)
            middle += values[c * width + j] / static_cast<double>(class_count);
        for (std::size_t c = 0; c < class_count; ++c) values[c * width + j] -= middle;
    }
}

}  // namespace

Result<LogisticRegression> to_logistic(const Classifier& model) {
    const Classifier::PartialForm partial = model.partial_form();
    const ScoreForm& form = partial.form;
    const Error not_linear(ErrorKind::usage, "the scores of " + model.state().model +
                                                 " are not linear in the columns, so no logistic regression equals it");
    // A quadric that all classes share cancels between them.
    if (!partial.told ||
        !std::ranges::all_of(form.quadratic, [&](const auto& q) { return q == form.quadratic.front(); }))
        return not_linear;
    LogisticState state;
    state.schema = model.schema();
    const std::size_t k = form.constant.size();
    std::vector<std::vector<double>> by_class(k);
    state.parameter.intercept = form.constant;
    for (std::uint32_t j = 0; j < state.schema.columns.size(); ++j) {
        ColumnBasis& basis = state.features.columns.emplace_back();
        basis.column = j;
        const auto told = std::ranges::find(partial.rest.columns, j, &Description::OfColumn::column);
        if (told == partial.rest.columns.end()) {
            for (std::size_t c = 0; c < k; ++c) by_class[c].push_back(form.linear[c][j]);
            continue;
        }
        const std::size_t levels = state.schema.columns[j].levels.size();
        if (levels == 0) return not_linear;
        basis.basis = Basis::levels;
        basis.count = static_cast<std::uint32_t>(levels - 1);
        for (std::size_t c = 0; c < k; ++c) {
            const std::vector<double> scores = level_scores(*told, c, levels);
            if (scores.empty()) return not_linear;
            state.parameter.intercept[c] += scores[0];
            for (std::size_t level = 1; level < levels; ++level) by_class[c].push_back(scores[level] - scores[0]);
        }
    }
    for (const std::vector<double>& each : by_class)
        state.parameter.coefficient.insert(state.parameter.coefficient.end(), each.begin(), each.end());
    centre_classes(state.parameter.coefficient, k);
    centre_classes(state.parameter.intercept, k);
    state.rank = by_class.front().size();
    state.settings.inference = Inference::none;
    state.class_weight = model.class_weight();
    state.notes = {"these are the weights of " + model.state().model +
                   ", not fitted to the classes given the rows: there is no likelihood"};
    return LogisticRegression::from(std::move(state));
}

LogisticParameter to_softmax(const BinaryWeights& binary) {
    LogisticParameter softmax;
    for (double side : {-0.5, 0.5}) {
        for (double w : binary.weight) softmax.coefficient.push_back(side * w);
        softmax.intercept.push_back(side * binary.intercept);
    }
    return softmax;
}

Result<BinaryWeights> to_binary(const LogisticParameter& softmax) {
    if (softmax.intercept.size() != 2) return Error(ErrorKind::usage, "only two classes are told apart by one sigmoid");
    const std::size_t d = softmax.coefficient.size() / 2;
    BinaryWeights binary{{}, softmax.intercept[1] - softmax.intercept[0]};
    for (std::size_t j = 0; j < d; ++j) binary.weight.push_back(softmax.coefficient[d + j] - softmax.coefficient[j]);
    return binary;
}

}  // namespace suffice
