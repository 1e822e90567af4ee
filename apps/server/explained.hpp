// Explanations of rows as answers: records of JSON as `explain --json` has them, or a table.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "suffice/report/explanation_report.hpp"

namespace suffice::server {

// The table (CSV, Arrow) has a line for each row, class and column: `row`, `class`, `column`, `contribution`; what
// belongs to no column stands under "(intercept)", so that the lines of a row and class add up to its log joint.
class Explanations {
public:
    Explanations(const Schema& schema, std::string_view type) : schema_(schema), type_(type) {}
    void add(const ExplainedRow& row);
    std::size_t rows() const { return rows_; }
    std::string take();

private:
    void add_line(std::size_t of_class, std::int32_t column, double contribution);
    std::int32_t code_of(const std::string& column);

    const Schema& schema_;
    std::string_view type_;
    std::size_t rows_ = 0;
    std::string json_ = {};
    std::map<std::string, std::int32_t> codes_ = {};
    std::vector<std::string> names_ = {};
    std::vector<double> row_ = {}, contribution_ = {};
    std::vector<std::int32_t> class_ = {}, column_ = {};
};

}  // namespace suffice::server
