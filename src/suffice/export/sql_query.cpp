// The stages behind the scores in SQL, and one query around the other.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "suffice/export/sql_writer.hpp"

namespace suffice {
namespace {

// Databases take letters of any size for the same in a name.
std::string lowered(std::string_view text) {
    std::string small(text);
    for (char& each : small)
        if (each >= 'A' && each <= 'Z') each = static_cast<char>(each + ('a' - 'A'));
    return small;
}

}  // namespace

std::string sql_name(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}
std::string sql_text(std::string_view text) {
    std::string quoted = "'";
    for (const char letter : text) quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
    return quoted + "'";
}
std::string sql_number(double value) {
    if (std::isnan(value)) return "NULL";
    if (std::isinf(value)) value = value > 0 ? 1e300 : -1e300;  // whose exponential nobody can tell from zero
    char text[64];                                              // the same under any locale
    const std::string made(text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 16).ptr);
    return value < 0 ? "(" + made + ")" : made;
}

std::string sql_sum(const Names& terms) {
    if (terms.empty()) return "0";
    const auto between = [&](auto self, std::size_t first, std::size_t end) -> std::string {
        if (end - first == 1) return terms[first];
        if (end - first <= 8) {
            std::string chain = terms[first];
            while (++first < end) chain += " + " + terms[first];
            return chain;
        }
        const std::size_t middle = first + (end - first) / 2;
        return "(" + self(self, first, middle) + ") + (" + self(self, middle, end) + ")";
    };
    return between(between, 0, terms.size());
}

std::string sql_of_all(const std::string& function, const Names& values) {
    constexpr std::size_t most = 100;
    if (values.size() == 1) return values[0];
    Names parts;
    std::string list;
    for (std::size_t k = 0; k < values.size(); ++k) {
        list += (list.empty() ? "" : ", ") + values[k];
        if (k + 1 < values.size() && (k + 1) % most != 0) continue;
        parts.push_back(function + "(" + std::exchange(list, {}) + ")");  // of one value at the end: an aggregate
        if (k % most == 0) parts.back() = values[k];
    }
    return parts.size() == 1 ? parts[0] : sql_of_all(function, parts);
}

// Columns that the model does not read may have such a name too; they are not known here.
std::string SqlWriter::own_prefix() const {
    std::string prefix = "suffice ";
    const auto hides = [&](const Column& each) { return lowered(each.name).starts_with(prefix); };
    while (std::ranges::any_of(model_.schema.columns, hides)) prefix.insert(prefix.size() - 1, "_");
    return prefix;
}

// What stands in the formula of every class. A step of its own costs time, and many classes many letters.
std::string SqlWriter::shared(const std::string& name, const std::string& expression) {
    constexpr std::size_t few = 12;
    if (model_.class_count() <= few) return "(" + expression + ")";
    next_step();
    std::string made = give(name, expression);
    next_step();
    return made;
}

// SQLite's name for it that no column of the model hides.
std::string SqlWriter::row_number() const {
    for (const std::string name : {"rowid", "_rowid_", "oid"})
        if (std::ranges::none_of(model_.schema.columns, [&](const Column& each) { return lowered(each.name) == name; }))
            return name;
    return "rowid";
}

void SqlWriter::add_components() {
    next_step();
    Names joint;
    for (std::size_t c = 0; c < width_; ++c) joint.push_back(give("joint " + std::to_string(c), sql_sum(joint_[c])));
    const auto& class_of = model_.score.class_of;
    if (!class_of.empty()) {
        std::vector<Names> own(model_.class_count());
        for (std::size_t c = 0; c < width_; ++c) own[class_of[c]].push_back(joint[c]);
        next_step();
        Names top;
        for (std::size_t k = 0; k < own.size(); ++k) top.push_back(give("top " + std::to_string(k), greatest(own[k])));
        next_step();
        joint.clear();
        for (std::size_t k = 0; k < own.size(); ++k) {
            Names parts;
            for (const auto& each : own[k]) parts.push_back(exp("(" + each + " - " + top[k] + ")"));
            joint.push_back(give("score " + std::to_string(k), top[k] + " + ln(" + sql_sum(parts) + ")"));
        }
    }
    if (model_.temperature != 1)
        for (auto& each : joint) each = "(" + each + " / " + sql_number(model_.temperature) + ")";
    add_softmax(joint, "posterior");
}

void SqlWriter::add_softmax(const Names& score, const std::string& name) {
    next_step();
    const std::string top = give(name + " top", greatest(score));
    next_step();
    Names part;
    for (std::size_t c = 0; c < score.size(); ++c)
        part.push_back(give(name + " part " + std::to_string(c), exp("(" + score[c] + " - " + top + ")")));
    next_step();
    const std::string whole = shared(name + " sum", sql_sum(part));
    posterior_.clear();
    for (std::size_t c = 0; c < score.size(); ++c)
        posterior_.push_back(give(name + " " + std::to_string(c), part[c] + " / " + whole));
}

void SqlWriter::add_calibration() {
    if (!model_.isotonic.empty()) return add_isotonic();
    if (model_.sigmoids.empty()) return;
    next_step();
    Names score;
    const std::string smallest = "2.2250738585072014e-308";
    for (std::size_t c = 0; c < posterior_.size(); ++c) {
        Names others = posterior_;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(c));
        const SigmoidCurve& curve = model_.sigmoids[c];
        score.push_back(give("bent " + std::to_string(c),
                             sql_number(curve.a) + " * ln(" + greatest({posterior_[c], smallest}) + ") - " +
                                 sql_number(curve.b) + " * ln(" + greatest({sql_sum(others), smallest}) + ") + " +
                                 sql_number(curve.c)));
    }
    next_step();
    Names logs;
    for (std::size_t c = 0; c < score.size(); ++c)
        logs.push_back(give("log " + std::to_string(c), "CASE WHEN " + score[c] + " < 0 THEN " + score[c] +
                                                            " - ln(1 + " + exp(score[c]) + ") ELSE -ln(1 + " +
                                                            exp("(-" + score[c] + ")") + ") END"));
    add_softmax(logs, "calibrated");
}

void SqlWriter::add_isotonic() {
    next_step();
    Names bent;
    for (std::size_t c = 0; c < posterior_.size(); ++c) {
        const IsotonicCurve& curve = model_.isotonic[c];
        const std::string& p = posterior_[c];
        std::string cases = "CASE WHEN " + p + " < " + sql_number(curve.x[0]) + " THEN " + sql_number(curve.y[0]);
        for (std::size_t k = 1; k < curve.x.size(); ++k)
            cases += " WHEN " + p + " < " + sql_number(curve.x[k]) + " THEN " + sql_number(curve.y[k - 1]) + " + " +
                     sql_number((curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1])) + " * (" + p + " - " +
                     sql_number(curve.x[k - 1]) + ")";
        cases += " WHEN " + p + " IS NOT NULL THEN " + sql_number(curve.y.back()) + " END";
        bent.push_back(give("bent " + std::to_string(c), greatest({cases, "2.2250738585072014e-308"})));
    }
    next_step();
    const std::string whole = shared("calibrated sum", sql_sum(bent));
    posterior_.clear();
    for (std::size_t c = 0; c < bent.size(); ++c)
        posterior_.push_back(give("calibrated " + std::to_string(c), bent[c] + " / " + whole));
}

std::string SqlWriter::label(std::size_t c) const {
    return model_.schema.integer_classes ? model_.schema.classes[c] : sql_text(model_.schema.classes[c]);
}

std::string SqlWriter::by_cost() {
    const CostMatrix& cost = *model_.rule.cost;
    next_step();
    Names costs;
    for (std::size_t decision = 0; decision < cost.decision_count(); ++decision) {
        Names terms;
        for (std::size_t truth = 0; truth < posterior_.size(); ++truth)
            terms.push_back(sql_number(cost.at(truth, decision)) + " * " + posterior_[truth]);
        costs.push_back(give("cost " + std::to_string(decision), sql_sum(terms)));
    }
    next_step();
    const std::string cheapest = give("least cost", least(costs));
    std::string cases;
    for (std::size_t k = 0; k < costs.size(); ++k)
        cases += " WHEN " + costs[k] + " <= " + cheapest + " THEN " +
                 (k < posterior_.size() ? label(k) : std::string("NULL"));
    return cases;
}

// The class furthest above its threshold in proportion, else the most probable one without a threshold.
std::string SqlWriter::by_thresholds() {
    const auto& limits = model_.rule.thresholds;
    next_step();
    Names limited, free, share = posterior_;
    for (std::size_t c = 0; c < share.size(); ++c) {
        if (!limits[c]) {
            free.push_back(share[c]);
            continue;
        }
        const std::string far = "CASE WHEN " + posterior_[c] + " >= " + sql_number(*limits[c]) + " THEN " +
                                posterior_[c] + " / " + sql_number(std::max(*limits[c], 1e-300)) + " ELSE 0 END";
        limited.push_back(share[c] = give("share " + std::to_string(c), std::isinf(*limits[c]) ? "0" : far));
    }
    next_step();
    std::string cases;
    for (const Names* some : {&limited, &free}) {
        if (some->empty()) continue;
        const std::string top = give(some == &limited ? "top share" : "top free", greatest(*some));
        for (std::size_t c = 0; c < share.size(); ++c)
            if (limits[c].has_value() == (some == &limited))
                cases += " WHEN " + share[c] + " > 0 AND " + share[c] + " >= " + top + " THEN " + label(c);
    }
    return cases;
}

std::string SqlWriter::prediction() {
    const std::string top = shared("top posterior", greatest(posterior_));
    std::string cases;
    if (model_.rule.reject_below > 0)
        cases += " WHEN " + top + " < " + sql_number(model_.rule.reject_below) + " THEN NULL";
    if (model_.rule.cost) return "CASE" + cases + by_cost() + " END";
    if (!model_.rule.thresholds.empty()) return "CASE" + cases + by_thresholds() + " END";
    for (std::size_t c = 0; c < posterior_.size(); ++c)
        cases += " WHEN " + posterior_[c] + " >= " + top + " THEN " + label(c);
    return "CASE" + cases + " END";
}

// DuckDB leaves names out of a star; PostgreSQL reads steps beside each row; SQLite joins them back by the row's
// number.
std::string SqlWriter::assemble() {
    std::string outputs = prediction() + " AS " + sql_name("prediction");
    for (std::size_t c = 0; c < posterior_.size(); ++c)
        outputs += ",\n  " + posterior_[c] + " AS " + sql_name("p(" + model_.schema.classes[c] + ")");
    const auto list = [](const Step& step) {
        std::string all;
        for (std::size_t k = 0; k < step.name.size(); ++k)
            all += (k == 0 ? "" : ",\n  ") + step.expression[k] + " AS " + step.name[k];
        return all;
    };
    const std::string comment = "-- " + model_.origin + "\n", table = sql_name(table_);
    if (dialect_ == SqlDialect::postgresql) {
        std::string from = table + " AS suffice_row";
        std::size_t at = 0;
        for (const Step& step : steps_)
            if (!step.name.empty())
                from +=
                    "\nCROSS JOIN LATERAL (SELECT " + list(step) + " OFFSET 0) AS suffice_step_" + std::to_string(++at);
        return comment + "SELECT suffice_row.*,\n  " + outputs + "\nFROM " + from + ";\n";
    }
    const bool star = dialect_ == SqlDialect::duckdb;
    const std::string row = row_number();
    std::string with, names;
    std::size_t at = 0;
    for (const Step& step : steps_) {
        if (step.name.empty()) continue;
        const std::string name = "suffice_step_" + std::to_string(++at);
        with += std::string(with.empty() ? "WITH " : ",\n") + name + " AS MATERIALIZED (SELECT " +
                (at == 1 && !star ? row + " AS " + sql_name(own_ + "row") : std::string("*")) + ",\n  " + list(step) +
                "\nFROM " + (at == 1 ? table : "suffice_step_" + std::to_string(at - 1)) + ")";
        for (const auto& each : step.name) names += (names.empty() ? "" : ", ") + each;
    }
    const std::string last = "suffice_step_" + std::to_string(at);
    if (star) return comment + with + "\nSELECT * EXCLUDE (" + names + "),\n  " + outputs + "\nFROM " + last + ";\n";
    return comment + with + "\nSELECT " + table + ".*,\n  " + outputs + "\nFROM " + table + " JOIN " + last + " ON " +
           sql_name(own_ + "row") + " = " + table + "." + row + ";\n";
}

Result<std::string> SqlWriter::write() {
    read_columns();
    for (std::size_t c = 0; c < width_; ++c) joint_[c].push_back(sql_number(model_.score.constant[c]));
    for (const GaussianTerm& term : model_.score.gaussians) add_gaussian(term);
    add_rises();
    for (const CurveTerm& term : model_.score.curves) add_curve(term);
    for (const BellTerm& term : model_.score.bells) add_bell(term);
    for (const TableTerm& term : model_.score.tables) add_table(term);
    for (const PieceTerm& term : model_.score.pieces) add_pieces(term);
    add_components();
    add_calibration();
    return assemble();
}

Result<std::string> sql_query(const ExportedModel& model, SqlDialect dialect, const std::string& table) {
    if (model.has_text())
        return Error(ErrorKind::usage,
                     "the model reads text, which is not cut into words in SQL; export it to ONNX, or to C from counts "
                     "of words");
    return SqlWriter(model, dialect, table).write();
}

}  // namespace suffice
