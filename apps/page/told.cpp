// What a model in hand is told as: what `suffice inspect --json` says, scores of one class against another, ellipses.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "models.hpp"

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/report/model_report.hpp"

namespace suffice::page {
namespace {

// One class against another: what the sign of their score decides.
Json contrast_of(const ScoreForm& form, std::size_t of, std::size_t against) {
    const auto less = [](const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> difference(a.size());
        for (std::size_t k = 0; k < a.size(); ++k) difference[k] = a[k] - b[k];
        return difference;
    };
    Json made{{"constant", form.constant[of] - form.constant[against]},
              {"linear", less(form.linear[of], form.linear[against])}};
    if (!form.quadratic.empty()) {
        auto quadratic = less(form.quadratic[of], form.quadratic[against]);
        if (const std::size_t width = form.linear[0].size(); quadratic.size() == width) {  // of squares alone
            std::vector<double> full(width * width);
            for (std::size_t k = 0; k < width; ++k) full[k * (width + 1)] = quadratic[k];
            quadratic = std::move(full);
        }
        if (std::ranges::any_of(quadratic, [](double each) { return each != 0; }))  // two classes of one group share it
            made["quadratic"] = std::move(quadratic);
    }
    return made;
}

// Every class against each one before it.
Json pairs_of(const ScoreForm& form, const std::vector<std::string>& classes) {
    Json all = Json::array();
    for (std::size_t of = 1; of < classes.size(); ++of)
        for (std::size_t against = 0; against < of; ++against) {
            all.push_back(contrast_of(form, of, against));
            all.back().update({{"of", classes[of]}, {"against", classes[against]}});
        }
    return all;
}

}  // namespace

// Ellipses of the classes, where two columns are Gaussian.
Json outlines_of(const Predictor& model, double deviations) {
    const Description told = model.describe();
    Json outlines = Json::array();
    if (told.columns.size() != 2) return outlines;
    for (std::size_t c = 0; c < model.class_count(); ++c) {
        std::vector<double> mean, variance;
        for (const auto& column : told.columns) {
            mean.push_back(column.by_class[c].number("mean"));
            variance.push_back(column.by_class[c].number("variance"));
        }
        std::vector<double> covariance{variance[0], 0, 0, variance[1]};
        for (const auto& shared : told.covariances)
            for (const std::uint32_t of : shared.classes)
                if (of == c && shared.values.size() == 4) covariance = shared.values;
        if (!std::isfinite(mean[0] + mean[1] + covariance[0] + covariance[3])) return Json::array();
        outlines.push_back(lines_of(mean, covariance, deviations));
    }
    return outlines;
}

Json told_of(const Predictor& model) {
    Provenance seen;
    for (const double weight : model.class_weight()) seen.rows += weight;
    Json answer = Json::parse(model_json(model, seen, {}));
    if (const auto form = model.form()) answer["pairs"] = pairs_of(*form, model.schema().classes);
    answer["outlines"] = outlines_of(model, 2);
    answer["inner_outlines"] = outlines_of(model, 1);
    for (const Note& note : model.notes()) answer["said"].push_back(note.sentence);
    return answer;
}

Json lines_of(const std::vector<double>& mean, const std::vector<double>& covariance, double deviations) {
    std::vector<double> factor = covariance;
    if (kernel::cholesky(factor, 2) != 0) return Json::array();
    Json line = Json::array();
    for (int k = 0; k <= 72; ++k) {
        const double angle = k * std::numbers::pi / 36;
        const double u = deviations * std::cos(angle), v = deviations * std::sin(angle);
        line.push_back({mean[0] + factor[0] * u, mean[1] + factor[2] * u + factor[3] * v});
    }
    return line;
}

}  // namespace suffice::page
