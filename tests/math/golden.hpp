// Reads a golden CSV and compares numbers by relative error, for the tests of this folder.
#pragma once
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace suffice::testing {

using GoldenRow = std::map<std::string, std::string>;

inline std::vector<GoldenRow> read_golden(const std::string& name) {
    std::ifstream file(std::string(SUFFICE_SOURCE_DIR) + "/tests/goldens/" + name);
    std::vector<std::string> header;
    std::vector<GoldenRow> rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        std::vector<std::string> row;
        for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
        if (header.empty()) {
            header = row;
            continue;
        }
        GoldenRow named;
        for (std::size_t i = 0; i < header.size(); ++i) named[header[i]] = row.at(i);
        rows.push_back(named);
    }
    EXPECT_FALSE(rows.empty()) << name << " is missing or empty";
    return rows;
}

// std::stod would throw on denormal numbers.
inline double number(const GoldenRow& row, const std::string& column) {
    return std::strtod(row.at(column).c_str(), nullptr);
}

// Denormal values have fewer digits: they may differ by a few of their units.
inline void expect_close(double value, double expected, double relative, const std::string& what) {
    if (std::isinf(expected) || std::isnan(expected)) {
        EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << what << " is " << value;
        return;
    }
    EXPECT_LE(std::abs(value - expected), relative * std::abs(expected) + 2e-323)
        << what << " is " << value << ", should be " << expected << ", relative error "
        << std::abs(value - expected) / std::abs(expected);
}

}  // namespace suffice::testing
