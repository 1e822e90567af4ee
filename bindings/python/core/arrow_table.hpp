// Tables that speak the Arrow C data interface (pyarrow, polars, DuckDB, pandas): read where they lie, chunk by chunk,
// with their dictionaries and bitmaps of what is missing. Only words that have no dictionary are coded into new memory.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <nanobind/nanobind.h>

#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"

struct ArrowSchema;
struct ArrowArray;

namespace suffice::python {

namespace nb = nanobind;

class ArrowTable {
public:
    explicit ArrowTable(nb::handle exporter);  // has __arrow_c_stream__ or __arrow_c_array__

    const std::vector<Column>& columns() const { return columns_; }
    std::size_t row_count() const;
    std::size_t chunk_count() const { return chunks_.size(); }
    // One column of one chunk; codes of categories mean columns()[column].levels.
    ColumnView view(std::size_t chunk, std::size_t column) const { return views_[chunk][column]; }
    std::size_t rows_of_chunk(std::size_t chunk) const;

private:
    struct Release {  // gives the memory back to whoever lent it
        void operator()(ArrowSchema* held) const;
        void operator()(ArrowArray* held) const;
    };
    struct Levels {
        std::unordered_map<std::string, std::int32_t> code;
        std::int32_t add(std::string name, Column& into);
    };
    void take_stream(nb::handle exporter);
    void take_array(nb::handle exporter);
    void read();
    void describe(std::size_t column, const ArrowSchema& type);
    ColumnView read_column(std::size_t column, const ArrowArray& chunk);
    ColumnView read_words(std::size_t column, const ArrowArray& chunk);
    ColumnView read_dictionary(std::size_t column, const ArrowArray& chunk);
    ColumnView converted_column(std::size_t column, const ArrowArray& chunk);

    std::unique_ptr<ArrowSchema, Release> schema_;
    std::vector<std::unique_ptr<ArrowArray, Release>> chunks_;
    std::vector<Column> columns_;
    std::vector<Levels> levels_;
    std::vector<std::vector<ColumnView>> views_;   // chunk, then column
    std::deque<std::vector<std::int32_t>> codes_;  // of words, and what dictionary codes mean
    std::deque<std::vector<double>> numbers_;      // of types that no Element stands for
};

// Some columns of a table, in an order, with categories as codes of a model's levels.
class ArrowRows {
public:
    // levels: by column, of the model; empty: the table's own.
    ArrowRows(std::shared_ptr<ArrowTable> table, const std::vector<std::size_t>& which,
              const std::vector<std::vector<std::string>>& levels);
    const std::vector<Block>& blocks() const { return blocks_; }

private:
    std::shared_ptr<const ArrowTable> table_;
    std::deque<std::vector<ColumnView>> views_;
    std::deque<std::vector<std::int32_t>> codes_;
    std::vector<Block> blocks_;
};

}  // namespace suffice::python
