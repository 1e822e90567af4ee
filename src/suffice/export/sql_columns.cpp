// The columns of a table as the model reads them: numbers, flags, parts of dates and codes of levels.
#include "suffice/encode/dates.hpp"
#include "suffice/export/sql_writer.hpp"

namespace suffice {

std::string SqlWriter::as_text(const std::string& x) const {
    return "CAST(" + x + " AS " + (dialect_ == SqlDialect::postgresql ? "TEXT" : "VARCHAR") + ")";
}

// A whole number may be stored as 1 or as 1.0.
std::string SqlWriter::level_code(const Column& column) const {
    const std::string text = as_text(sql_name(column.name));
    std::string all =
        "CASE WHEN " + text + " IS NULL OR " + text + " = '' THEN " + std::to_string(column.levels.size() + 1);
    for (std::size_t level = 0; level < column.levels.size(); ++level) {
        const std::string& word = column.levels[level];
        const bool digits = !word.empty() && word.find_first_not_of("-0123456789") == std::string::npos;
        all += " WHEN " + text +
               (digits ? " IN (" + sql_text(word) + ", " + sql_text(word + ".0") + ")" : " = " + sql_text(word)) +
               " THEN " + std::to_string(level);
    }
    return all + " ELSE " + std::to_string(column.levels.size()) + " END";
}

// NaN is a number that is not there, and so is an empty word where a database lets one stand among numbers.
std::string SqlWriter::number_in(const std::string& x) const {
    const std::string as_number = "CAST(" + x + " AS " + real_type() + ")";
    if (dialect_ == SqlDialect::sqlite) return "CASE WHEN " + x + " = '' THEN NULL ELSE " + as_number + " END";
    return "NULLIF(" + as_number + ", CAST('NaN' AS " + real_type() + "))";
}

// Stored as 0 and 1, as a truth value, or as its word.
std::string SqlWriter::flag_in(const std::string& x) const {
    return "CASE lower(" + as_text(x) + ") WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE " +
           number_in(dialect_ == SqlDialect::postgresql ? as_text(x) : x) + " END";
}

// Of a date or timestamp, or a word that the database takes for one.
std::string SqlWriter::date_in(const std::string& x, DatePart part) const {
    if (dialect_ == SqlDialect::sqlite) {
        const auto format = [&](const char* letter) {
            return "CAST(strftime('%" + std::string(letter) + "', " + x + ") AS REAL)";
        };
        if (part == DatePart::days) return format("s") + " / 86400.0";
        if (part == DatePart::weekday) return "(CAST(strftime('%w', " + x + ") AS INTEGER) + 6) % 7 + 1.0";
        return format(part == DatePart::year ? "Y" : part == DatePart::month ? "m" : "H");
    }
    const std::string what = part == DatePart::days      ? "epoch"
                             : part == DatePart::weekday ? "isodow"
                                                         : std::string(name_of(part));
    return "CAST(EXTRACT(" + what + " FROM CAST(" + x + " AS TIMESTAMP)) AS DOUBLE PRECISION)" +
           (part == DatePart::days ? " / 86400.0" : "");
}

void SqlWriter::read_columns() {
    next_step();
    for (std::size_t k = 0; k < model_.schema.columns.size(); ++k) {
        const Column& column = model_.schema.columns[k];
        const auto date = part_named(column.name);
        const std::string x = sql_name(date ? date->column : column.name);
        values_.push_back(give("x" + std::to_string(k), column.kind == ColumnKind::category ? level_code(column)
                                                        : date                              ? date_in(x, date->part)
                                                        : column.kind == ColumnKind::flag   ? flag_in(x)
                                                                                            : number_in(x)));
    }
}

}  // namespace suffice
