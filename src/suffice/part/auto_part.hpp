// Columns whose family is chosen by the data: all candidates are counted in one pass, the best explains.
//
// The state keeps every candidate's statistic, so merging stays exact; the choice is made when estimating, by the least
// BIC of the column alone. Densities and probabilities compare only where a unit is small beside the spread: a column
// of whole numbers from zero goes to a discrete family, or to the Gaussian if its variance in every class is one or
// more.
#pragma once
#include "suffice/accumulate/several.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct AutoPart {
    static constexpr std::string_view name = "auto";

    std::vector<std::uint32_t> columns;
    Several<Part> candidates;  // each has all columns
    static constexpr auto fields =
        std::tuple{field("columns", &AutoPart::columns), field("candidates", &AutoPart::candidates)};
    bool operator==(const AutoPart&) const = default;

    AutoPart() = default;
    AutoPart(const Schema& schema, std::vector<std::uint32_t> which);

    AutoPart blank() const;
    double weight() const { return candidates.empty() ? 0 : candidates.front().weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const AutoPart& from) { candidates.merge(from.candidates); }
    void remove(const AutoPart& rows) { candidates.remove(rows.candidates); }
    void scale(double factor) { candidates.scale(factor); }
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;

    // By column: the family that explains it best. An Error names a column that no candidate takes.
    struct Choice {
        std::size_t candidate = 0;
        std::string note;
    };
    Result<std::vector<Choice>> choose(const Settings& settings, const Schema& schema) const;
};

static_assert(PartKind<AutoPart> && RemovableStatistic<AutoPart> && DecayableStatistic<AutoPart>);

}  // namespace suffice
