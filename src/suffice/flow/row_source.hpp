// Rows to learn from, wherever they come from: all that fitting and comparing need to know of files and of memory.
#pragma once
#include <memory>
#include <span>

#include "suffice/encode/table.hpp"
#include "suffice/flow/open_data.hpp"

namespace suffice {

class RowSource {
public:
    virtual ~RowSource() = default;
    virtual const Schema& schema() const = 0;  // what is known before the first pass
    virtual Stream& rows() = 0;                // of the first pass, in which names may grow
    // The same rows for further passes, under names that are all known by now; held in memory where they are few.
    virtual Result<std::unique_ptr<Stream>> under(const Schema& names, const Context& context) = 0;
    virtual std::vector<std::string> files() const { return {}; }
    virtual std::vector<Note> notes() const { return {}; }  // what must be said of the rows once they are read
    // Where the user finds the row that an error counts, or that `recipe` refuses.
    virtual Error at_row(Error error);
    virtual Error at_refused_row(Error error, const ModelState& recipe);
};

// Of files: the opened data must outlive the source.
std::unique_ptr<RowSource> rows_of_files(OpenedData& opened);

// What is known of rows in memory beside their values.
struct RowLabels {
    const std::vector<std::string>& names;  // of the class of each row; empty: not known
    std::span<const double> weights = {};   // empty: one each
    std::string target = {};
};
// Of memory, which must outlive the source; `columns` say what the block holds, and codes of levels mean theirs.
Result<std::unique_ptr<RowSource>> rows_of_memory(const Block& rows, std::vector<Column> columns,
                                                  const RowLabels& labels);
Result<std::unique_ptr<RowSource>> rows_of_memory(const Table& table, const RowLabels& labels);

}  // namespace suffice
