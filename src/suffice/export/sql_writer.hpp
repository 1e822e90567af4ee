// Writes a model as one SELECT: steps of named expressions, each made of the steps before it.
#pragma once
#include "suffice/encode/dates.hpp"
#include "suffice/export/exported_model.hpp"

namespace suffice {

std::string sql_name(std::string_view text);
std::string sql_text(std::string_view text);
// With an exponent, so that no dialect takes it for a decimal number of few digits; NaN is NULL.
std::string sql_number(double value);

using Names = std::vector<std::string>;
// Their sum, as a tree: a chain of a thousand is too deep for databases. 0 where there are none.
std::string sql_sum(const Names& terms);
// A function of any number of values, at most a hundred at once: SQLite takes no more than 127.
std::string sql_of_all(const std::string& function, const Names& values);

class SqlWriter {
public:
    SqlWriter(const ExportedModel& model, SqlDialect dialect, std::string table)
        : model_(model),
          dialect_(dialect),
          table_(std::move(table)),
          own_(own_prefix()),
          width_(model.score.width()),
          joint_(width_) {}
    Result<std::string> write();

private:
    struct Step {
        Names name, expression;
    };
    // Expressions of one step cannot see each other; what they give is named.
    std::string give(const std::string& name, const std::string& expression) {
        const std::string made = sql_name(own_ + name);
        steps_.back().name.push_back(made);
        steps_.back().expression.push_back(expression);
        return made;
    }
    void next_step() { steps_.emplace_back(); }
    std::string shared(const std::string& name, const std::string& expression);
    std::string own_prefix() const;
    std::string row_number() const;

    void read_columns();
    std::string as_text(const std::string& x) const;
    std::string level_code(const Column& column) const;
    std::string number_in(const std::string& x) const;
    std::string flag_in(const std::string& x) const;
    std::string date_in(const std::string& x, DatePart part) const;
    void add_curve(const CurveTerm& term);
    std::string function(const ColumnFunction& function, const std::string& x) const;
    void add_bell(const BellTerm& term);
    void add_rises();
    void add_table(const TableTerm& term);
    void add_pieces(const PieceTerm& term);
    void add_gaussian(const GaussianTerm& term);
    void add_gaussian_by_pattern(const GaussianTerm& term);
    std::string complete_gaussian(const GaussianTerm& term, std::size_t c) const;
    std::vector<Names> eliminate(const GaussianTerm& term, Names& half);
    void add_components();
    void add_softmax(const Names& score, const std::string& name);
    void add_calibration();
    void add_isotonic();
    std::string prediction();
    std::string by_thresholds();
    std::string by_cost();
    std::string label(std::size_t c) const;
    std::string assemble();

    std::string exp(const std::string& x) const { return "CASE WHEN " + x + " > -700 THEN exp(" + x + ") ELSE 0 END"; }
    std::string log(const std::string& x) const { return "CASE WHEN " + x + " > 0 THEN ln(" + x + ") END"; }
    std::string greatest(const Names& all) const {
        return sql_of_all(dialect_ == SqlDialect::sqlite ? "max" : "greatest", all);
    }
    std::string least(const Names& all) const {
        return sql_of_all(dialect_ == SqlDialect::sqlite ? "min" : "least", all);
    }
    std::string real_type() const { return dialect_ == SqlDialect::sqlite ? "REAL" : "DOUBLE PRECISION"; }
    const std::string& value(std::uint32_t column) const { return values_[column]; }

    const ExportedModel& model_;
    SqlDialect dialect_;
    std::string table_;
    std::string own_;  // what names of steps begin with, and no column of the model
    std::size_t width_;
    std::vector<Step> steps_;
    Names values_;              // by column: its number, or the code of its level
    std::vector<Names> joint_;  // by class or component: what is summed, within one step
    Names posterior_;
};

}  // namespace suffice
