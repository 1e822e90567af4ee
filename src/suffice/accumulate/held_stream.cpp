// Decodes once and hands out again and again.
#include "suffice/accumulate/held_stream.hpp"

#include <numeric>

#include "suffice/accumulate/in_order.hpp"

namespace suffice {

struct HeldStream::DrawnUnit final : Stream::Drawn {
    const Unit* unit = nullptr;
};

Result<std::unique_ptr<Stream>> HeldStream::hold(Stream& source, const Context& context) {
    if (auto again = source.rewind(); !again) return again.error();
    if (source.byte_count() == 0 || source.byte_count() > most_bytes) return std::unique_ptr<Stream>{};
    auto held = std::make_unique<HeldStream>();
    held->names_ = source.lane()->names;
    const auto copy = [](const LabeledBlock& block, const Drawn&, const Lane& lane,
                         Workspace&) -> Result<std::shared_ptr<Unit>> {
        auto unit = std::make_shared<Unit>();
        std::vector<std::size_t> all(block.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        unit->block = block;
        unit->block.rows = unit->gatherer.gather(block.rows, all);
        unit->label.assign(block.label.begin(), block.label.end());
        unit->weight.assign(block.weight.begin(), block.weight.end());
        unit->classes = lane.names.classes;
        unit->block.label = unit->label;
        unit->block.weight = unit->weight;
        return unit;
    };
    const auto keep = [&](const std::shared_ptr<Unit>& unit) -> Result<void> {
        held->units_.push_back(unit);
        held->byte_count_ += unit->block.size() * column_count(unit->block.rows) * sizeof(double);
        return {};
    };
    if (auto done = map_in_order(source, context, copy, keep); !done) return done.error();
    if (auto again = source.rewind(); !again) return again.error();
    return std::unique_ptr<Stream>(std::move(held));
}

std::unique_ptr<Stream::Drawn> HeldStream::drawn() const { return std::make_unique<DrawnUnit>(); }

std::unique_ptr<Stream::Lane> HeldStream::lane() const {
    auto made = std::make_unique<Lane>();
    made->names = names_;
    return made;
}

Result<bool> HeldStream::draw(Drawn& unit) {
    if (next_ == units_.size()) return false;
    static_cast<DrawnUnit&>(unit).unit = units_[next_++].get();
    return true;
}

Result<LabeledBlock> HeldStream::decode(Drawn& drawn, Lane& lane) const {
    const Unit& unit = *static_cast<DrawnUnit&>(drawn).unit;
    if (lane.names.classes != unit.classes) lane.names.classes = unit.classes;
    return unit.block;
}

Result<void> HeldStream::rewind() {
    next_ = 0;
    return {};
}

}  // namespace suffice
