// What stands behind the scores as operators: components, calibration, decision and labels.
#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/export/onnx_writer.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {

std::string OnnxWriter::scores() {
    const auto& class_of = model_.score.class_of;
    if (class_of.empty()) return joint_;
    std::vector<std::string> by_class;
    for (std::size_t k = 0; k < model_.class_count(); ++k) {
        std::vector<std::int64_t> own;
        for (std::size_t c = 0; c < class_of.size(); ++c)
            if (class_of[c] == k) own.push_back(static_cast<std::int64_t>(c));
        const std::string part = graph_.node("Gather", {joint_, graph_.integers(own)}, {OnnxGraph::whole("axis", 1)});
        by_class.push_back(reduced("ReduceLogSumExp", part, 1, true));
    }
    return by_class.size() == 1 ? by_class[0] : graph_.node("Concat", by_class, {OnnxGraph::whole("axis", 1)});
}

// Along one class's isotonic curve: level before the first knot, between knots a line, level after the last.
std::string OnnxWriter::along_curve(const std::string& posterior, std::size_t c) {
    const IsotonicCurve& curve = model_.isotonic[c];
    const std::size_t knots = curve.x.size();
    std::vector<double> from{curve.x[0]}, value{curve.y[0]}, slope{0};
    for (std::size_t k = 0; k < knots; ++k) {
        from.push_back(curve.x[k]);
        value.push_back(curve.y[k]);
        slope.push_back(k + 1 < knots ? (curve.y[k + 1] - curve.y[k]) / (curve.x[k + 1] - curve.x[k]) : 0);
    }
    const auto pieces = static_cast<std::int64_t>(from.size());
    const std::string p = graph_.node("Gather", {posterior, graph_.integers({static_cast<std::int64_t>(c)})},
                                      {OnnxGraph::whole("axis", 1)});
    const std::string passed =
        graph_.node("LessOrEqual", {graph_.constant(curve.x, {1, static_cast<std::int64_t>(knots)}), p});
    const std::string place =
        graph_.node("ReduceSum", {as_whole(graph_, passed), graph_.integers({1})}, {OnnxGraph::whole("keepdims", 1)});
    const auto at = [&](const std::vector<double>& table) {
        return graph_.node("Gather", {graph_.constant(table, {pieces}), place});
    };
    const std::string made =
        graph_.node("Add", {at(value), graph_.node("Mul", {at(slope), graph_.node("Sub", {p, at(from)})})});
    return graph_.node("Max", {made, graph_.constant(std::numeric_limits<double>::min())});
}

std::string OnnxWriter::calibrated(std::string posterior) {
    const auto classes = static_cast<std::int64_t>(model_.class_count());
    if (model_.sigmoids.empty() && model_.isotonic.empty()) return posterior;
    const std::string least = graph_.constant(std::numeric_limits<double>::min());
    if (!model_.sigmoids.empty()) {
        std::vector<double> a, b, c, others(model_.class_count() * model_.class_count(), 1.0);
        for (std::size_t k = 0; k < model_.sigmoids.size(); ++k) {
            a.push_back(model_.sigmoids[k].a);
            b.push_back(model_.sigmoids[k].b);
            c.push_back(model_.sigmoids[k].c);
            others[k * (model_.class_count() + 1)] = 0;
        }
        const std::string rest = graph_.node("MatMul", {posterior, graph_.constant(others, {classes, classes})});
        const auto log_of = [&](const std::string& x) { return graph_.node("Log", {graph_.node("Max", {x, least})}); };
        const std::string own = graph_.node("Mul", {log_of(posterior), graph_.constant(a, {classes})});
        const std::string less = graph_.node("Mul", {log_of(rest), graph_.constant(b, {classes})});
        const std::string score = graph_.node("Add", {graph_.node("Sub", {own, less}), graph_.constant(c, {classes})});
        const std::string tail = graph_.node(
            "Log", {graph_.node("Add", {graph_.node("Exp", {graph_.node("Neg", {graph_.node("Abs", {score})})}),
                                        graph_.constant(1)})});
        const std::string logs = graph_.node("Sub", {graph_.node("Min", {score, zero()}), tail});
        return graph_.node("Softmax", {logs}, {OnnxGraph::whole("axis", 1)});
    }
    std::vector<std::string> bent;
    for (std::size_t c = 0; c < model_.isotonic.size(); ++c) bent.push_back(along_curve(posterior, c));
    const std::string all = graph_.node("Concat", bent, {OnnxGraph::whole("axis", 1)});
    return graph_.node("Max", {graph_.node("Div", {all, sum(graph_, all, 1, true)}), least});
}

// Classes that reach their thresholds stand above all others, in proportion; those without one by their posterior.
std::string OnnxWriter::by_thresholds(const std::string& posterior) {
    std::vector<double> limit, bonus, otherwise;
    for (const auto& each : model_.rule.thresholds) {
        limit.push_back(each ? std::max(*each, 1e-300) : 1);
        bonus.push_back(each ? 2 : 0);
        otherwise.push_back(each ? -1 : 0);
    }
    const auto classes = static_cast<std::int64_t>(limit.size());
    const std::string limits = graph_.constant(limit, {classes}), free = graph_.constant(bonus, {classes});
    const std::string limited = graph_.node("Greater", {free, zero()});
    const std::string reached = graph_.node("GreaterOrEqual", {posterior, limits});
    const std::string share = graph_.node("Add", {graph_.node("Div", {posterior, limits}), free});
    const std::string score = graph_.node(
        "Where", {limited, graph_.node("Where", {reached, share, graph_.constant(otherwise, {classes})}), posterior});
    const std::string best =
        graph_.node("ArgMax", {score}, {OnnxGraph::whole("axis", 1), OnnxGraph::whole("keepdims", 0)});
    const std::string top = reduced("ReduceMax", score, 1, false);
    return graph_.node("Where", {graph_.node("Less", {top, zero()}), graph_.integers({classes}, true), best});
}

// The place of a class, or one behind the last where the row is rejected.
std::string OnnxWriter::decision(const std::string& posterior) {
    const auto classes = static_cast<std::int64_t>(model_.class_count());
    const std::vector<OnnxGraph::Attribute> along{OnnxGraph::whole("axis", 1), OnnxGraph::whole("keepdims", 0)};
    std::string best;
    if (model_.rule.cost) {
        const CostMatrix& cost = *model_.rule.cost;
        const std::string costs =
            graph_.constant(cost.values, {classes, static_cast<std::int64_t>(cost.decision_count())});
        best = graph_.node("ArgMin", {graph_.node("MatMul", {posterior, costs})}, along);
    } else if (!model_.rule.thresholds.empty()) {
        best = by_thresholds(posterior);
    } else {
        best = graph_.node("ArgMax", {posterior}, along);
    }
    if (!(model_.rule.reject_below > 0)) return best;
    const std::string top = reduced("ReduceMax", posterior, 1, false);
    const std::string unsure = graph_.node("Less", {top, graph_.constant(model_.rule.reject_below)});
    return graph_.node("Where", {unsure, graph_.integers({classes}, true), best});
}

// One line for each row of the first input.
std::string OnnxWriter::for_every_row(const std::string& line) {
    const std::string rows =
        graph_.node("Slice", {graph_.node("Shape", {values_[0]}), graph_.integers({0}), graph_.integers({1})});
    const std::string shape = graph_.node("Concat", {rows, graph_.integers({width_})}, {OnnxGraph::whole("axis", 0)});
    return graph_.node("Expand", {line, shape});
}

void OnnxWriter::tell_provenance() {
    metadata_.emplace_back("origin", model_.origin);
    if (!model_.schema.target.empty()) metadata_.emplace_back("target", model_.schema.target);
    if (model_.seen.rows > 0) metadata_.emplace_back("rows", short_number(model_.seen.rows, 15));
    std::string files;
    for (const auto& file : model_.seen.files) files += (files.empty() ? "" : "\n") + file;
    if (!files.empty()) metadata_.emplace_back("files", files);
}

std::string OnnxWriter::write() {
    read_columns();
    const ScoreExpression& score = model_.score;
    add_lines();
    add_curves();
    for (const bool of_logarithm : {false, true})
        for (const bool student : {false, true}) add_bells(of_logarithm, student);
    add_rises();
    for (const TableTerm& term : score.tables) add_table(term);
    for (const PieceTerm& term : score.pieces) add_pieces(term);
    for (const GaussianTerm& term : score.gaussians) add_gaussian(term);
    for (const WordTerm& term : score.words) add_words(term);
    add(graph_.constant(score.constant, {1, width_}));
    if (!model_.looks_at_rows()) joint_ = for_every_row(joint_);
    std::string last = scores();
    if (model_.temperature != 1) last = graph_.node("Div", {last, graph_.constant(model_.temperature)});
    const std::string posterior = calibrated(graph_.node("Softmax", {last}, {OnnxGraph::whole("axis", 1)}));
    graph_.named("Identity", {posterior}, "probabilities");
    const std::string place = decision(posterior);
    if (model_.schema.integer_classes) {
        std::vector<std::int64_t> labels;
        for (const auto& each : model_.schema.classes) labels.push_back(std::stoll(each));
        labels.push_back(-1);
        graph_.named("Gather", {graph_.integers(labels), place}, "label");
    } else {
        std::vector<std::string> labels = model_.schema.classes;
        labels.emplace_back();
        graph_.named("Gather", {graph_.strings(labels), place}, "label");
    }
    graph_.output("label", model_.schema.integer_classes ? OnnxType::int64 : OnnxType::string, {"N"});
    graph_.output("probabilities", OnnxType::real, {"N", std::to_string(model_.class_count())});
    tell_provenance();
    return onnx_file(graph_, opset_, metadata_);
}

Result<std::string> onnx_model(const ExportedModel& model) {
    if (model.schema.columns.empty())
        return Error(ErrorKind::usage, "the model has no columns, so a graph of it would have no inputs");
    return OnnxWriter(model).write();
}

}  // namespace suffice
