// Numbers with names that were asked for by themselves: what a function or a distribution comes to.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "suffice/base/record.hpp"

namespace suffice {

struct Calculation {
    struct Entry {
        std::string name;
        std::vector<double> values;
        enum class Form : unsigned char { number, list, matrix } form = Form::number;
        std::size_t columns = 0;  // of a matrix
    };
    std::vector<Entry> entries;

    void number(std::string name, double value);
    void list(std::string name, std::vector<double> values);
    void matrix(std::string name, std::vector<double> values, std::size_t columns);
    void record(const Record& told);  // each entry by its name; covariances as matrices
};

// "3", "1, 2", "[[1, 0], [0, 1]]": a matrix as it may be written.
std::string entry_text(const Calculation::Entry& entry);
std::string record_line(const Record& told);  // "mean 1, 2, covariance [[1, 0], [0, 1]]"

std::string calculation_text(const Calculation& calculation);
std::string calculation_json(const Calculation& calculation);

}  // namespace suffice
