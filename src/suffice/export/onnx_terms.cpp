// The terms of a score as operators, but for joint Gaussians.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/export/onnx_writer.hpp"

namespace suffice {

// A column that has the name of an output is told from it by a line behind its name.
void OnnxWriter::read_columns() {
    for (std::uint32_t k = 0; k < model_.schema.columns.size(); ++k) {
        const Column& column = model_.schema.columns[k];
        const bool taken = column.name == "label" || column.name == "probabilities";
        const std::string name = column.name + (taken ? "_" : "");
        if (column.kind == ColumnKind::text) {
            graph_.input(name, OnnxType::string, {"N", "words"});
            metadata_.emplace_back(
                "input " + name, opset_ < texts_divided
                                     ? "words of each text, filled up with empty ones"
                                     : "a text of words with blanks between, or its words, filled up with empty ones");
        } else {
            graph_.input(name, column.kind == ColumnKind::category ? OnnxType::string : OnnxType::real, {"N", "1"});
        }
        values_.push_back(name);
        missing_.emplace_back();
    }
}

void OnnxWriter::add_lines() {
    const auto [which, weight, constant] = lines_of(model_.score);
    if (which.empty()) return;
    const std::string x = columns(which), missing = graph_.node("IsNaN", {x});
    add(graph_.node("MatMul", {or_nothing(missing, x), graph_.constant(weight)}));
    add(graph_.node("MatMul", {as_number(graph_, graph_.node("Not", {missing})), graph_.constant(constant)}));
}

std::string OnnxWriter::function(const ColumnFunction& f, const std::string& x) {
    using Kind = ColumnFunction::Kind;
    const auto scaled = [&] {
        if (f.shift == 0 && f.scale == 1) return x;
        return graph_.node("Div", {graph_.node("Sub", {x, graph_.constant(f.shift)}), graph_.constant(f.scale)});
    };
    switch (f.kind) {
        case Kind::one:
            return graph_.node("Add", {graph_.node("Sub", {x, x}), graph_.constant(1)});
        case Kind::value:
            return scaled();
        case Kind::logarithm:
            return graph_.node("Log", {x});
        case Kind::log_complement:
            return graph_.node("Log", {graph_.node("Sub", {graph_.constant(1), x})});
        case Kind::power: {
            const std::string t = scaled();
            std::string product = t;
            for (std::uint32_t k = 1; k < f.degree; ++k) product = graph_.node("Mul", {product, t});
            return product;
        }
        case Kind::radial: {
            const std::string t = scaled();
            return graph_.node("Exp", {graph_.node("Mul", {graph_.node("Mul", {t, t}), graph_.constant(-0.5)})});
        }
        case Kind::sigmoid:
            return graph_.node(
                "Div", {graph_.constant(1), graph_.node("Add", {graph_.node("Exp", {graph_.node("Neg", {scaled()})}),
                                                                graph_.constant(1)})});
        case Kind::sine:
        case Kind::cosine: {  // not every runtime has a cosine of doubles
            std::string angle = graph_.node("Mul", {scaled(), graph_.constant(2 * std::numbers::pi * f.degree)});
            if (f.kind == Kind::cosine) angle = graph_.node("Add", {angle, graph_.constant(std::numbers::pi / 2)});
            return graph_.node("Sin", {angle});
        }
        case Kind::product:
            return graph_.node("Mul", {x, values_[f.other]});
    }
    return x;
}

// Where a term tells nothing: the value is missing, or a function of it has none.
std::string OnnxWriter::nothing_of(const CurveTerm& term) {
    std::string nothing = missing(term.column);
    const auto outside = [&](const char* operation, double bound) {
        nothing = graph_.node("Or", {nothing, graph_.node(operation, {values_[term.column], graph_.constant(bound)})});
    };
    if (has_kind(term, ColumnFunction::Kind::logarithm)) outside("LessOrEqual", 0);
    if (has_kind(term, ColumnFunction::Kind::log_complement)) outside("GreaterOrEqual", 1);
    return nothing;
}

void OnnxWriter::add_curves() {
    std::vector<std::string> value;
    std::vector<std::vector<double>> weight;
    for (const CurveTerm& term : model_.score.curves) {
        if (is_line(term)) continue;
        const std::string nothing = term.needed ? std::string() : nothing_of(term);
        for (std::size_t f = 0; f < term.functions.size(); ++f) {
            const std::string made = function(term.functions[f], values_[term.column]);
            value.push_back(term.needed ? made : or_nothing(nothing, made));
            weight.push_back(term.weight[f]);
        }
    }
    if (value.empty()) return;
    const std::string all = value.size() == 1 ? value[0] : graph_.node("Concat", value, {OnnxGraph::whole("axis", 1)});
    add(graph_.node("MatMul", {all, graph_.constant(weight)}));
}

void OnnxWriter::add_bells(bool of_logarithm, bool student) {
    const auto [which, mean, scale, peak, power] = bells_of(model_.score, of_logarithm, student);
    if (which.empty()) return;
    const std::string x = columns(which);
    const std::string hole = of_logarithm ? graph_.node("Not", {graph_.node("Greater", {x, zero()})})  // NaN too
                                          : graph_.node("IsNaN", {x});
    const std::string missing = unsqueeze(graph_, hole, 2);
    const std::string u = unsqueeze(graph_, of_logarithm ? graph_.node("Log", {x}) : x, 2);  // rows x columns x 1
    const std::string z = graph_.node("Mul", {graph_.node("Sub", {u, graph_.constant(mean)}), graph_.constant(scale)});
    std::string bend = graph_.node("Mul", {z, z});
    if (student) bend = graph_.node("Log", {graph_.node("Add", {bend, graph_.constant(1)})});
    const std::string log_density =
        graph_.node("Sub", {graph_.constant(peak), graph_.node("Mul", {bend, graph_.constant(power)})});
    add(sum(graph_, or_nothing(missing, log_density), 1));
}

// The code of a level as TableTerm counts them.
std::string OnnxWriter::level_of(std::uint32_t column, std::uint32_t levels) {
    const Column& known = model_.schema.columns[column];
    if (known.kind == ColumnKind::category) {
        std::vector<std::string> words = known.levels;
        words.resize(std::min<std::size_t>(words.size(), levels));
        std::vector<std::int64_t> codes;
        for (std::size_t k = 0; k < words.size(); ++k) codes.push_back(static_cast<std::int64_t>(k));
        if (std::ranges::find(words, "") == words.end()) {
            words.emplace_back();
            codes.push_back(levels + 1);
        }
        return graph_.node("LabelEncoder", {values_[column]},
                           {OnnxGraph::words("keys_strings", words), OnnxGraph::wholes("values_int64s", codes),
                            OnnxGraph::whole("default_int64", levels)},
                           "ai.onnx.ml");
    }
    const std::string& x = values_[column];
    const std::string inside = graph_.node(
        "And", {graph_.node("GreaterOrEqual", {x, zero()}), graph_.node("Less", {x, graph_.constant(levels)})});
    const std::string seen = graph_.node("Where", {inside, x, graph_.constant(levels)});
    return as_whole(graph_, graph_.node("Where", {missing(column), graph_.constant(levels + 1.0), seen}));
}

void OnnxWriter::add_table(const TableTerm& term) {
    std::string place;
    for (std::size_t k = 0; k < term.columns.size(); ++k) {
        const std::string code = level_of(term.columns[k], term.level_count[k]);
        place =
            place.empty()
                ? code
                : graph_.node("Add", {graph_.node("Mul", {place, graph_.integers({term.level_count[k] + 2})}), code});
    }
    std::vector<std::vector<double>> rows(term.lines[0].size());
    for (std::size_t at = 0; at < rows.size(); ++at)
        for (const auto& of_class : term.lines) rows[at].push_back(of_class[at]);
    add(graph_.node("Squeeze", {graph_.node("Gather", {graph_.constant(rows), place}), graph_.integers({1})}));
}

void OnnxWriter::add_pieces(const PieceTerm& term) {
    std::size_t degrees = 0;
    for (const auto& piece : term.pieces) degrees = std::max(degrees, piece.coefficient.size());
    std::vector<double> origin, coefficient;
    for (const auto& piece : term.pieces) {
        origin.push_back(piece.origin);
        for (std::size_t power = 0; power < degrees; ++power)
            for (std::int64_t c = 0; c < width_; ++c)
                coefficient.push_back(
                    power < piece.coefficient.size() ? piece.coefficient[power][static_cast<std::size_t>(c)] : 0.0);
    }
    const auto count = static_cast<std::int64_t>(term.edges.size()),
               pieces = static_cast<std::int64_t>(term.pieces.size());
    const std::string& x = values_[term.column];
    const std::string passed = graph_.node("LessOrEqual", {graph_.constant(term.edges, {1, count}), x});
    const std::string place = sum(graph_, as_whole(graph_, passed), 1);  // by row
    const std::string lines = graph_.node(
        "Gather", {graph_.constant(coefficient, {pieces, static_cast<std::int64_t>(degrees), width_}), place});
    const std::string t = graph_.node(
        "Sub", {x, unsqueeze(graph_, graph_.node("Gather", {graph_.constant(origin, {pieces}), place}), 1)});
    std::vector<std::string> power{graph_.node("Add", {graph_.node("Sub", {t, t}), graph_.constant(1)})};
    for (std::size_t k = 1; k < degrees; ++k) power.push_back(k == 1 ? t : graph_.node("Mul", {power.back(), t}));
    const std::string powers =
        power.size() == 1 ? power[0] : graph_.node("Concat", power, {OnnxGraph::whole("axis", 1)});
    const std::string value = sum(graph_, graph_.node("Mul", {lines, unsqueeze(graph_, powers, 2)}), 1);
    add(term.needed ? value : or_nothing(missing(term.column), value));
}

}  // namespace suffice
