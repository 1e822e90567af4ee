// Columns of numbers whose family is chosen by the evidence, independent given the class: what naive Bayes makes of
// numbers that nobody has said anything of.
//
// The state keeps what every candidate needs (accumulate/number_counts.hpp), so merging and taking out stay exact and
// the choice is made anew whenever parameters are estimated.
#pragma once
#include "suffice/accumulate/number_counts.hpp"
#include "suffice/part/number_choice.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct EvidencePart {
    static constexpr std::string_view name = "evidence";
    static constexpr std::string_view word = "auto";
    static constexpr std::string_view takes = "numbers: the family of most evidence, histograms too";

    std::vector<std::uint32_t> columns;
    Several<NumberCounts> counts;  // by column
    std::vector<double> refused;   // by column: weight of infinite values
    std::vector<std::string> families = families_to_choose();
    static constexpr auto fields =
        FieldTuple{field("columns", &EvidencePart::columns), field("counts", &EvidencePart::counts),
                   field("refused", &EvidencePart::refused), field("families", &EvidencePart::families)};
    bool operator==(const EvidencePart&) const = default;

    EvidencePart() = default;
    EvidencePart(const Schema& schema, std::vector<std::uint32_t> which);

    EvidencePart blank() const;
    double weight() const { return counts.weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const EvidencePart& from);
    void remove(const EvidencePart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool matches(const EvidencePart& other) const;
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;

    std::vector<NumberChoice> choose(const Settings& settings) const;  // by column
};

static_assert(PartKind<EvidencePart> && RemovableStatistic<EvidencePart> && DecayableStatistic<EvidencePart>);

}  // namespace suffice
