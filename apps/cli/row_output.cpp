// Lines of CSV to records of JSON: what is measured is a number, what is named is text, nothing is null.
#include "cli/row_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "suffice/report/json_text.hpp"

namespace suffice::cli {
namespace {

constexpr std::array<std::string_view, 6> measures{"log_evidence", "log_density", "cluster",
                                                   "probability",  "row",         "log_likelihood"};

bool is_measure(std::string_view name) {
    return name.starts_with("p(") || name.starts_with("p_") || std::ranges::find(measures, name) != measures.end();
}

// The cells of the next line, which is taken off the front; quotes as RFC 4180 has them.
std::vector<std::string> take_line(std::string_view& lines) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    std::size_t at = 0;
    for (; at < lines.size() && (quoted || lines[at] != '\n'); ++at) {
        if (lines[at] == '"') {
            if (quoted && at + 1 < lines.size() && lines[at + 1] == '"')
                cells.back() += lines[at++];
            else
                quoted = !quoted;
        } else if (lines[at] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += lines[at];
        }
    }
    lines.remove_prefix(std::min(at + 1, lines.size()));
    return cells;
}

void add(JsonText& json, std::string_view name, bool is_number, const std::string& cell) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (cell.empty()) return json.number(name, value);
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (is_number && read.ptr == cell.data() + cell.size()) return json.number(name, value);
    json.text(name, cell);
}

}  // namespace

Result<void> RowOutput::write(std::string_view lines) {
    if (!as_json_) return output_.write(lines);
    std::string text;
    while (!lines.empty()) {
        const auto cells = take_line(lines);
        if (names_.empty()) {
            names_ = cells;
            for (const auto& name : names_)
                is_number_.push_back(is_measure(name) || std::ranges::find(numbers_, name) != numbers_.end());
            text += '[';
            continue;
        }
        JsonText json;
        json.open_record();
        for (std::size_t k = 0; k < std::min(cells.size(), names_.size()); ++k)
            add(json, names_[k], is_number_[k], cells[k]);
        json.close();
        std::string record = json.take();
        while (record.ends_with('\n')) record.pop_back();
        text += (first_ ? "" : ", ") + record;
        first_ = false;
    }
    return output_.write(text);
}

Result<void> RowOutput::finish(std::string_view behind) {
    if (as_json_)
        if (auto written = output_.write("]" + std::string(behind)); !written) return written;
    return output_.finish();
}

}  // namespace suffice::cli
