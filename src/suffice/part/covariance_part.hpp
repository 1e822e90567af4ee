// Several real columns with a covariance. Whose covariance a class uses (its own, everyone's, its group's) and its
// structure are settings of the estimate: the state is the same, so models derive from each other.
#pragma once
#include <limits>

#include "suffice/accumulate/fourth_moments.hpp"
#include "suffice/accumulate/pattern_statistic.hpp"
#include "suffice/accumulate/several.hpp"
#include "suffice/estimate/gaussians.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

// Memory for patterns of missing values and for scatters: how a Part may observe, and nothing of what it has seen.
struct PatternRoom {
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
    // Where classes come up whose scatters need more than this, they are pooled.
    std::size_t scatters = std::numeric_limits<std::size_t>::max();
    bool operator==(const PatternRoom&) const { return true; }
};

struct CovariancePart {
    static constexpr std::string_view name = "covariance";
    // Per-class scatters are kept while they fit; beyond it they are pooled.
    static constexpr std::size_t most_scatter_bytes = std::size_t{64} << 20;
    // Of rows with holes a fit keeps so much, all lanes together; beyond it EM reads the rows again.
    static constexpr std::size_t most_pattern_bytes = std::size_t{256} << 20;

    std::vector<std::uint32_t> columns;
    ClassScatterStatistic complete;        // rows without holes
    FourthMoments fourth;                  // of the same rows, where a Ledoit-Wolf shrinkage was asked for
    Several<PatternStatistic> incomplete;  // by class, rows with holes
    std::vector<double> refused;           // per column: weight of infinite values
    // Weight of rows with holes for which there was no room: then no pattern is kept, and the Part is completed by
    // passes over the rows before anybody sees it.
    double unkept = 0;
    PatternRoom room;
    static constexpr auto fields =
        FieldTuple{field("columns", &CovariancePart::columns), field("complete", &CovariancePart::complete),
                   field("fourth", &CovariancePart::fourth), field("incomplete", &CovariancePart::incomplete),
                   field("refused", &CovariancePart::refused)};
    bool operator==(const CovariancePart&) const = default;

    CovariancePart() = default;
    CovariancePart(const Schema& schema, std::vector<std::uint32_t> which, bool pooled, Shrinkage shrinkage = {});

    CovariancePart blank() const;
    double weight() const;
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const CovariancePart& from);
    void remove(const CovariancePart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;

    bool has_holes() const;
    // Can EM estimate what the settings ask for?
    Result<void> check_holes(const Settings& settings) const;

private:
    void observe_complete(kernel::Rows rows, const Membership& membership, const ClassScatterStatistic& unit,
                          Workspace& workspace);
    void observe_with_holes(kernel::Rows rows, const Membership& membership, Workspace& workspace);
    void drop_patterns();
};

// The Gaussian parameters themselves, for those who read them off rather than score.
Result<EstimatedGaussians> gaussians_of(const CovariancePart& part, const Settings& settings, const Schema& schema,
                                        Telling telling = Telling::all);

static_assert(PartKind<CovariancePart> && RemovableStatistic<CovariancePart> && DecayableStatistic<CovariancePart>);

}  // namespace suffice
