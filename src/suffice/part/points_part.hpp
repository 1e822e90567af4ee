// Columns whose rows are kept as they are, so that the density can be made from the points themselves: merging puts
// points together, removing takes them out again.
//
// A row that lacks one of the columns gives no point; it is counted, and said once.
#pragma once
#include "suffice/accumulate/several.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct PointList {
    std::vector<double> values;  // row after row
    std::vector<double> row_weight;
    static constexpr auto fields =
        FieldTuple{field("values", &PointList::values), field("row_weight", &PointList::row_weight)};
    bool operator==(const PointList&) const = default;

    double weight() const;
    void merge(const PointList& from);
    // Takes the weight of equal points out; what is not there leaves a negative weight behind, which is not valid.
    void remove(const PointList& rows);
};

struct PointsPart {
    static constexpr std::string_view name = "points";

    std::vector<std::uint32_t> columns;
    Several<PointList> by_class;
    double holes = 0;  // weight of rows with a missing value
    double refused = 0;
    static constexpr auto fields =
        FieldTuple{field("columns", &PointsPart::columns), field("by_class", &PointsPart::by_class),
                   field("holes", &PointsPart::holes), field("refused", &PointsPart::refused)};
    bool operator==(const PointsPart&) const = default;

    PointsPart() = default;
    PointsPart(const Schema& schema, std::vector<std::uint32_t> which);

    PointsPart blank() const;
    double weight() const { return by_class.weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const PointsPart& from);
    void remove(const PointsPart& rows);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;
};

static_assert(PartKind<PointsPart> && RemovableStatistic<PointsPart> && !DecayableStatistic<PointsPart>);

}  // namespace suffice
