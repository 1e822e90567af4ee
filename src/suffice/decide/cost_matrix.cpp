// Building cost matrices from numbers, from inline text and from a CSV table.
#include "suffice/decide/cost_matrix.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace suffice {

namespace {

constexpr std::string_view reject_name = "reject";
constexpr double unset = std::numeric_limits<double>::quiet_NaN();

Error wrong_costs(std::string sentence) { return Error(ErrorKind::usage, std::move(sentence)); }

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Splits at `separator` outside of double quotes, which stay in the pieces.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    bool quoted = false;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '"') quoted = !quoted;
        if (at == text.size() || (text[at] == separator && !quoted)) {
            pieces.push_back(text.substr(start, at - start));
            start = at + 1;
        }
    }
    return pieces;
}

std::string unquoted(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
    std::string name;
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        if (text[at] == '"' && text[at + 1] == '"' && at + 2 < text.size()) ++at;
        name += text[at];
    }
    return name;
}

std::optional<double> number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string list(const std::vector<std::string>& classes) {
    std::string text;
    for (std::size_t each = 0; each < std::min<std::size_t>(classes.size(), 10); ++each) {
        if (each > 0) text += ", ";
        text += classes[each];
    }
    return classes.size() > 10 ? text + ", ..." : text;
}

Result<std::size_t> find(const std::vector<std::string>& classes, const std::string& name) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end()) {
        return wrong_costs("The costs name the class \"" + name + "\", but the classes are " + list(classes) + ".");
    }
    return static_cast<std::size_t>(found - classes.begin());
}

// A decision may also be `reject`, which stands after the classes.
Result<std::size_t> find_decision(const std::vector<std::string>& classes, const std::string& name) {
    auto found = find(classes, name);
    if (!found && name == reject_name) return classes.size();
    return found;
}

Error bad_number(std::string_view text) {
    return wrong_costs("The cost \"" + std::string(trimmed(text)) + "\" is not a finite number.");
}

// From truth x (classes + 1) with `unset` for what was not said.
Result<CostMatrix> finish(const std::vector<std::string>& classes, const std::vector<double>& wide) {
    const std::size_t count = classes.size();
    std::size_t reject_count = 0;
    for (std::size_t truth = 0; truth < count; ++truth) reject_count += !std::isnan(wide[truth * (count + 1) + count]);
    if (reject_count != 0 && reject_count != count) {
        return wrong_costs("Rejecting has a cost under some classes only; give reject=COST for the others.");
    }
    std::vector<double> values;
    for (std::size_t truth = 0; truth < count; ++truth) {
        const auto row = wide.begin() + static_cast<std::ptrdiff_t>(truth * (count + 1));
        values.insert(values.end(), row, row + static_cast<std::ptrdiff_t>(reject_count > 0 ? count + 1 : count));
    }
    return make_cost_matrix(classes, std::move(values));
}

}  // namespace

Result<CostMatrix> make_cost_matrix(std::vector<std::string> classes, std::vector<double> values) {
    const std::size_t count = classes.size();
    if (count < 2) return wrong_costs("A cost matrix needs at least two classes.");
    if (values.size() != count * count && values.size() != count * (count + 1)) {
        return wrong_costs("The cost matrix holds " + std::to_string(values.size()) + " numbers; " +
                           std::to_string(count) + " classes need " + std::to_string(count * count) + ", or " +
                           std::to_string(count * (count + 1)) + " with the cost of rejecting.");
    }
    for (const double value : values) {
        if (!std::isfinite(value))
            return wrong_costs("A cost is " + std::to_string(value) + "; costs must be finite numbers.");
    }
    return CostMatrix{std::move(classes), std::move(values)};
}

Result<CostMatrix> parse_cost_matrix(const std::vector<std::string>& classes, std::string_view text) {
    const std::size_t count = classes.size(), width = count + 1;
    std::vector<double> wide(count * width, 1.0);
    double reject_always = unset;
    for (std::size_t truth = 0; truth < count; ++truth) {
        wide[truth * width + truth] = 0;
        wide[truth * width + count] = unset;
    }
    for (const std::string_view entry : split(text, ',')) {
        const auto sides = split(entry, '=');
        const auto names = split(sides[0], ':');
        const bool reject_alone = names.size() == 1 && unquoted(names[0]) == reject_name;
        if (sides.size() != 2 || (names.size() != 2 && !reject_alone)) {
            return wrong_costs("The cost \"" + std::string(trimmed(entry)) +
                               "\" is not of the form TRUTH:DECISION=COST or reject=COST.");
        }
        const auto value = number(sides[1]);
        if (!value) return bad_number(sides[1]);
        if (reject_alone) {
            reject_always = *value;
            continue;
        }
        const auto truth = find(classes, unquoted(names[0]));
        if (!truth) return truth.error();
        const auto decision = find_decision(classes, unquoted(names[1]));
        if (!decision) return decision.error();
        wide[*truth * width + *decision] = *value;
    }
    for (std::size_t truth = 0; truth < count; ++truth) {
        double& reject = wide[truth * width + count];
        if (std::isnan(reject)) reject = reject_always;
    }
    return finish(classes, wide);
}

Result<CostMatrix> parse_cost_table(const std::vector<std::string>& classes, std::string_view csv) {
    if (csv.starts_with("\xEF\xBB\xBF")) csv.remove_prefix(3);
    const std::size_t count = classes.size(), width = count + 1;
    std::vector<double> wide(count * width, unset);
    std::vector<std::size_t> decisions;
    std::vector<bool> seen(count);
    std::size_t line_number = 0;
    for (const std::string_view line : split(csv, '\n')) {
        ++line_number;
        if (trimmed(line).empty()) continue;
        const auto cells = split(line, ',');
        if (decisions.empty()) {
            for (std::size_t cell = 1; cell < cells.size(); ++cell) {
                const auto decision = find_decision(classes, unquoted(cells[cell]));
                if (!decision) return Error(decision.error()).at_row(line_number);
                if (std::find(decisions.begin(), decisions.end(), *decision) != decisions.end()) {
                    return wrong_costs("The decision \"" + unquoted(cells[cell]) + "\" stands twice in the header.")
                        .at_row(line_number);
                }
                decisions.push_back(*decision);
            }
            if (decisions.empty()) return wrong_costs("The cost table's header names no decision.").at_row(line_number);
            continue;
        }
        const auto truth = find(classes, unquoted(cells[0]));
        if (!truth) return Error(truth.error()).at_row(line_number);
        if (seen[*truth]) {
            return wrong_costs("The truth \"" + classes[*truth] + "\" has two rows of costs.").at_row(line_number);
        }
        seen[*truth] = true;
        if (cells.size() != decisions.size() + 1) {
            return wrong_costs("The row has " + std::to_string(cells.size() - 1) + " costs for " +
                               std::to_string(decisions.size()) + " decisions.")
                .at_row(line_number);
        }
        for (std::size_t cell = 1; cell < cells.size(); ++cell) {
            const auto value = number(cells[cell]);
            if (!value) return bad_number(cells[cell]).at_row(line_number);
            wide[*truth * width + decisions[cell - 1]] = *value;
        }
    }
    for (std::size_t code = 0; code < count; ++code) {
        if (std::find(decisions.begin(), decisions.end(), code) == decisions.end()) {
            return wrong_costs("The cost table has no column for the decision \"" + classes[code] + "\".");
        }
        if (!seen[code]) return wrong_costs("The cost table has no row for the truth \"" + classes[code] + "\".");
    }
    return finish(classes, wide);
}

}  // namespace suffice
