// Rows of results on their way out: CSV as it comes, or for --json the same rows as records.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"

namespace suffice::cli {

class RowOutput {
public:
    RowOutput(Output& output, bool as_json) : output_(output), as_json_(as_json) {}
    Result<void> write(std::string_view lines);  // whole lines; the first one is the header
    Result<void> finish();

private:
    Output& output_;
    bool as_json_;
    std::vector<std::string> names_;
    bool first_ = true;
};

}  // namespace suffice::cli
