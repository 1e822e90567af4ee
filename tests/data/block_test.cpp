// Blocks of every layout give the same rows.
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/data/rows_of.hpp"
#include "suffice/data/stream.hpp"

namespace suffice {
namespace {

constexpr std::size_t row_total = 5, column_total = 3;
double expected(std::size_t row, std::size_t column) { return static_cast<double>(row * 10 + column); }

void expect_rows(const Block& block, const std::vector<std::uint32_t>& columns) {
    std::vector<double> scratch;
    const kernel::Rows rows = rows_of(block, columns, scratch);
    ASSERT_EQ(rows.row_count, row_total);
    ASSERT_EQ(rows.column_count, columns.size());
    for (std::size_t row = 0; row < row_total; ++row)
        for (std::size_t k = 0; k < columns.size(); ++k) {
            EXPECT_EQ(rows.row(row)[k], expected(row, columns[k]));
            EXPECT_EQ(value_at(block, row, columns[k]), expected(row, columns[k]));
        }
}

const std::vector<std::vector<std::uint32_t>> choices{{0, 1, 2}, {1, 2}, {2, 0}, {1}};

template <class T>
void check_layouts(Element element) {
    std::vector<T> by_row(row_total * column_total), by_column(row_total * column_total),
        backwards(row_total * column_total);
    for (std::size_t row = 0; row < row_total; ++row)
        for (std::size_t column = 0; column < column_total; ++column) {
            by_row[row * column_total + column] = static_cast<T>(expected(row, column));
            by_column[column * row_total + row] = static_cast<T>(expected(row, column));
            backwards[(row_total - 1 - row) * column_total + column] = static_cast<T>(expected(row, column));
        }
    for (const auto& columns : choices) {
        expect_rows(DenseBlock{by_row.data(), element, row_total, column_total, 3, 1}, columns);
        expect_rows(DenseBlock{by_column.data(), element, row_total, column_total, 1, 5}, columns);
        expect_rows(DenseBlock{backwards.data() + 12, element, row_total, column_total, -3, 1}, columns);
    }
}

TEST(Block, EveryElementTypeAndStrideGivesTheSameRows) {
    check_layouts<double>(Element::f64);
    check_layouts<float>(Element::f32);
    check_layouts<std::int64_t>(Element::i64);
    check_layouts<std::int32_t>(Element::i32);
    check_layouts<std::int16_t>(Element::i16);
    check_layouts<std::int8_t>(Element::i8);
    check_layouts<std::uint64_t>(Element::u64);
    check_layouts<std::uint32_t>(Element::u32);
    check_layouts<std::uint16_t>(Element::u16);
    check_layouts<std::uint8_t>(Element::u8);
}

TEST(Block, SparseRowsAreZeroWhereNothingIsWritten) {
    const std::vector<std::int64_t> start{0, 2, 2, 3};
    const std::vector<std::uint32_t> column{0, 2, 1};
    const std::vector<double> value{4, 5, 6};
    const Block block = SparseBlock{start, column, value, 3};
    std::vector<double> scratch;
    const std::vector<std::uint32_t> all{0, 1, 2};
    const auto rows = rows_of(block, all, scratch);
    const double wanted[] = {4, 0, 5, 0, 0, 0, 0, 6, 0};
    for (std::size_t at = 0; at < 9; ++at) {
        EXPECT_EQ(rows.row(at / 3)[at % 3], wanted[at]);
        EXPECT_EQ(value_at(block, at / 3, at % 3), wanted[at]);
    }
    EXPECT_EQ(value_at(slice(block, 2, 1), 0, 1), 6);
}

TEST(Block, ColumnsKnowMissingAndUnseenValues) {
    const std::vector<std::int32_t> codes{7, 1, 0, 1, 2};  // the first is before the offset
    const std::uint8_t validity = 0b11101;                 // bit 1 is the first row
    const std::vector<std::int32_t> map{3, 0, -1};
    const std::vector<ColumnView> columns{{codes.data(), Element::i32, &validity, 1, map, {}}};
    const Block block = ColumnBlock{columns, 4, 0};
    EXPECT_TRUE(std::isnan(value_at(block, 0, 0)));
    EXPECT_EQ(value_at(block, 1, 0), 3);
    EXPECT_EQ(value_at(block, 2, 0), 0);
    EXPECT_EQ(value_at(block, 3, 0), unseen_level);
    EXPECT_EQ(value_at(slice(block, 2, 2), 0, 0), 0);
    std::vector<double> scratch;
    const std::vector<std::uint32_t> all{0};
    const auto rows = rows_of(block, all, scratch);
    EXPECT_TRUE(std::isnan(rows.row(0)[0]));
    EXPECT_EQ(rows.row(3)[0], unseen_level);
}

TEST(Block, BitsAreNumbers) {
    const std::uint8_t bits = 0b0110;
    const std::vector<ColumnView> columns{{&bits, Element::bit, nullptr, 0, {}, {}}};
    const Block block = ColumnBlock{columns, 4, 0};
    for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(value_at(block, row, 0), row == 1 || row == 2);
}

TEST(Stream, MemoryIsCutIntoUnitsThatDependOnRowsAlone) {
    const std::vector<double> values(10'000);
    MemoryStream stream({DenseBlock{values.data(), Element::f64, values.size(), 1, 1, 1}, {}, {}, 0}, {});
    EXPECT_EQ(stream.unit_count(), 3u);
    for (int pass = 0; pass < 2; ++pass) {
        ASSERT_TRUE(stream.rewind());
        const auto unit = stream.drawn();
        const auto lane = stream.lane();
        std::vector<std::size_t> sizes;
        while (stream.draw(*unit).value()) sizes.push_back(stream.decode(*unit, *lane).value().size());
        EXPECT_EQ(sizes, (std::vector<std::size_t>{4096, 4096, 1808}));
    }
}

}  // namespace
}  // namespace suffice
