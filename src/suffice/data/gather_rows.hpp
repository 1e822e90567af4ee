// Chosen rows of a block as a block of their own, words included.
#pragma once
#include <memory>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

// Holds what the block it returns points to, until the next call.
class RowGatherer {
public:
    // `levels`: new codes of each column's levels and words (none: as they are); dropped levels become unseen ones,
    // dropped words are left out.
    Block gather(const Block& from, std::span<const std::size_t> rows, std::span<const CodeMap> levels = {});

private:
    struct Words {
        std::vector<std::int64_t> row_start;
        std::vector<std::uint32_t> column;
        std::vector<double> value;
        std::vector<std::uint8_t> validity;

        SparseBlock take(const SparseBlock& from, std::span<const std::size_t> rows, const CodeMap* words);
    };
    std::vector<double> values_;
    std::vector<std::vector<double>> column_values_;
    std::vector<std::unique_ptr<Words>> words_;
    std::vector<ColumnView> views_;
};

}  // namespace suffice
