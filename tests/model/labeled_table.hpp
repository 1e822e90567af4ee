// Labelled rows in memory, for tests that fit models to them.
#pragma once
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "suffice/model/recipe.hpp"

namespace suffice::testing_rows {

struct LabeledTable {
    std::vector<double> values;  // row after row
    std::vector<std::int32_t> labels;
    std::vector<double> weights;  // empty: one
    Schema schema;

    LabeledBlock block() const {
        const auto width = static_cast<std::ptrdiff_t>(schema.columns.size());
        return {DenseBlock{values.data(), Element::f64, labels.size(), schema.columns.size(), width, 1}, labels,
                weights, 0};
    }
    Block rows() const { return block().rows; }
    void name_numbers(std::size_t columns, std::size_t classes) {
        for (std::size_t k = 0; k < columns; ++k) schema.columns.push_back({"x" + std::to_string(k)});
        for (std::size_t c = 0; c < classes; ++c) schema.classes.push_back("c" + std::to_string(c));
    }
};

inline Result<Classifier> fit_table(const LabeledTable& table, const Recipe& recipe, unsigned threads = 1) {
    const auto state = make_state(recipe, table.schema);
    if (!state) return state.error();
    MemoryStream stream(table.block(), table.schema);
    Context context;
    context.thread_count = threads;
    return fit(*state, stream, context);
}

inline Matrix log_joints(const Classifier& model, const Block& rows) {
    Matrix joint(row_count(rows), model.class_count());
    ScoreSink sink;
    sink.form = ScoreSink::Form::log_joint;
    sink.scores = joint.values.data();
    sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
    model.score(rows, sink, {}).value();
    return joint;
}

inline std::vector<std::vector<std::string>> csv_lines(const std::string& path) {
    std::ifstream stream(path);
    std::vector<std::vector<std::string>> result;
    std::string line, cell;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
        std::istringstream cells(line);
        result.emplace_back();
        while (std::getline(cells, cell, ',')) result.back().push_back(cell);
    }
    return result;
}

}  // namespace suffice::testing_rows
