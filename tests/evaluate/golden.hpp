// Reads the rows and values that tools/goldens/evaluate.py wrote.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "suffice/evaluate/posterior_rows.hpp"

namespace suffice::golden {

struct Case {
    std::size_t class_count = 0;
    std::vector<std::int32_t> truths;
    std::vector<double> weights, posteriors;

    PosteriorRows rows() const { return {posteriors, class_count, truths, weights}; }
    PosteriorRows rows(std::size_t first, std::size_t count) const {
        return {std::span(posteriors).subspan(first * class_count, count * class_count), class_count,
                std::span(truths).subspan(first, count), std::span(weights).subspan(first, count)};
    }
};

struct Value {
    std::string name;
    std::size_t index = 0;
    std::optional<double> value;
};

inline std::vector<std::vector<std::string>> lines(const std::string& file) {
    std::ifstream stream(std::string(SUFFICE_SOURCE_DIR "/tests/goldens/") + file);
    if (!stream) throw std::runtime_error("missing " + file);
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

inline std::map<std::string, Case> cases() {
    std::map<std::string, Case> result;
    for (const auto& cells : lines("evaluate_rows.csv")) {
        Case& into = result[cells[0]];
        into.class_count = cells.size() - 3;
        into.truths.push_back(std::atoi(cells[1].c_str()));
        into.weights.push_back(std::strtod(cells[2].c_str(), nullptr));
        for (std::size_t at = 3; at < cells.size(); ++at) {
            into.posteriors.push_back(std::strtod(cells[at].c_str(), nullptr));
        }
    }
    return result;
}

inline std::map<std::string, std::vector<Value>> values(const std::string& file) {
    std::map<std::string, std::vector<Value>> result;
    for (const auto& cells : lines(file)) {
        std::optional<double> value;
        if (cells.size() > 3) value = std::strtod(cells[3].c_str(), nullptr);
        result[cells[0]].push_back({cells[1], static_cast<std::size_t>(std::atoi(cells[2].c_str())), value});
    }
    return result;
}

}  // namespace suffice::golden
