// The stages behind the scores in SQL, and one query around the other.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "suffice/export/sql_writer.hpp"

namespace suffice {

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

void SqlWriter::add_components() {
    next_step();
    Names joint;
    for (std::size_t c = 0; c < width_; ++c) joint.push_back(give("joint " + std::to_string(c), joint_[c]));
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
            std::string sum;
            for (const auto& each : own[k]) sum += (sum.empty() ? "" : " + ") + exp("(" + each + " - " + top[k] + ")");
            joint.push_back(give("score " + std::to_string(k), top[k] + " + ln(" + sum + ")"));
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
    std::string sum;
    for (const auto& each : part) sum += (sum.empty() ? "" : " + ") + each;
    posterior_.clear();
    for (std::size_t c = 0; c < score.size(); ++c)
        posterior_.push_back(give(name + " " + std::to_string(c), part[c] + " / (" + sum + ")"));
}

void SqlWriter::add_calibration() {
    if (!model_.isotonic.empty()) return add_isotonic();
    if (model_.sigmoids.empty()) return;
    next_step();
    Names score;
    const std::string least = "2.2250738585072014e-308";
    for (std::size_t c = 0; c < posterior_.size(); ++c) {
        std::string rest;
        for (std::size_t k = 0; k < posterior_.size(); ++k)
            if (k != c) rest += (rest.empty() ? "" : " + ") + posterior_[k];
        const SigmoidCurve& curve = model_.sigmoids[c];
        score.push_back(give("bent " + std::to_string(c), sql_number(curve.a) + " * ln(" +
                                                              greatest({posterior_[c], least}) + ") - " +
                                                              sql_number(curve.b) + " * ln(" + greatest({rest, least}) +
                                                              ") + " + sql_number(curve.c)));
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
    std::string sum;
    for (const auto& each : bent) sum += (sum.empty() ? "" : " + ") + each;
    posterior_.clear();
    for (std::size_t c = 0; c < bent.size(); ++c)
        posterior_.push_back(give("calibrated " + std::to_string(c), bent[c] + " / (" + sum + ")"));
}

std::string SqlWriter::label(std::size_t c) const {
    return model_.schema.integer_classes ? model_.schema.classes[c] : sql_text(model_.schema.classes[c]);
}

std::string SqlWriter::by_cost() const {
    const CostMatrix& cost = *model_.rule.cost;
    Names sums;
    for (std::size_t decision = 0; decision < cost.decision_count(); ++decision) {
        std::string sum;
        for (std::size_t truth = 0; truth < posterior_.size(); ++truth)
            sum += (sum.empty() ? "(" : " + ") + sql_number(cost.at(truth, decision)) + " * " + posterior_[truth];
        sums.push_back(sum + ")");
    }
    std::string cases;
    for (std::size_t k = 0; k < sums.size(); ++k) {
        std::string all;
        for (std::size_t other = 0; other < sums.size(); ++other)
            if (other != k) all += (all.empty() ? "" : " AND ") + sums[k] + " <= " + sums[other];
        cases += " WHEN " + all + " THEN " + (k < posterior_.size() ? label(k) : std::string("NULL"));
    }
    return cases;
}

// The class furthest above its threshold in proportion, else the most probable one without a threshold.
std::string SqlWriter::by_thresholds() const {
    const auto& limits = model_.rule.thresholds;
    Names share(posterior_.size());
    for (std::size_t c = 0; c < share.size(); ++c)
        if (limits[c])
            share[c] = std::isinf(*limits[c])
                           ? "0"
                           : "CASE WHEN " + posterior_[c] + " >= " + sql_number(*limits[c]) + " THEN " + posterior_[c] +
                                 " / " + sql_number(std::max(*limits[c], 1e-300)) + " ELSE 0 END";
    std::string cases;
    for (const bool limited : {true, false})
        for (std::size_t c = 0; c < share.size(); ++c) {
            if (limits[c].has_value() != limited) continue;
            const std::string own = limited ? share[c] : posterior_[c];
            std::string all = own + " > 0";
            for (std::size_t k = 0; k < share.size(); ++k)
                if (k != c && limits[k].has_value() == limited)
                    all += " AND " + own + " >= " + (limited ? share[k] : posterior_[k]);
            cases += " WHEN " + all + " THEN " + label(c);
        }
    return cases;
}

std::string SqlWriter::prediction() const {
    std::string cases;
    if (model_.rule.reject_below > 0)
        cases += " WHEN " + greatest(posterior_) + " < " + sql_number(model_.rule.reject_below) + " THEN NULL";
    if (model_.rule.cost) return "CASE" + cases + by_cost() + " END";
    if (!model_.rule.thresholds.empty()) return "CASE" + cases + by_thresholds() + " END";
    for (std::size_t c = 0; c < posterior_.size(); ++c) {
        std::string all;
        for (std::size_t k = 0; k < posterior_.size(); ++k)
            if (k != c) all += (all.empty() ? "" : " AND ") + posterior_[c] + " >= " + posterior_[k];
        cases += " WHEN " + (all.empty() ? "1 = 1" : all) + " THEN " + label(c);
    }
    return "CASE" + cases + " END";
}

// DuckDB leaves names out of a star; PostgreSQL reads steps beside each row; SQLite joins them back by the row's
// number.
std::string SqlWriter::assemble() const {
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
    std::string with, names;
    std::size_t at = 0;
    for (const Step& step : steps_) {
        if (step.name.empty()) continue;
        const std::string name = "suffice_step_" + std::to_string(++at);
        with += std::string(with.empty() ? "WITH " : ",\n") + name + " AS MATERIALIZED (SELECT " +
                (at == 1 && !star ? "rowid AS suffice_row" : std::string("*")) + ",\n  " + list(step) + "\nFROM " +
                (at == 1 ? table : "suffice_step_" + std::to_string(at - 1)) + ")";
        for (const auto& each : step.name) names += (names.empty() ? "" : ", ") + each;
    }
    const std::string last = "suffice_step_" + std::to_string(at);
    if (star) return comment + with + "\nSELECT * EXCLUDE (" + names + "),\n  " + outputs + "\nFROM " + last + ";\n";
    return comment + with + "\nSELECT " + table + ".*,\n  " + outputs + "\nFROM " + table + " JOIN " + last +
           " ON suffice_row = " + table + ".rowid;\n";
}

Result<std::string> SqlWriter::write() {
    read_columns();
    for (const double constant : model_.score.constant) joint_.push_back(sql_number(constant));
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
        return Error(ErrorKind::usage, "the model reads text, which is not cut into words in SQL; export it to ONNX");
    return SqlWriter(model, dialect, table).write();
}

}  // namespace suffice
