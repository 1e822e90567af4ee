// Rows of a family, and what pictures of them share.
#pragma once
#include <string>
#include <vector>

#include "suffice/family/handle.hpp"
#include "suffice/report/lesson_figures.hpp"
#include "suffice/show/plot.hpp"

namespace suffice {

// The rows of one column, or of all columns of a family of vectors, in the order of the files.
struct FamilyTable {
    FamilyHandle family;
    Schema names;
    std::vector<double> values;  // row by row

    std::size_t row_count() const { return values.size() / family->value_size(); }
    Result<FamilyStatistic> first(std::size_t rows) const {
        return family->observe(std::span(values).first(rows * family->value_size()));
    }
};

// The prior that was asked for, or the family's own.
Result<Record> prior_for(const AnyFamily& family, const PlotOptions& options);

// The panels as a picture and as JSON.
Plotted finished(std::string title, std::string words, const std::vector<LessonPanel>& panels);

// The rows of one column as bars, and over them each family at the parameter of maximum likelihood and, where it has a
// prior, its posterior predictive.
Result<Plotted> histogram_picture(const std::vector<FamilyTable>& tables, const PlotOptions& options);

}  // namespace suffice
