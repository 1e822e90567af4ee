// Files opened for a model: which columns are wanted, how they are read, and what is said about the rest.
#pragma once
#include <memory>

#include "suffice/flow/model.hpp"
#include "suffice/flow/table_stream.hpp"

namespace suffice {

inline constexpr std::string_view only_flags = "only 0 and 1";  // why a column is taken as Bernoulli

struct OpenedData {
    std::unique_ptr<TableReader> reader;
    std::unique_ptr<TableStream> stream;
    Schema schema;
    FitOptions options;                 // for fitting: with columns by their names and the model by its own
    std::vector<ColumnChoice> choices;  // for fitting
    std::vector<std::string> notes;
};

// For fitting: kinds and families from a first look and the user's wishes; names grow.
Result<OpenedData> open_for_fit(const std::vector<std::string>& files, const FitOptions& options);

struct ApplyOptions {
    ReadOptions read = {};
    bool need_target = false;            // evaluate, update, forget
    bool allow_missing_columns = false;  // treat them as missing values
    bool names_grow = false;             // update: new classes and levels are welcome
    bool many_passes = false;            // the rows are run through more than once
    std::string weight = {};
    std::vector<std::string> keep = {};  // further columns to be read as words, for output
};

// For scoring and updating: the model's columns by name, in any order; extra ones ignored with a note.
struct AppliedData {
    OpenedData data;
    std::vector<std::uint32_t> kept;  // table columns of ApplyOptions::keep
};
Result<AppliedData> open_for_model(const Model& model, const std::vector<std::string>& files,
                                   const ApplyOptions& options);

// update and forget: the model with, or without, the rows of these files.
Result<Model> update(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context = {});
Result<Model> forget(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context = {});

}  // namespace suffice
