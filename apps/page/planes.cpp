// What is drawn of a model in the plane, and what its decisions are worth.
#include <algorithm>
#include <cmath>

#include "models.hpp"

#include "suffice/decide/decision.hpp"
#include "suffice/decide/thresholds.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/report/contour.hpp"

namespace suffice::page {
namespace {

Json lines_json(const std::vector<Polyline>& lines) {
    Json answer = Json::array();
    for (const Polyline& line : lines) {
        Json points = Json::array();
        for (const PlotPoint& point : line) points.push_back({point.x, point.y});
        answer.push_back(std::move(points));
    }
    return answer;
}

std::vector<double> corners(const PlaneGrid& grid) {
    std::vector<double> values;
    values.reserve(2 * grid.size());
    for (std::size_t row = 0; row < grid.rows; ++row)
        for (std::size_t column = 0; column < grid.columns; ++column) {
            const PlotPoint corner = grid.corner(column, row);
            values.insert(values.end(), {corner.x, corner.y});
        }
    return values;
}

PlaneGrid plane_of(const Json& request, std::size_t columns, std::size_t rows) {
    return {columns, rows, request.at("left"), request.at("right"), request.at("bottom"), request.at("top")};
}

// Boundaries cross a coarser grid: they are straight or smooth, and linear between its corners.
Json boundaries(const Predictor& model, const PlaneGrid& grid) {
    const auto at = corners(grid);
    const std::size_t classes = model.class_count();
    std::vector<double> joint(grid.size() * classes);
    const ScoreSink sink{ScoreSink::Form::log_posterior, joint.data(), static_cast<std::ptrdiff_t>(classes), nullptr,
                         nullptr};
    model.score(block_of(at, 2), sink, {}).value();
    Json lines = Json::array();
    for (std::size_t a = 0; a < classes; ++a)
        for (std::size_t b = a + 1; b < classes; ++b)
            for (auto& line : lines_json(boundary_lines(grid, joint, classes, a, b))) lines.push_back(std::move(line));
    return lines;
}

Json maybe(const Defined& value) { return value ? Json(*value) : Json(nullptr); }

// Truths by (decisions, then none): what `suffice evaluate --cost` is told, for two classes.
std::vector<double> costs_of(const Json& request, std::size_t positive) {
    std::vector<double> cost(6, request.value("cost_reject", 0.0));
    cost[0] = cost[4] = 0;
    const std::size_t other = 1 - positive;
    cost[positive * 3 + other] = request.at("cost_miss");
    cost[other * 3 + positive] = request.at("cost_alarm");
    return cost;
}

// Mean cost at thresholds between 0 and 1, for drawing, and the cheapest threshold of all.
void add_costs(const Matrix& posterior, std::span<const std::int32_t> codes, std::size_t positive,
               const ThresholdCurve& curve, const Json& request, Json& answer) {
    const auto cost = costs_of(request, positive);
    for (int k = 1; k < 100; ++k) {
        DecisionRule rule;
        rule.thresholds.resize(2);
        rule.thresholds[positive] = k / 100.0;
        const auto decisions = decide(posterior.values, 2, rule).value();
        Confusion confusion(2);
        for (std::size_t row = 0; row < codes.size(); ++row)
            confusion.observe(static_cast<std::size_t>(codes[row]), decisions[row], 1);
        answer["cost_curve"].push_back({k / 100.0, maybe(expected_cost(confusion, cost).value())});
    }
    const double miss = request.at("cost_miss"), alarm = request.at("cost_alarm");
    if (const auto best = threshold_for_cost(curve, alarm, miss))
        answer["cheapest"] = {{"threshold", best->threshold}, {"cost", best->cost}};
}

}  // namespace

// {"left", "right", "bottom", "top", "columns", "rows", "show"}: posteriors of every class, or log densities, go to the
// plane; lines between the classes into the answer.
Json grid_of(Session& session, const Json& request) {
    const Predictor& model = model_in_hand();
    if (model.schema().columns.size() != 2) throw Exception(Error("a plane has two columns"));
    const PlaneGrid grid = plane_of(request, request.at("columns"), request.at("rows"));
    const auto at = corners(grid);
    const std::size_t classes = model.class_count();
    const bool density = request.value("show", std::string("posterior")) == "density";
    session.plane.assign(grid.size() * (density ? 1 : classes), 0);
    ScoreSink sink{ScoreSink::Form::posterior, session.plane.data(), static_cast<std::ptrdiff_t>(classes), nullptr,
                   nullptr};
    if (density) sink = {ScoreSink::Form::posterior, nullptr, 0, session.plane.data(), nullptr};
    model.score(block_of(at, 2), sink, {}).value();
    Json answer{{"classes", model.schema().classes}};
    if (density) {
        const double most = *std::ranges::max_element(session.plane);
        answer["highest"] = most;
        for (double& value : session.plane) value = std::exp(value - most);  // shares of the highest density
    }
    const std::size_t coarse = request.value("boundary", std::size_t{101});
    answer["boundaries"] = boundaries(model, plane_of(request, coarse, coarse));
    return answer;
}

// {"positive", "threshold", "cost_miss", "cost_alarm", "reject"}: the rows in hand against their classes, decided by a
// threshold on the posterior of one class.
Json evaluate_rows(Session& session, const Json& request) {
    const Predictor& model = model_in_hand();
    const Matrix posterior = model.posteriors(block_of(session.values, session.column_count)).value();
    const std::size_t classes = model.class_count(), positive = request.value("positive", classes - 1);
    DecisionRule rule;
    if (request.contains("threshold")) {
        rule.thresholds.resize(classes);
        rule.thresholds.at(positive) = request.at("threshold").get<double>();
    }
    rule.reject_below = request.value("reject", 0.0);
    const auto decisions = decide(posterior.values, classes, rule).value();
    auto evaluation = Evaluation::make(classes).value();
    evaluation.observe({posterior.values, classes, session.codes}, decisions).value();
    const Scores scores = evaluation.scores();
    Json answer{{"rows", scores.weight},
                {"accuracy", maybe(scores.accuracy)},
                {"log_loss", maybe(scores.log_loss)},
                {"brier", maybe(scores.brier)},
                {"coverage", maybe(scores.coverage)},
                {"precision", maybe(scores.precision.per_class.at(positive))},
                {"recall", maybe(scores.recall.per_class.at(positive))},
                {"f1", maybe(scores.f1.per_class.at(positive))},
                {"roc_auc", maybe(scores.roc_auc.per_class.at(positive))},
                {"calibration_error", maybe(scores.calibration_error)}};
    if (scores.majority) answer["majority"] = scores.majority->accuracy;
    for (std::size_t truth = 0; truth < classes; ++truth)
        for (std::size_t told = 0; told < classes; ++told)
            answer["confusion"][truth].push_back(scores.confusion.at(truth, told));
    const auto curve = evaluation.threshold_curve(positive);
    if (request.contains("cost_miss") && classes == 2) {
        answer["cost"] = maybe(expected_cost(scores.confusion, costs_of(request, positive)).value());
        if (request.value("cost_curve", false)) add_costs(posterior, session.codes, positive, curve, request, answer);
    }
    for (const RocPoint& point : roc_curve(curve))
        answer["roc"].push_back({point.false_positive_rate, point.true_positive_rate, point.threshold});
    for (const auto& bin : scores.reliability)
        if (bin.weight > 0) answer["reliability"].push_back({bin.mean_score(), bin.frequency(), bin.weight});
    return answer;
}

}  // namespace suffice::page
