// Files opened for a model: which columns are wanted, how they are read, and what is said about the rest.
#pragma once
#include <memory>

#include "suffice/encode/data.hpp"
#include "suffice/encode/table_stream.hpp"
#include "suffice/flow/column_notes.hpp"
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

struct OpenedData {
    std::unique_ptr<TableReader> reader;
    std::unique_ptr<TableStream> stream;
    Schema schema;
    FitOptions options;                 // for fitting: with columns by their names and the model by its own
    std::vector<ColumnChoice> choices;  // for fitting
    std::vector<Note> notes;
    ColumnNotes column_notes = {};  // gathered, until they are told among the notes
};

// For fitting: kinds and families from a first look and the user's wishes; names grow.
Result<OpenedData> open_for_fit(const Data& data, const FitOptions& options);
// The same of rows that are open already; levels that `declared` columns have exist whether seen or not.
Result<OpenedData> open_for_fit(std::unique_ptr<TableReader> reader, const FitOptions& options,
                                const std::vector<Column>& declared);

struct ApplyOptions {
    ReadOptions read = {};
    bool need_target = false;            // evaluate, update, forget
    bool allow_missing_columns = false;  // treat them as missing values
    bool names_grow = false;             // update: new classes and levels are welcome
    bool many_passes = false;            // the rows are run through more than once
    bool one_class = false;              // every row is of the first class; there is no target
    bool nameless_class = false;         // where there is no target, all rows are of one class without a name
    std::string weight = {};
    WeightKind weight_kind = WeightKind::frequency;
    std::vector<std::string> keep = {};  // further columns to be read as words, for output
};

// For scoring and updating: the model's columns by name, in any order; extra ones ignored with a note.
struct AppliedData {
    OpenedData data;
    std::vector<std::uint32_t> kept;  // table columns of ApplyOptions::keep
};
Result<AppliedData> open_for_names(const Schema& names, const Data& data, const ApplyOptions& options);
// The same of rows that are open already.
Result<AppliedData> open_for_names(const Schema& names, std::unique_ptr<TableReader> reader,
                                   const ApplyOptions& options);
Result<AppliedData> open_for_model(const Model& model, const Data& data, const ApplyOptions& options);

const std::string& first_file(const TableReader& reader);
bool puts_day_first(const FoundColumn& dates, const ReadOptions& read);  // as is known, else as the example has it
Error weight_is_target(const std::string& column);
Result<void> take_importance(OpenedData& opened);  // before rows are drawn

}  // namespace suffice
