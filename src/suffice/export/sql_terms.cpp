// The terms of a score in SQL.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/export/sql_writer.hpp"

namespace suffice {
namespace {

// The columns that are there where those of `holes` (bit k: column k) are not: the others leave the precision one after
// the other.
GaussianTerm without(const GaussianTerm& term, std::size_t holes) {
    const std::size_t d = term.columns.size();
    GaussianTerm rest = term;
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < d; ++k)
        if ((holes >> k & 1) == 0) kept.push_back(k);
    const auto pick = [&](auto& values) {
        auto all = std::move(values);
        values.clear();
        for (const auto k : kept) values.push_back(all[k]);
    };
    pick(rest.columns);
    pick(rest.centre);
    for (auto& mean : rest.mean) pick(mean);
    for (std::size_t g = 0; g < term.precision.size(); ++g) {
        std::vector<double> p = term.precision[g];
        for (std::size_t k = 0; k < d; ++k) {
            if ((holes >> k & 1) == 0) continue;
            const double pivot = p[k * d + k];
            rest.half_log_determinant[g] -= 0.5 * std::log(pivot);
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = 0; j < d; ++j)
                    if (i != k && j != k) p[i * d + j] -= p[i * d + k] * (p[k * d + j] / pivot);
        }
        rest.precision[g].clear();
        for (const auto i : kept)
            for (const auto j : kept) rest.precision[g].push_back(p[i * d + j]);
    }
    return rest;
}

// Kahan: what 1 + t has lost of t is lost in the logarithm and in (1 + t) - 1 alike.
std::string sql_log_of_one_and(const std::string& ratio) {
    const std::string t = "(" + ratio + ")", both = "(1 + " + t + ")";
    return "CASE WHEN " + both + " = 1 THEN " + t + " ELSE ln(" + both + ") * (" + t + " / (" + both + " - 1)) END";
}

// log Gamma(a + u) / Gamma(a); exported_model.hpp has the formula.
std::string sql_rise(const std::string& u, double a) {
    const double w = a + rise_steps;
    const std::string last = "(" + sql_number(w) + " + " + u + ")";
    std::string steps, series = sql_number(stirling.back());
    for (int i = 0; i < rise_steps; ++i)
        steps += (i == 0 ? "" : " * ") + ("(1 + " + u + " / " + sql_number(a + i) + ")");
    for (std::size_t k = stirling.size() - 1; k-- > 0;)
        series = "(" + series + ") / (" + last + " * " + last + ") + " + sql_number(stirling[k]);
    return sql_number(w - 0.5) + " * (" + sql_log_of_one_and(u + " / " + sql_number(w)) + ") + " + u + " * (ln(" +
           last + ") - 1) + (" + series + ") / " + last + " - " + sql_number(stirling_series(w)) + " - ln(" + steps +
           ")";
}

// Whether there is room for a formula of each way to have holes.
bool few_patterns(const GaussianTerm& term, std::size_t width) {
    constexpr std::size_t most_products = 12'000;  // were all columns there in each
    const std::size_t d = term.columns.size();
    const bool linear = term.precision.size() == 1 && !term.student();
    return d <= 10 && (std::size_t{1} << d) * width * (linear ? d : d * (d + 1) / 2) <= most_products;
}

}  // namespace

std::string SqlWriter::function(const ColumnFunction& f, const std::string& x) const {
    using Kind = ColumnFunction::Kind;
    const std::string t =
        f.shift == 0 && f.scale == 1 ? x : "((" + x + " - " + sql_number(f.shift) + ") / " + sql_number(f.scale) + ")";
    switch (f.kind) {
        case Kind::one:
            return "1";
        case Kind::value:
            return t;
        case Kind::logarithm:
            return log(x);
        case Kind::log_complement:
            return log("(1 - " + x + ")");
        case Kind::power: {
            std::string product = t;
            for (std::uint32_t k = 1; k < f.degree; ++k) product += " * " + t;
            return product;
        }
        case Kind::radial:
            return exp("(-0.5 * " + t + " * " + t + ")");
        case Kind::sigmoid:
            return "1 / (1 + CASE WHEN " + t + " < -700 THEN 1e300 ELSE exp(-" + t + ") END)";
        case Kind::sine:
        case Kind::cosine:
            return std::string(f.kind == Kind::sine ? "sin(" : "cos(") + sql_number(2 * std::numbers::pi * f.degree) +
                   " * " + t + ")";
        case Kind::product:
            return x + " * " + value(f.other);
    }
    return x;
}

void SqlWriter::add_curve(const CurveTerm& term) {
    const std::string& x = value(term.column);
    std::string nothing = x + " IS NULL";
    if (has_kind(term, ColumnFunction::Kind::logarithm)) nothing += " OR " + x + " <= 0";
    if (has_kind(term, ColumnFunction::Kind::log_complement)) nothing += " OR " + x + " >= 1";
    for (std::size_t c = 0; c < width_; ++c) {
        Names parts;
        for (std::size_t f = 0; f < term.functions.size(); ++f)
            parts.push_back(sql_number(term.weight[f][c]) + " * (" + function(term.functions[f], x) + ")");
        const std::string all = sql_sum(parts);
        joint_[c].push_back(term.needed ? all : "CASE WHEN " + nothing + " THEN 0 ELSE " + all + " END");
    }
}

void SqlWriter::add_bell(const BellTerm& term) {
    const std::string& x = value(term.column);
    const std::string u = term.of_logarithm ? "(" + log(x) + ")" : x;
    for (std::size_t c = 0; c < width_; ++c) {
        const std::string z = "((" + u + " - " + sql_number(term.mean[c]) + ") * " + sql_number(term.scale[c]) + ")";
        const std::string bend = term.power.empty() ? "0.5 * " + z + " * " + z
                                                    : sql_number(term.power[c]) + " * ln(1 + " + z + " * " + z + ")";
        joint_[c].push_back("CASE WHEN " + x + (term.of_logarithm ? " > 0" : " IS NOT NULL") + " THEN " +
                            sql_number(term.peak[c]) + " - " + bend + " ELSE 0 END");
    }
}

// Counts are a step of their own, since their names stand in the formulas many times.
void SqlWriter::add_rises() {
    const auto& terms = model_.score.rises;
    if (terms.empty()) return;
    next_step();
    Names counts;
    for (std::size_t t = 0; t < terms.size(); ++t) {
        Names parts;
        for (const auto column : terms[t].columns)
            parts.push_back("CASE WHEN " + value(column) + " > 0 THEN " + value(column) + " ELSE 0 END");
        counts.push_back(give("u" + std::to_string(t), "CAST(" + sql_sum(parts) + " AS " + real_type() + ")"));
    }
    next_step();
    for (std::size_t c = 0; c < width_; ++c) {
        Names all;
        for (std::size_t t = 0; t < terms.size(); ++t) {
            const double base = terms[t].base[c];
            const std::string text = terms[t].of_logarithm ? sql_log_of_one_and(counts[t] + " / " + sql_number(base))
                                                           : sql_rise(counts[t], base);
            all.push_back(sql_number(terms[t].weight[c]) + " * (" + text + ")");
        }
        joint_[c].push_back(give("r " + std::to_string(c), sql_sum(all)));
    }
}

void SqlWriter::add_table(const TableTerm& term) {
    std::string place;
    for (std::size_t k = 0; k < term.columns.size(); ++k) {
        const Column& column = model_.schema.columns[term.columns[k]];
        const std::string& x = value(term.columns[k]);
        const std::string levels = std::to_string(term.level_count[k]);
        const std::string code = column.kind == ColumnKind::category
                                     ? x  // flags of a joint table are numbers
                                     : "CASE WHEN " + x + " IS NULL THEN " + std::to_string(term.level_count[k] + 1) +
                                           " WHEN " + x + " >= 0 AND " + x + " < " + levels + " THEN CAST(" + x +
                                           " AS INTEGER) ELSE " + levels + " END";
        place = place.empty() ? code : "(" + place + ") * " + std::to_string(term.level_count[k] + 2) + " + " + code;
    }
    for (std::size_t c = 0; c < width_; ++c) {
        std::string cases = "CASE " + place;
        for (std::size_t at = 0; at < term.lines[c].size(); ++at)
            cases += " WHEN " + std::to_string(at) + " THEN " + sql_number(term.lines[c][at]);
        joint_[c].push_back(cases + " END");
    }
}

void SqlWriter::add_pieces(const PieceTerm& term) {
    const std::string& x = value(term.column);
    for (std::size_t c = 0; c < width_; ++c) {
        std::string cases = "CASE";
        if (!term.needed) cases += " WHEN " + x + " IS NULL THEN 0";
        for (std::size_t at = 0; at < term.pieces.size(); ++at) {
            const auto& piece = term.pieces[at];
            std::string sum;
            for (std::size_t power = piece.coefficient.size(); power-- > 0;)
                sum = sum.empty() ? sql_number(piece.coefficient[power][c])
                                  : sql_number(piece.coefficient[power][c]) + " + (" + x + " - " +
                                        sql_number(piece.origin) + ") * (" + sum + ")";
            cases += at < term.edges.size() ? " WHEN " + x + " < " + sql_number(term.edges[at]) + " THEN " + sum
                                            : " WHEN " + x + " IS NOT NULL THEN " + sum;
        }
        joint_[c].push_back(cases + " END");
    }
}

std::string SqlWriter::complete_gaussian(const GaussianTerm& term, std::size_t c) const {
    const std::size_t d = term.columns.size();
    const auto& p = term.precision[term.group[c]];
    const bool linear = term.precision.size() == 1 && !term.student();
    Names sum;
    double constant = 0;
    for (std::size_t i = 0; i < d; ++i) {
        const std::string way = "(" + value(term.columns[i]) + " - " + sql_number(term.centre[i]) + ")";
        if (linear) {
            double weight = 0;
            for (std::size_t j = 0; j < d; ++j) weight += p[i * d + j] * term.mean[c][j];
            constant -= 0.5 * weight * term.mean[c][i];
            sum.push_back(sql_number(weight) + " * " + way);
            continue;
        }
        for (std::size_t j = i; j < d; ++j) {
            const auto z = [&](std::size_t k) {
                return "(" + value(term.columns[k]) + " - " + sql_number(term.centre[k] + term.mean[c][k]) + ")";
            };
            sum.push_back(sql_number((i == j ? 1 : 2) * p[i * d + j]) + " * " + z(i) + " * " + z(j));
        }
    }
    if (linear) return sql_number(constant) + " + (" + sql_sum(sum) + ")";
    const double top = term.peak[d][c] + term.half_log_determinant[term.group[c]];
    if (!term.student()) return sql_number(top) + " - 0.5 * (" + sql_sum(sum) + ")";
    return sql_number(top) + " - " + sql_number(0.5 * (term.power_base[c] + static_cast<double>(d))) + " * ln(1 + (" +
           sql_sum(sum) + ") / " + sql_number(term.spread[c]) + ")";
}

// The precision of each group after the missing columns have left it, row by row of its upper half.
std::vector<Names> SqlWriter::eliminate(const GaussianTerm& term, Names& half) {
    const std::size_t d = term.columns.size();
    std::vector<Names> p(term.precision.size(), Names(d * d));
    for (std::size_t g = 0; g < p.size(); ++g) {
        half.push_back(sql_number(term.half_log_determinant[g]));
        for (std::size_t at = 0; at < d * d; ++at) p[g][at] = sql_number(term.precision[g][at]);
    }
    for (std::size_t k = 0; k < d; ++k) {
        next_step();
        const std::string gone = value(term.columns[k]) + " IS NULL";
        for (std::size_t g = 0; g < p.size(); ++g) {
            const Names before = p[g];
            const std::string& pivot = before[k * d + k];
            const std::string step = std::to_string(k) + " " + std::to_string(g) + " ";
            half[g] = give("h" + step, "CASE WHEN " + gone + " THEN " + half[g] + " - 0.5 * ln(" + pivot + ") ELSE " +
                                           half[g] + " END");
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = i; j < d; ++j) {
                    const std::string lost =
                        i == k || j == k ? "0"
                                         : before[i * d + j] + " - " + before[std::min(i, k) * d + std::max(i, k)] +
                                               " * " + before[std::min(j, k) * d + std::max(j, k)] + " / " + pivot;
                    p[g][i * d + j] =
                        give("p" + step + std::to_string(i * d + j),
                             "CASE WHEN " + gone + " THEN " + lost + " ELSE " + before[i * d + j] + " END");
                }
        }
    }
    return p;
}

void SqlWriter::add_gaussian_by_pattern(const GaussianTerm& term) {
    const std::string here = std::to_string(steps_.size());
    next_step();
    std::string bits = "0";
    for (std::size_t k = 0; k < term.columns.size(); ++k)
        bits += " + CASE WHEN " + value(term.columns[k]) + " IS NULL THEN " + std::to_string(std::size_t{1} << k) +
                " ELSE 0 END";
    const std::string pattern = give("holes " + here, bits);
    next_step();
    std::vector<std::string> text(width_, "CASE " + pattern);
    for (std::size_t holes = 0; holes < std::size_t{1} << term.columns.size(); ++holes) {
        const GaussianTerm rest = without(term, holes);
        for (std::size_t c = 0; c < width_; ++c)
            text[c] += " WHEN " + std::to_string(holes) + " THEN " + complete_gaussian(rest, c);
    }
    for (std::size_t c = 0; c < width_; ++c)
        joint_[c].push_back(give("g" + here + " " + std::to_string(c), text[c] + " END"));
}

void SqlWriter::add_gaussian(const GaussianTerm& term) {
    if (few_patterns(term, width_)) return add_gaussian_by_pattern(term);
    constexpr std::size_t most_expressions = 20'000;  // rows with holes have no prediction beyond
    const std::size_t d = term.columns.size();
    const bool holes = term.precision.size() * d * d * (d + 1) / 2 <= most_expressions;
    Names half;
    const auto p = holes ? eliminate(term, half) : std::vector<Names>{};
    next_step();
    Names each_there;
    for (const auto column : term.columns)
        each_there.push_back("CASE WHEN " + value(column) + " IS NULL THEN 0 ELSE 1 END");
    const std::string there = give("there " + std::to_string(steps_.size()), sql_sum(each_there));
    next_step();
    for (std::size_t c = 0; c < width_; ++c) {
        std::string text = "CASE WHEN " + there + " = " + std::to_string(d) + " THEN " + complete_gaussian(term, c);
        if (holes) {
            Names sum;
            const auto z = [&](std::size_t k) {
                return "(coalesce(" + value(term.columns[k]) + " - " + sql_number(term.centre[k] + term.mean[c][k]) +
                       ", 0))";
            };
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = i; j < d; ++j)
                    sum.push_back((i == j ? "" : "2 * ") + p[term.group[c]][i * d + j] + " * " + z(i) + " * " + z(j));
            std::string top = "CASE " + there;
            for (std::size_t n = 0; n <= d; ++n)
                top += " WHEN " + std::to_string(n) + " THEN " + sql_number(term.peak[n][c]);
            top = term.student() ? top + " END + " + half[term.group[c]] : half[term.group[c]];
            text += " ELSE " + top +
                    (term.student() ? " - 0.5 * (" + sql_number(term.power_base[c]) + " + " + there + ") * ln(1 + (" +
                                          sql_sum(sum) + ") / " + sql_number(term.spread[c]) + ")"
                                    : " - 0.5 * (" + sql_sum(sum) + ")");
        }
        joint_[c].push_back(give("g" + std::to_string(steps_.size()) + " " + std::to_string(c), text + " END"));
    }
}

}  // namespace suffice
