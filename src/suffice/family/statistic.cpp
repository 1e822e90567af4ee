// Values of statistics over the erased form, and their way to and from an outside form.
#include "suffice/family/statistic.hpp"

#include <string>

#include "suffice/family/handle.hpp"

namespace suffice {
namespace {

Error holds_nothing() { return {ErrorKind::usage, "a statistic of no family takes no rows"}; }

// Names and numbers of a shape, as fields.
struct ShapeEntry {
    std::string name;
    std::vector<double> values;
    std::uint32_t is_list = 0;
    static constexpr auto fields = FieldTuple{field("name", &ShapeEntry::name), field("values", &ShapeEntry::values),
                                              field("is_list", &ShapeEntry::is_list)};
};

std::vector<ShapeEntry> entries_of(const Record& shape) {
    std::vector<ShapeEntry> entries;
    for (const auto& [name, value] : shape.entries) {
        const double* number = std::get_if<double>(&value);
        entries.push_back(
            {name, number ? std::vector{*number} : std::get<std::vector<double>>(value), number == nullptr});
    }
    return entries;
}

Record shape_of(const std::vector<ShapeEntry>& entries) {
    Record shape;
    for (const auto& each : entries) {
        if (each.is_list != 0 || each.values.size() != 1)
            shape.entries.emplace_back(each.name, each.values);
        else
            shape.entries.emplace_back(each.name, each.values[0]);
    }
    return shape;
}

}  // namespace

bool FamilyStatistic::operator==(const FamilyStatistic& other) const {
    if (!held_ || !other.held_) return !held_ && !other.held_;
    return held_->equals(*other.held_);
}

Result<void> FamilyStatistic::observe(Numbers values, Numbers weights) {
    return held_ ? held_->observe(values, weights) : holds_nothing();
}

Result<void> FamilyStatistic::merge(const FamilyStatistic& from) {
    return held_ && from.held_ ? held_->merge(*from.held_) : holds_nothing();
}

Result<void> FamilyStatistic::remove(const FamilyStatistic& rows) {
    return held_ && rows.held_ ? held_->remove(*rows.held_) : holds_nothing();
}

Result<void> FamilyStatistic::scale(double factor) { return held_ ? held_->scale(factor) : holds_nothing(); }

Result<void> FamilyStatistic::recode(const CodeMap& levels) { return held_ ? held_->recode(levels) : holds_nothing(); }

void FamilyStatistic::write(FieldSink& sink, std::string_view name) const {
    sink.open_record(name);
    sink.text("family", family());
    write_value(sink, "shape", entries_of(shape()));
    if (held_) held_->write(sink);
    sink.close();
}

void FamilyStatistic::read(FieldSource& source) {
    held_.reset();
    source.open_record();
    const std::string name = source.text();
    std::vector<ShapeEntry> shape;
    read_value(source, shape);
    if (!name.empty() && !source.failed()) {
        const auto family = make_family(name, shape_of(shape));
        if (!family) return source.fail(family.error().message);
        held_ = std::move((*family)->empty_statistic().held_);
        held_->read(source);
        if (!held_->valid()) source.fail(name + ": the bytes do not describe a consistent statistic");
    }
    source.close_record();
    if (source.failed()) held_.reset();
}

}  // namespace suffice
