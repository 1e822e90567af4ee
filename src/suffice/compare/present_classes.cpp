// Looks which classes have rows, then gives their labels new codes.
#include "suffice/compare/present_classes.hpp"

#include <algorithm>

#include "suffice/accumulate/in_order.hpp"

namespace suffice {
namespace {

struct PresentLane final : Stream::Lane {
    std::unique_ptr<Stream::Lane> inner;
    std::vector<std::int32_t> label;
};

}  // namespace

PresentClasses::PresentClasses(Stream& rows, const Schema& schema, const std::vector<bool>& seen)
    : StreamOver(rows), schema_(schema) {
    schema_.classes.clear();
    for (std::size_t c = 0; c < seen.size(); ++c) {
        code_.push_back(seen[c] ? static_cast<std::int32_t>(schema_.classes.size()) : -1);
        if (seen[c]) schema_.classes.push_back(schema.classes[c]);
        all_present_ = all_present_ && seen[c];
    }
}

Result<PresentClasses> PresentClasses::of(Stream& rows, const Schema& schema, const Context& context) {
    std::vector<bool> seen(schema.classes.size());
    if (auto again = rows.rewind(); !again) return again.error();
    const auto done = map_in_order(
        rows, context,
        [&](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&,
            Workspace&) -> Result<std::vector<std::int32_t>> {
            std::vector<std::int32_t> found;
            for (std::size_t row = 0; row < unit.size(); ++row)
                if (unit.label_of(row) >= 0 && unit.weight_of(row) > 0) found.push_back(unit.label_of(row));
            std::ranges::sort(found);
            found.erase(std::ranges::unique(found).begin(), found.end());
            return found;
        },
        [&](const std::vector<std::int32_t>& found) -> Result<void> {
            for (const std::int32_t each : found) seen[static_cast<std::size_t>(each)] = true;
            return {};
        });
    if (!done) return done.error();
    if (auto again = rows.rewind(); !again) return again.error();
    return PresentClasses(rows, schema, seen);
}

std::unique_ptr<Stream::Lane> PresentClasses::lane() const {
    auto made = lane_over<PresentLane>();
    made->names.classes = schema_.classes;
    return made;
}

Result<LabeledBlock> PresentClasses::decode(Drawn& unit, Lane& lane) const {
    auto& own = static_cast<PresentLane&>(lane);
    const auto block = all_.decode(unit, *own.inner);
    if (!block) return block.error();
    own.label.clear();
    for (std::size_t row = 0; row < block->size(); ++row) {
        const std::int32_t label = block->label_of(row);
        own.label.push_back(label < 0 ? label : code_[static_cast<std::size_t>(label)]);
    }
    return LabeledBlock{block->rows, own.label, block->weight, block->first_row};
}

}  // namespace suffice
