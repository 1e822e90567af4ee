// What has changed between two sets of rows, told from their statistics alone: the shares of the classes, and each
// column over all classes and within each.
#pragma once
#include <string>

#include "suffice/compare/change.hpp"
#include "suffice/model/model_statistic.hpp"

namespace suffice {

struct ClassShare {
    std::string name;
    double before = 0, after = 0;
    bool operator==(const ClassShare&) const = default;
};

struct ColumnDrift {
    struct OfClass {
        std::string name;
        Change change;
        double adjusted_p_value = 1;  // for all columns and classes
        bool operator==(const OfClass&) const = default;
    };
    std::string column;
    Change change;
    double adjusted_p_value = 1;          // for all columns
    std::optional<double> before, after;  // means of numbers
    std::string level;                    // of categories: the one whose share changed most
    double level_before = 0, level_after = 0;
    std::vector<OfClass> by_class;  // classes of which both have rows
    bool operator==(const ColumnDrift&) const = default;
};

struct Drift {
    double rows_before = 0, rows_after = 0;
    std::optional<Change> classes;  // nothing: one side knows no classes
    std::vector<ClassShare> shares;
    std::vector<ColumnDrift> columns;         // most changed first
    std::vector<std::string> not_compared;    // columns that only one side has, or that are kept in different forms
    std::optional<double> accuracy_before;    // of the first model on rows like its own
    std::optional<double> expected_accuracy;  // of the first model on rows like the second's
    bool operator==(const Drift&) const = default;
};

// Columns are found by name. `after` may be of rows whose class is not known: then its one class is none of `before`'s.
Drift drift_between(const ModelStatistic& before, const ModelStatistic& after);

}  // namespace suffice
