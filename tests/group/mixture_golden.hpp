// Reads the rows and answers that tools/goldens/mixture.py wrote.
#pragma once
#include "model/labeled_table.hpp"

namespace suffice::testing_rows {

struct GoldenRows {
    Matrix rows, queries;
    Schema schema;
    LabeledBlock block() const {
        return {DenseBlock{rows.values.data(), Element::f64, rows.row_count, 4, 4, 1}, {}, {}, 0};
    }
};

inline GoldenRows mixture_rows() {
    GoldenRows golden;
    for (const auto& cells : csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/mixture_rows.csv")) {
        Matrix& into = cells[0] == "row" ? golden.rows : golden.queries;
        into.column_count = 4;
        ++into.row_count;
        for (std::size_t at = 1; at < cells.size(); ++at)
            into.values.push_back(std::strtod(cells[at].c_str(), nullptr));
    }
    for (const char* name : {"a", "b", "c", "d"}) golden.schema.columns.push_back({name});
    return golden;
}

// By case and quantity.
inline std::map<std::string, std::vector<double>> mixture_answers() {
    std::map<std::string, std::vector<double>> answers;
    for (const auto& cells : csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/mixture_values.csv"))
        for (std::size_t at = 2; at < cells.size(); ++at)
            answers[cells[0] + " " + cells[1]].push_back(std::strtod(cells[at].c_str(), nullptr));
    return answers;
}

}  // namespace suffice::testing_rows
