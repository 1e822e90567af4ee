// Real tables for tests, read by the project's own reader: from data/, or from a folder that may be absent.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "suffice/model/recipe.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// Where the data sets are that are not shipped: SUFFICE_DATA, else beside the source.
inline std::filesystem::path data_folder() {
    const char* folder = std::getenv("SUFFICE_DATA");
    return folder != nullptr ? folder : SUFFICE_SOURCE_DIR "/../shared/data";
}

struct RealTable {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;  // empty: one each
    Schema schema;

    std::size_t size() const { return labels.size(); }
    std::size_t width() const { return schema.columns.size(); }
    LabeledBlock block() const {
        const auto stride = static_cast<std::ptrdiff_t>(width());
        return {DenseBlock{values.data(), Element::f64, size(), width(), stride, 1}, labels, weights, 0};
    }
    Block rows() const { return block().rows; }
    RealTable where(const std::function<bool(std::size_t)>& keep) const {
        RealTable some{{}, {}, {}, schema};
        for (std::size_t row = 0; row < size(); ++row) {
            if (!keep(row)) continue;
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * width());
            some.values.insert(some.values.end(), first, first + static_cast<std::ptrdiff_t>(width()));
            some.labels.push_back(labels[row]);
            if (!weights.empty()) some.weights.push_back(weights[row]);
        }
        return some;
    }
    Classifier fit(const Recipe& recipe) const {
        MemoryStream stream(block(), schema);
        return suffice::fit(make_state(recipe, schema).value(), stream).value();
    }
    std::size_t errors(const Classifier& model) const {
        const auto codes = model.predict(rows()).value();
        std::size_t wrong = 0;
        for (std::size_t row = 0; row < size(); ++row) wrong += codes[row] != labels[row];
        return wrong;
    }
};

// The named target columns joined are the class, `leave_out` is not read, everything else is a number. Classes are
// sorted.
inline RealTable read_real(const std::filesystem::path& path, const std::vector<std::string>& target,
                           const std::vector<std::string>& leave_out = {}, ReadOptions options = {}) {
    RealTable table;
    auto reader = open_table({path.string()}, options).value();
    const auto& found = reader->columns();
    const auto in = [](const std::vector<std::string>& list, const std::string& name) {
        return std::ranges::find(list, name) != list.end();
    };
    std::vector<std::uint32_t> numbers, words;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const bool is_target = in(target, found[k].name), out = in(leave_out, found[k].name);
        reader->want(k, !out, is_target ? ColumnKind::category : ColumnKind::number);
        if (is_target) words.push_back(k);
        if (is_target || out) continue;
        numbers.push_back(k);
        table.schema.columns.push_back({found[k].name});
    }
    std::vector<std::string> names;
    TableUnit unit;
    while (reader->draw(unit).value()) {
        reader->decode(unit).value();
        for (std::size_t row = 0; row < unit.row_count; ++row) {
            for (auto k : numbers) table.values.push_back(unit.columns[k].numbers[row]);
            std::string name;
            for (auto k : words) name += unit.columns[k].words[row];
            names.push_back(name);
        }
    }
    std::vector<std::string>& classes = table.schema.classes;
    classes = names;
    std::ranges::sort(classes);
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    if (std::ranges::all_of(classes,
                            [](const auto& name) { return name.find_first_not_of("0123456789") == name.npos; }))
        std::ranges::sort(classes, {}, [](const auto& name) { return std::stoi(name); });
    for (const auto& name : names)
        table.labels.push_back(static_cast<std::int32_t>(std::ranges::find(classes, name) - classes.begin()));
    return table;
}

inline RealTable read_iris() { return read_real(SUFFICE_SOURCE_DIR "/data/iris.csv", {"species"}); }
inline RealTable read_crabs() { return read_real(data_folder() / "crabs/crabs.csv", {"sp", "sex"}, {"index"}); }
inline RealTable read_wine() {
    ReadOptions options;
    options.header = false;
    return read_real(data_folder() / "wine/wine.csv", {"c1"}, {}, options);
}

// First line of a test that needs the folder of real data sets.
#define SUFFICE_NEEDS_DATA(path) \
    if (!std::filesystem::exists(data_folder() / (path))) GTEST_SKIP() << "there is no " << (data_folder() / (path))

}  // namespace suffice
