// Rows of results on their way out: CSV as it comes, or without formulas for spreadsheets, or for --json as records.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace suffice::cli {

class RowOutput {
public:
    enum class Form : unsigned char { csv, spreadsheet_csv, json };

    // `numbers`: columns whose cells are numbers in JSON, besides those that we measure.
    RowOutput(Output& output, Form form, std::vector<std::string> numbers = {})
        : output_(output), form_(form), numbers_(std::move(numbers)) {}
    RowOutput(Output& output, bool as_json) : RowOutput(output, as_json ? Form::json : Form::csv) {}
    // As --json and --spreadsheet say, which exclude each other.
    static Result<Form> form_of(const Arguments& arguments);
    Result<void> write(std::string_view lines);           // whole lines; the first one is the header
    Result<void> finish(std::string_view behind = "\n");  // behind the records

private:
    Output& output_;
    Form form_;
    std::vector<std::string> numbers_, names_;
    std::vector<bool> is_number_;  // of the names
    bool first_ = true;
};

}  // namespace suffice::cli
