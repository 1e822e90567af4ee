// Rows of results on their way out: CSV as it comes, or for --json the same rows as records.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.hpp"

namespace suffice::cli {

class RowOutput {
public:
    // `numbers`: columns whose cells are numbers in JSON, besides those that we measure.
    RowOutput(Output& output, bool as_json, std::vector<std::string> numbers = {})
        : output_(output), as_json_(as_json), numbers_(std::move(numbers)) {}
    Result<void> write(std::string_view lines);           // whole lines; the first one is the header
    Result<void> finish(std::string_view behind = "\n");  // behind the records

private:
    Output& output_;
    bool as_json_;
    std::vector<std::string> numbers_, names_;
    std::vector<bool> is_number_;  // of the names
    bool first_ = true;
};

}  // namespace suffice::cli
