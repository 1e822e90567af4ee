// Decodes once and hands out again and again.
#include "suffice/accumulate/held_stream.hpp"

#include <numeric>

#include "suffice/accumulate/in_order.hpp"

namespace suffice {

struct HeldStream::DrawnUnit final : Stream::Drawn {
    const Unit* unit = nullptr;
};

std::shared_ptr<const HeldStream::Unit> HeldStream::copy(const LabeledBlock& block, const Lane& lane) {
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
}

void HeldStream::keep(std::shared_ptr<const Unit> unit) {
    byte_count_ += unit->block.size() * column_count(unit->block.rows) * sizeof(double);
    units_.push_back(std::move(unit));
}

void HeldStream::add(const LabeledBlock& block, const Lane& lane) {
    names_ = lane.names;
    keep(copy(block, lane));
}

Result<std::unique_ptr<Stream>> HeldStream::hold(Stream& source, const Context& context) {
    if (auto again = source.rewind(); !again) return again.error();
    if (source.byte_count() == 0 || source.byte_count() > most_bytes) return std::unique_ptr<Stream>{};
    auto held = std::make_unique<HeldStream>();
    held->names_ = source.lane()->names;
    const auto made = [](const LabeledBlock& block, const Drawn&, const Lane& lane,
                         Workspace&) -> Result<std::shared_ptr<const Unit>> { return copy(block, lane); };
    const auto keep = [&](std::shared_ptr<const Unit> unit) -> Result<void> {
        held->keep(std::move(unit));
        return {};
    };
    if (auto done = map_in_order(source, context, made, keep); !done) return done.error();
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
