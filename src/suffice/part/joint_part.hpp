// Categories and flags whose combinations are counted, so that they need not be independent given the class.
//
// A row counts where all of its columns are there. Rows that lack some are scored by the marginal table.
#pragma once
#include "suffice/accumulate/cell_table.hpp"
#include "suffice/accumulate/several.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct JointPart {
    static constexpr std::string_view name = "joint";

    std::vector<std::uint32_t> columns;
    std::vector<std::uint32_t> level_count;  // by column; a flag has two
    Several<CellTable> by_class;
    std::vector<double> refused;  // by column: weight of values that are no level
    double beyond = 0;            // weight of rows passed over because the table had grown too large
    static constexpr auto fields =
        FieldTuple{field("columns", &JointPart::columns), field("level_count", &JointPart::level_count),
                   field("by_class", &JointPart::by_class), field("refused", &JointPart::refused),
                   field("beyond", &JointPart::beyond)};
    bool operator==(const JointPart&) const = default;

    JointPart() = default;
    JointPart(const Schema& schema, std::vector<std::uint32_t> which);  // columns that are categories or flags

    JointPart blank() const;
    double weight() const { return by_class.weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const JointPart& from);
    void remove(const JointPart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t column, std::size_t count) const;
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;
};

static_assert(PartKind<JointPart> && RemovableStatistic<JointPart> && DecayableStatistic<JointPart>);

}  // namespace suffice
