// Turns each unit of rows into flags on its way to the pass.
#include "core/flag_stream.hpp"

#include <numeric>
#include <vector>

#include "suffice/data/rows_of.hpp"

namespace suffice::python {
namespace {

class FlagStream final : public Stream {
public:
    FlagStream(LabeledBlock rows, Schema names, double threshold)
        : rows_(std::move(rows), std::move(names)), threshold_(threshold) {}
    std::unique_ptr<Drawn> drawn() const override { return rows_.drawn(); }
    std::unique_ptr<Lane> lane() const override {
        auto made = std::make_unique<FlagLane>();
        made->names = rows_.lane()->names;
        return made;
    }
    Result<bool> draw(Drawn& unit) override { return rows_.draw(unit); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override {
        auto block = rows_.decode(unit, lane);
        if (!block) return block;
        auto& own = static_cast<FlagLane&>(lane);
        const std::size_t d = column_count(block->rows);
        std::vector<std::uint32_t> columns(d);
        std::iota(columns.begin(), columns.end(), 0u);
        const kernel::Rows values = rows_of(block->rows, columns, own.gathered);
        own.flags.resize(values.row_count * d);
        double check = 0;
        for (std::size_t row = 0; row < values.row_count; ++row)
            for (std::size_t j = 0; j < d; ++j) {
                const double x = values.row(row)[j];
                check += x - x;  // NaN where x is not finite
                own.flags[row * d + j] = x > threshold_ ? 1.0 : 0.0;
            }
        if (check != 0) return Error("there is a value that is not finite");
        block->rows =
            DenseBlock{own.flags.data(), Element::f64, values.row_count, d, static_cast<std::ptrdiff_t>(d), 1};
        return block;
    }
    Result<void> rewind() override { return rows_.rewind(); }
    std::uint64_t unit_count() const override { return rows_.unit_count(); }
    std::uint64_t byte_count() const override { return rows_.byte_count(); }
    Progress progress() const override { return rows_.progress(); }

private:
    struct FlagLane final : Lane {
        std::vector<double> gathered, flags;
    };
    MemoryStream rows_;
    double threshold_;
};

}  // namespace

std::unique_ptr<Stream> flag_stream(LabeledBlock rows, Schema names, double threshold) {
    return std::make_unique<FlagStream>(std::move(rows), std::move(names), threshold);
}

}  // namespace suffice::python
