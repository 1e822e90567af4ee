// Reads the rows and answers that tools/goldens/discriminant.py wrote.
#pragma once
#include "model/labeled_table.hpp"

namespace suffice::testing_rows {

inline std::map<std::string, LabeledTable> discriminant_cases() {
    std::map<std::string, LabeledTable> result;
    for (const auto& cells : csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/discriminant_rows.csv")) {
        LabeledTable& into = result[cells[0]];
        into.labels.push_back(std::atoi(cells[1].c_str()));
        if (into.schema.columns.empty())
            into.name_numbers(cells.size() - 2, cells[0] == "few" || cells[0] == "constant" ? 2 : 3);
        for (std::size_t at = 2; at < cells.size(); ++at)
            into.values.push_back(std::strtod(cells[at].c_str(), nullptr));
    }
    return result;
}

// By case and quantity: lines of values.
inline std::map<std::string, std::vector<std::vector<double>>> discriminant_answers() {
    std::map<std::string, std::vector<std::vector<double>>> result;
    for (const auto& cells : csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/discriminant_values.csv")) {
        auto& line = result[cells[0] + " " + cells[1]].emplace_back();
        for (std::size_t at = 3; at < cells.size(); ++at) line.push_back(std::strtod(cells[at].c_str(), nullptr));
    }
    return result;
}

}  // namespace suffice::testing_rows
