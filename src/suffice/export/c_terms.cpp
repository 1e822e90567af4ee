// The terms of a score in C: data in constant arrays, each kind of term one loop over them.
#include <algorithm>
#include <numbers>

#include "suffice/export/c_writer.hpp"

namespace suffice {
// All columns that count as they are: one loop.
void CWriter::lines() {
    const auto [columns, weight, constant] = lines_of(model_.score);
    if (columns.empty()) return;
    const std::string count = std::to_string(columns.size());
    line("{");
    line("static const int column[] = " + whole(columns) + ";");
    line(of("weight", columns.size()) + factors(weight) + ";");
    line(of("constant", columns.size()) + table(constant) + ";");
    line("for (k = 0; k < " + count + "; ++k) {");
    line("    const real x = (real)values[column[k]];");
    line("    if (x != x) continue;");
    line("    for (c = 0; c < WIDTH; ++c) joint[c] += constant[k][c] + weight[k][c] * x;");
    line("}");
    line("}");
}

std::string CWriter::function(const ColumnFunction& f) {
    using Kind = ColumnFunction::Kind;
    const std::string t = f.shift == 0 && f.scale == 1 ? "x" : "(x - " + number(f.shift) + ") / " + number(f.scale);
    switch (f.kind) {
        case Kind::one:
            return "(real)1";
        case Kind::value:
            return t;
        case Kind::logarithm:
            return "(real)log((double)x)";
        case Kind::log_complement:
            return "(real)log1p(-(double)x)";
        case Kind::power: {
            std::string product = "(" + t + ")";
            for (std::uint32_t k = 1; k < f.degree; ++k) product += " * (" + t + ")";
            return product;
        }
        case Kind::radial:
            return "(real)exp(-0.5 * (double)((" + t + ") * (" + t + ")))";
        case Kind::sigmoid:
            return "(real)(1.0 / (1.0 + exp(-(double)(" + t + "))))";
        case Kind::sine:
        case Kind::cosine:
            return std::string("(real)") + (f.kind == Kind::sine ? "sin" : "cos") + "(" +
                   number(2 * std::numbers::pi * f.degree) + " * (double)(" + t + "))";
        case Kind::product:
            return "x * (real)values[" + std::to_string(f.other) + "]";
    }
    return "x";
}

void CWriter::curve(const CurveTerm& term) {
    const std::string count = std::to_string(term.functions.size());
    line("{");
    line("const real x = (real)values[" + std::to_string(term.column) + "];");
    line(of("weight", term.functions.size()) + table(term.weight) + ";");
    std::string there = "x == x";
    if (has_kind(term, ColumnFunction::Kind::logarithm)) there += " && x > 0";
    if (has_kind(term, ColumnFunction::Kind::log_complement)) there += " && x < 1";
    line(term.needed ? "{" : "if (" + there + ") {");
    line("    real value[" + count + "];");
    for (std::size_t f = 0; f < term.functions.size(); ++f)
        line("    value[" + std::to_string(f) + "] = " + function(term.functions[f]) + ";");
    line("    for (k = 0; k < " + count + "; ++k)");
    line("        for (c = 0; c < WIDTH; ++c) joint[c] += weight[k][c] * value[k];");
    line("}");
    line("}");
}

void CWriter::bells(bool of_logarithm, bool student) {
    const auto [columns, mean, scale, peak, power] = bells_of(model_.score, of_logarithm, student);
    if (columns.empty()) return;
    const std::size_t count = columns.size();
    line("{");
    line("static const int column[] = " + whole(columns) + ";");
    line(of("mean", count) + table(mean) + ";");
    line(of("scale", count) + factors(scale) + ";");
    line(of("peak", count) + table(peak) + ";");
    if (student) line(of("power", count) + table(power) + ";");
    line("for (k = 0; k < " + std::to_string(count) + "; ++k) {");
    line(of_logarithm ? "    const real x = (real)log(values[column[k]]);"
                      : "    const real x = (real)values[column[k]];");
    line(of_logarithm ? "    if (!(values[column[k]] > 0)) continue;" : "    if (x != x) continue;");
    line("    for (c = 0; c < WIDTH; ++c) {");
    line("        const real z = (x - mean[k][c]) * scale[k][c];");
    line(student ? "        joint[c] += peak[k][c] - power[k][c] * (real)log1p((double)(z * z));"
                 : "        joint[c] += peak[k][c] - (real)0.5 * z * z;");
    line("    }");
    line("}");
    line("}");
}

// `value` is the count of term k. Bases are large, so they are doubles whatever the type is.
void CWriter::rises(const RiseTable& terms, const std::string& value, bool of_logarithm) {
    if (terms.base.empty()) return;
    line("{");
    line("static const int column[] = " + whole(terms.columns) + ";");
    line(doubles_by_class("base", terms.base));
    line(doubles_by_class("weight", terms.weight));
    line("for (k = 0; k < " + std::to_string(terms.base.size()) + "; ++k) {");
    line("    " + value);
    line("    if (!(u > 0)) continue;");
    line("    for (c = 0; c < WIDTH; ++c)");
    line(of_logarithm ? "        joint[c] += (real)(weight[k][c] * log1p(u / base[k][c]));"
                      : "        joint[c] += (real)(weight[k][c] * rise(base[k][c], u));");
    line("}");
    line("}");
}

void CWriter::all_rises() {
    const ScoreExpression& score = model_.score;
    if (score.rises.empty()) return;
    for (const bool of_logarithm : {false, true})
        rises(rises_of(score, of_logarithm), "const double u = values[column[k]];", of_logarithm);
    for (const RiseTerm& term : summed_rises(score))
        rises({term.columns, {term.base}, {term.weight}},
              "double u = 0;\n        int i;\n        for (i = 0; i < " + std::to_string(term.columns.size()) +
                  "; ++i)\n            if (values[column[i]] > 0) u += values[column[i]];",
              term.of_logarithm);
}

// Where a term needs it.
void CWriter::rise_helper() {
    const auto of_gamma = [](const RiseTerm& term) { return !term.of_logarithm; };
    const auto counts = [&](const WordTerm& term) {
        return term.urn || std::ranges::any_of(term.length_rises, of_gamma);
    };
    if (!std::ranges::any_of(model_.score.rises, of_gamma) && !std::ranges::any_of(model_.score.words, counts)) return;
    std::string series = "0.0";
    for (std::size_t k = stirling.size(); k-- > 0;) series = "(" + series + ") * v + " + c_number(stirling[k]);
    const std::string steps = std::to_string(rise_steps);
    helpers_ += "static double stirling(double w) {\n    const double v = 1 / (w * w);\n    return (" + series +
                ") / w;\n}\n\n/* log of Gamma(a + u) / Gamma(a) */\nstatic double rise(double a, double u) {\n"
                "    const double w = a + " +
                steps + ";\n    double ratio = 1;\n    int i;\n    for (i = 0; i < " + steps +
                "; ++i) ratio *= 1 + u / (a + i);\n    return (w - 0.5) * log1p(u / w) + u * (log(w + u) - 1) + "
                "stirling(w + u) - stirling(w) - log(ratio);\n}\n\n";
}

void CWriter::level_table(const TableTerm& term) {
    std::vector<std::vector<double>> rows(term.lines[0].size(), std::vector<double>(width_));
    for (std::size_t c = 0; c < width_; ++c)
        for (std::size_t at = 0; at < rows.size(); ++at) rows[at][c] = term.lines[c][at];
    line("{");
    line(of("table", rows.size()) + table(rows) + ";");
    line("k = 0;");
    for (std::size_t at = 0; at < term.columns.size(); ++at) {
        const std::string levels = std::to_string(term.level_count[at]);
        line("k = k * " + std::to_string(term.level_count[at] + 2) + " + code(values[" +
             std::to_string(term.columns[at]) + "], " + levels + ");");
    }
    line("for (c = 0; c < WIDTH; ++c) joint[c] += table[k][c];");
    line("}");
}

void CWriter::pieces(const PieceTerm& term) {
    std::size_t degrees = 0;
    for (const auto& piece : term.pieces) degrees = std::max(degrees, piece.coefficient.size());
    std::vector<double> origin;
    std::vector<std::vector<double>> rows;
    for (const auto& piece : term.pieces) {
        origin.push_back(piece.origin);
        for (std::size_t power = 0; power < degrees; ++power)
            rows.push_back(power < piece.coefficient.size() ? piece.coefficient[power] : std::vector<double>(width_));
    }
    const std::string edges = std::to_string(term.edges.size()), degree = std::to_string(degrees);
    line("{");
    line("static const double edge[] = " + doubles(term.edges) + ";");
    line("static const real origin[] = " + numbers(origin) + ";");
    line(of("coefficient", rows.size()) + table(rows) + ";");
    line("const double x = values[" + std::to_string(term.column) + "];");
    line(term.needed ? "{" : "if (x == x) {");
    line("    int piece = 0, power;");
    line("    real t = 1;");
    line("    for (k = 0; k < " + edges + "; ++k) piece += edge[k] <= x;");
    line("    for (power = 0; power < " + degree + "; ++power) {");
    line("        for (c = 0; c < WIDTH; ++c) joint[c] += coefficient[piece * " + degree + " + power][c] * t;");
    line("        t *= (real)x - origin[piece];");
    line("    }");
    line("}");
    line("}");
}

// Classes that share one covariance and a complete row: a plane for each.
void CWriter::shared_gaussian(const GaussianTerm& term) {
    const std::size_t d = term.columns.size();
    std::vector<std::vector<double>> weight(d, std::vector<double>(width_));
    std::vector<double> constant(width_);
    for (std::size_t c = 0; c < width_; ++c)
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) weight[i][c] += term.precision[0][i * d + j] * term.mean[c][j];
            constant[c] -= 0.5 * weight[i][c] * term.mean[c][i];
        }
    line("if (there == " + std::to_string(d) + ") {");
    line("    " + of("weight", d) + table(weight) + ";");
    line("    static const real constant[] = " + numbers(constant) + ";");
    line("    for (c = 0; c < WIDTH; ++c) joint[c] += constant[c];");
    line("    for (k = 0; k < " + std::to_string(d) + "; ++k)");
    line("        for (c = 0; c < WIDTH; ++c) joint[c] += weight[k][c] * x[k];");
    line("} else {");
    holes(term);
    line("}");
}

// One missing column after the other leaves the precision; a complete row loses none.
void CWriter::holes(const GaussianTerm& term) {
    const std::size_t d = term.columns.size(), groups = term.precision.size();
    const std::string size = std::to_string(d), square = std::to_string(d * d);
    for (const auto& each : term.precision)
        for (std::size_t k = 0; k < d; ++k) factor(each[k * d + k]);
    line("static const real precision[" + std::to_string(groups) + "][" + square + "] = " + table(term.precision) +
         ";");
    line("static const real half_log_determinant[] = " + numbers(term.half_log_determinant) + ";");
    line("static const int group[] = " + whole(term.group) + ";");
    line(of("peak", d + 1) + table(term.peak) + ";");
    if (term.student()) {
        line("static const real degrees[] = " + numbers(term.power_base) + ";");
        line("static const real spread[] = " + numbers(term.spread) + ";");
    }
    line("int g;");
    line("for (g = 0; g < " + std::to_string(groups) + "; ++g) {");
    line("    real p[" + square + "], half = half_log_determinant[g];");
    line("    int i, j;");
    line("    for (k = 0; k < " + square + "; ++k) p[k] = precision[g][k];");
    line("    for (k = 0; k < " + size + "; ++k) {");
    line("        const real pivot = p[k * " + size + " + k];");
    line("        if (!hole[k]) continue;");
    line("        half -= (real)(0.5 * log((double)pivot));");
    line("        for (i = 0; i < " + size + "; ++i)");
    line("            for (j = 0; j < " + size + "; ++j)");
    line("                if (i != k && j != k)");
    line("                    p[i * " + size + " + j] -= p[i * " + size + " + k] * (p[k * " + size + " + j] / pivot);");
    line("        for (i = 0; i < " + size + "; ++i) {");
    line("            p[i * " + size + " + k] = 0;");
    line("            p[k * " + size + " + i] = 0;");
    line("        }");
    line("    }");
    line("    for (c = 0; c < WIDTH; ++c) {");
    line("        real sum = 0;");
    line("        if (group[c] != g) continue;");
    line("        for (i = 0; i < " + size + "; ++i)");
    line("            for (j = 0; j < " + size + "; ++j)");
    line("                sum += p[i * " + size + " + j] * (x[i] - mean[c][i]) * (x[j] - mean[c][j]);");
    if (term.student())
        line(
            "        joint[c] += peak[there][c] + half - (real)0.5 * (degrees[c] + (real)there) * "
            "(real)log1p((double)(sum / spread[c]));");
    else
        line("        joint[c] += peak[there][c] + half - (real)0.5 * sum;");
    line("    }");
    line("}");
}

void CWriter::gaussian(const GaussianTerm& term) {
    const std::size_t d = term.columns.size();
    const std::string size = std::to_string(d);
    line("{");
    line("static const int column[] = " + whole(term.columns) + ";");
    line("static const double centre[] = " + doubles(term.centre) + ";");
    line("static const real mean[" + std::to_string(width_) + "][" + size + "] = " + table(term.mean) + ";");
    line("real x[" + size + "];");
    line("int hole[" + size + "], there = 0;");
    line("for (k = 0; k < " + size + "; ++k) {");
    line("    const double value = values[column[k]];");
    line("    hole[k] = value != value;");
    line("    x[k] = hole[k] ? (real)0 : (real)(value - centre[k]);");
    line("    there += !hole[k];");
    line("}");
    if (term.precision.size() == 1 && !term.student()) {
        shared_gaussian(term);
    } else {
        line("{");
        holes(term);
        line("}");
    }
    line("}");
}

void CWriter::terms() {
    const ScoreExpression& score = model_.score;
    lines();
    for (const CurveTerm& term : score.curves)
        if (!is_line(term)) curve(term);
    for (const bool of_logarithm : {false, true})
        for (const bool student : {false, true}) bells(of_logarithm, student);
    all_rises();
    rise_helper();
    for (const WordTerm& term : score.words) words(term);
    for (const TableTerm& term : score.tables) level_table(term);
    for (const PieceTerm& term : score.pieces) pieces(term);
    for (const GaussianTerm& term : score.gaussians) gaussian(term);
}

}  // namespace suffice
