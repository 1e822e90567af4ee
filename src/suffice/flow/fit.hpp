// Models fitted to files or to rows in memory.
#pragma once
#include "suffice/encode/data.hpp"
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

class RowSource;  // flow/row_source.hpp

// From files in constant memory, or from rows in memory with the name of a class for each row (empty: not known).
Result<Model> fit(const Data& data, const FitOptions& options, const Context& context = {});
// The columns of a block are numbers, or what FitOptions::columns declares: codes of levels, say.
Result<Model> fit(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context = {});
Result<Model> fit(const Block& x, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context = {});
Result<Model> fit(const Table& table, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context = {});
Result<Model> fit(const Table& table, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context = {});

// From rows that are open already, such as those of an Arrow stream.
Result<Model> fit(std::unique_ptr<TableReader> rows, const FitOptions& options, const Context& context = {});

// A sum over labelled rows as the model that its users get: at least two classes, whole numbers told as such.
Result<Model> finish_sum(ModelFile sum, std::vector<Note> notes = {});

// What all of them end in: a first pass that finds the names, further ones where the model takes them, and the notes.
Result<Model> fit(RowSource& source, const FitOptions& options, std::vector<Note> notes, const Context& context);

}  // namespace suffice
