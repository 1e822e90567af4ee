// Fits to rows that lie in parts, each wherever it is: what all parts agree on, the statistics of one, all of them
// merged. What lies between is bytes, which anybody may carry.
#pragma once
#include <memory>

#include "suffice/data/block_tree.hpp"
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/flow/open_data.hpp"

namespace suffice {

// What a first look at some of the rows decides, so that no part decides otherwise: kinds of columns, families,
// settings.
struct PartsPlan {
    ModelFile blank;     // the recipe of the first pass, which has seen nothing
    FitOptions options;  // with columns by their names and the model by its own
    std::vector<Note> notes;
};
Result<PartsPlan> plan_parts(std::unique_ptr<TableReader> some_rows, const FitOptions& options);
Result<PartsPlan> plan_parts(const std::vector<std::string>& files, const FitOptions& options);

// What the rows of a part are read for: classes and levels may be new.
Result<AppliedData> open_part(const ModelFile& blank, std::unique_ptr<TableReader> rows, const FitOptions& options);

// Only of models that one pass fits; an Error names what to do with others.
Result<void> check_one_pass(const FitOptions& options);
// Rows without a class, a single class and no rows at all are welcome: other parts have more.
Result<ModelFile> statistics_of(const ModelFile& blank, std::unique_ptr<TableReader> rows, const FitOptions& options,
                                const Context& context = {});
// As if of one part. The order counts for the last digits, and neighbours may have been merged before: in runs of 2, 4,
// 8 ... from the first, the bits are the same.
Result<ModelFile> merge_parts(std::vector<ModelFile> parts);

// The same for rows whose place among all rows is known: sums of their blocks, which together have the bits of a fit to
// all rows, however they were cut into parts. A part starts where a block does and ends with one, but for the last.
using PartSums = std::vector<BlockSum<ModelFile>>;
Result<PartSums> block_statistics_of(const ModelFile& blank, std::unique_ptr<TableReader> rows, std::uint64_t first_row,
                                     const FitOptions& options, const Context& context = {});
Result<PartSums> merge_sums(PartSums sums);  // those that are neighbours, on the way
Result<ModelFile> merge_all(PartSums sums);  // at the end

}  // namespace suffice
