// Looks which classes have rows, then gives their labels new codes.
#include "suffice/compare/present_classes.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

struct RowsOfClasses {
    std::vector<double> of;
    static constexpr auto fields = FieldTuple{field("of", &RowsOfClasses::of)};
    bool operator==(const RowsOfClasses&) const = default;
    double weight() const { return std::accumulate(of.begin(), of.end(), 0.0); }
    void merge(const RowsOfClasses& from) { add_sums(*this, from); }
};

struct WeighRowsOfClasses {
    using Statistic = RowsOfClasses;
    std::size_t class_count;

    RowsOfClasses empty() const { return {std::vector<double>(class_count)}; }
    std::size_t footprint() const { return class_count * sizeof(double); }
    Result<void> observe(RowsOfClasses& into, const LabeledBlock& unit, const Schema&, Workspace&) const {
        for (std::size_t row = 0; row < unit.size(); ++row)
            if (const auto c = unit.label_of(row); c >= 0) into.of[static_cast<std::size_t>(c)] += unit.weight_of(row);
        return {};
    }
};

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
    if (auto again = rows.rewind(); !again) return again.error();
    const auto weights = fold(WeighRowsOfClasses{schema.classes.size()}, rows, context);
    if (!weights) return weights.error();
    std::vector<bool> seen;
    for (const double weight : weights->of) seen.push_back(weight > 0);
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
