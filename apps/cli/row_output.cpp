// Lines of CSV to records of JSON: what is measured is a number, what is named is text, nothing is null.
#include "cli/row_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"

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

bool is_number(std::string_view cell) {
    double value = 0;
    if (cell.starts_with('+')) cell.remove_prefix(1);
    const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return problem == std::errc{} && end == cell.data() + cell.size();
}

// A spreadsheet takes a cell that begins so for a formula, unless a quote stands in front of it.
bool looks_like_formula(std::string_view cell) {
    constexpr std::string_view beginnings = "=+-@\t\r";
    return !cell.empty() && beginnings.find(cell[0]) != std::string_view::npos && !is_number(cell);
}

// The same lines with formulas made words.
std::string without_formulas(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const auto cells = take_line(lines);
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k > 0) text += ',';
            append_cell(text, looks_like_formula(cells[k]) ? "'" + cells[k] : cells[k]);
        }
        if (cells.size() == 1 && cells[0].empty()) text += "\"\"";  // a line with nothing on it is no row
        text += '\n';
    }
    return text;
}

}  // namespace

Result<RowOutput::Form> RowOutput::form_of(const Arguments& arguments) {
    if (!arguments.has("--spreadsheet")) return arguments.has("--json") ? Form::json : Form::csv;
    if (!arguments.has("--json")) return Form::spreadsheet_csv;
    return Error(ErrorKind::usage, "--spreadsheet is for CSV, and --json writes none; give one of them");
}

Result<void> RowOutput::write(std::string_view lines) {
    if (form_ == Form::csv) return output_.write(lines);
    if (form_ == Form::spreadsheet_csv) return output_.write(without_formulas(lines));
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
    if (form_ == Form::json)
        if (auto written = output_.write("]" + std::string(behind)); !written) return written;
    return output_.finish();
}

}  // namespace suffice::cli
