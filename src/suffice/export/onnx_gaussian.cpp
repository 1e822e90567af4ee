// Joint Gaussians as operators: rows without holes by one product, others by a branch that only runs where there are
// some.
#include "suffice/export/onnx_writer.hpp"

namespace suffice {

// The log density from the squared distance, Gaussian or Student's t.
std::string OnnxWriter::bent(OnnxGraph& in, const GaussianTerm& term, const std::string& squared,
                             const std::string& top, const std::string& half_power) const {
    std::string fall = squared;
    if (term.student()) {
        const std::string spread = in.constant(term.spread, {width_});
        fall = in.node("Log", {in.node("Add", {in.node("Div", {squared, spread}), in.constant(1)})});
    }
    return in.node("Sub", {top, in.node("Mul", {fall, half_power})});
}

std::string OnnxWriter::complete(OnnxGraph& in, const GaussianTerm& term, const std::string& z) const {
    const std::size_t d = term.columns.size(), classes = term.mean.size();
    const auto size = static_cast<std::int64_t>(d);
    if (term.precision.size() == 1 && !term.student()) {  // planes
        std::vector<double> weight(d * classes), constant(classes);
        for (std::size_t c = 0; c < classes; ++c)
            for (std::size_t i = 0; i < d; ++i) {
                double w = 0;
                for (std::size_t j = 0; j < d; ++j) w += term.precision[0][i * d + j] * term.mean[c][j];
                weight[i * classes + c] = w;
                constant[c] -= 0.5 * w * term.mean[c][i];
            }
        return in.node("Add",
                       {in.node("MatMul", {z, in.constant(weight, {size, width_})}), in.constant(constant, {width_})});
    }
    std::vector<double> whitener(d * classes * d), offset(classes * d), top, half_power;
    for (std::size_t c = 0; c < classes; ++c) {
        const auto& w = term.whitener[term.group[c]];
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) {
                whitener[j * classes * d + c * d + i] = w[i * d + j];
                offset[c * d + i] += w[i * d + j] * term.mean[c][j];
            }
        top.push_back(term.peak[d][c] + term.half_log_determinant[term.group[c]]);
        half_power.push_back(term.student() ? 0.5 * (term.power_base[c] + static_cast<double>(d)) : 0.5);
    }
    const std::string wide = in.node("MatMul", {z, in.constant(whitener, {size, width_ * size})});
    const std::string white = in.node(
        "Sub", {in.node("Reshape", {wide, in.integers({-1, width_, size})}), in.constant(offset, {width_, size})});
    const std::string squared = sum(in, in.node("Mul", {white, white}), 2);
    return bent(in, term, squared, in.constant(top, {width_}), in.constant(half_power, {width_}));
}

// One column after the other leaves the precisions of the rows that miss it.
std::string OnnxWriter::with_holes(OnnxGraph& in, const GaussianTerm& term, const std::string& z,
                                   const std::string& hole) const {
    const std::size_t d = term.columns.size();
    const auto size = static_cast<std::int64_t>(d), groups = static_cast<std::int64_t>(term.precision.size());
    const std::string holes = as_number(in, hole), nothing = in.node("Mul", {sum(in, holes, 1), in.constant(0.0)});
    std::vector<double> flat;
    for (const auto& each : term.precision) flat.insert(flat.end(), each.begin(), each.end());
    const std::string blank = in.node("Reshape", {nothing, in.integers({-1, 1, 1, 1})});
    std::string p = in.node("Add", {in.constant(flat, {groups, size, size}), blank});
    std::string half = in.node(
        "Add", {in.constant(term.half_log_determinant, {groups}), in.node("Reshape", {nothing, in.integers({-1, 1})})});
    for (std::int64_t k = 0; k < size; ++k) {
        const std::string at = in.integers({k}, true);
        const std::string gone = in.node("Gather", {holes, at}, {OnnxGraph::whole("axis", 1)});
        const std::string column = in.node("Gather", {p, at}, {OnnxGraph::whole("axis", 3)});      // rows x groups x d
        const std::string pivot = in.node("Gather", {column, at}, {OnnxGraph::whole("axis", 2)});  // rows x groups
        const std::string outer = in.node("Mul", {unsqueeze(in, column, 3), unsqueeze(in, column, 2)});
        const std::string lost = in.node("Div", {outer, in.node("Reshape", {pivot, in.integers({-1, groups, 1, 1})})});
        p = in.node("Sub", {p, in.node("Mul", {lost, in.node("Reshape", {gone, in.integers({-1, 1, 1, 1})})})});
        const std::string bit = in.node("Mul", {in.node("Log", {pivot}), in.constant(0.5)});
        half = in.node("Sub", {half, in.node("Mul", {bit, unsqueeze(in, gone, 1)})});
    }
    std::vector<std::int64_t> group(term.group.begin(), term.group.end());
    const std::string of_class = in.integers(group);
    std::vector<double> means;
    for (const auto& each : term.mean) means.insert(means.end(), each.begin(), each.end());
    const std::string away = in.node("Sub", {unsqueeze(in, z, 1), in.constant(means, {width_, size})});
    const std::string there = in.node("Sub", {in.constant(1), holes});
    const std::string way =
        unsqueeze(in, in.node("Mul", {away, unsqueeze(in, there, 1)}), 2);  // rows x classes x 1 x d
    const std::string own = in.node("Gather", {p, of_class}, {OnnxGraph::whole("axis", 1)});
    const std::string squared = sum(in, sum(in, in.node("Mul", {in.node("MatMul", {way, own}), way}), 3), 2);
    const std::string count = sum(in, there, 1);
    const std::string top = in.node("Add", {in.node("Gather", {in.constant(term.peak), as_whole(in, count)}),
                                            in.node("Gather", {half, of_class}, {OnnxGraph::whole("axis", 1)})});
    std::string power = in.constant(0.5);
    if (term.student()) {
        const std::string degrees = in.constant(term.power_base, {width_});
        power = in.node("Mul", {in.node("Add", {degrees, unsqueeze(in, count, 1)}), power});
    }
    return bent(in, term, squared, top, power);
}

void OnnxWriter::add_gaussian(const GaussianTerm& term) {
    const std::string x = columns(term.columns), hole = graph_.node("IsNaN", {x});
    const std::string centre = graph_.constant(term.centre, {static_cast<std::int64_t>(term.centre.size())});
    const std::string z = or_nothing(hole, graph_.node("Sub", {x, centre}));
    const std::string holes = graph_.node("ReduceSum", {as_whole(graph_, hole)}, {OnnxGraph::whole("keepdims", 0)});
    const std::string any = graph_.node("Greater", {holes, graph_.integers({0}, true)});
    OnnxGraph then = graph_.inner("holes"), otherwise = graph_.inner("whole");
    // A row without holes is scored as it always is, whatever rows it stands among.
    const std::string whole_row =
        unsqueeze(then, then.node("Equal", {sum(then, as_whole(then, hole), 1), then.integers({0}, true)}), 1);
    const std::string mixed = then.node("Where", {whole_row, complete(then, term, z), with_holes(then, term, z, hole)});
    then.output(mixed, OnnxType::real, {"N", std::to_string(width_)});
    const std::string plain = complete(otherwise, term, z);
    otherwise.output(plain, OnnxType::real, {"N", std::to_string(width_)});
    add(graph_.node("If", {any}, {OnnxGraph::graph("then_branch", then), OnnxGraph::graph("else_branch", otherwise)}));
}

}  // namespace suffice
