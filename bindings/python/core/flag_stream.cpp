// Turns each unit of rows into flags on its way to the pass.
#include "core/flag_stream.hpp"

#include <numeric>
#include <vector>

#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/count_rows.hpp"

namespace suffice::python {
namespace {

class FlagStream final : public Stream {
public:
    FlagStream(LabeledBlock rows, Schema names, double threshold)
        : rows_(std::move(rows), std::move(names)), threshold_(threshold) {}
    std::unique_ptr<Drawn> drawn() const override {
        auto made = std::make_unique<FlagUnit>();
        made->rows = rows_.drawn();
        return made;
    }
    std::unique_ptr<Lane> lane() const override { return rows_.lane(); }
    Result<bool> draw(Drawn& unit) override { return rows_.draw(*static_cast<FlagUnit&>(unit).rows); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override {
        auto& own = static_cast<FlagUnit&>(unit);
        auto block = rows_.decode(*own.rows, lane);
        if (!block) return block;
        const std::size_t d = column_count(block->rows);
        std::vector<std::uint32_t> columns(d);
        std::iota(columns.begin(), columns.end(), 0u);
        const kernel::Rows values = rows_of(block->rows, columns, own.gathered);
        const auto set = [&](auto& flags, Element element) -> Result<LabeledBlock> {
            flags.resize(values.row_count * d);
            if (!kernel::to_flags(values, threshold_, flags.data()))
                return Error("there is a value that is not finite");
            block->rows = DenseBlock{flags.data(), element, values.row_count, d, static_cast<std::ptrdiff_t>(d), 1};
            return block;
        };
        return block->weight.empty() ? set(own.bytes, Element::u8) : set(own.flags, Element::f64);
    }
    Result<void> rewind() override { return rows_.rewind(); }
    std::uint64_t unit_count() const override { return rows_.unit_count(); }
    std::uint64_t byte_count() const override { return rows_.byte_count(); }
    Progress progress() const override { return rows_.progress(); }

private:
    // Flags belong to the thread, not to the lane: one buffer that stays in the cache. Bytes are counted by themselves,
    // numbers with their row's weight.
    struct FlagUnit final : Drawn {
        std::unique_ptr<Drawn> rows;
        std::vector<double> gathered, flags;
        std::vector<std::uint8_t> bytes;
    };
    MemoryStream rows_;
    double threshold_;
};

}  // namespace

std::unique_ptr<Stream> flag_stream(LabeledBlock rows, Schema names, double threshold) {
    return std::make_unique<FlagStream>(std::move(rows), std::move(names), threshold);
}

}  // namespace suffice::python
