// Non-negative columns that together are one vector of counts per row: words of a text, purchases of a customer. The
// statistic, per class: the weight of its rows, the sum of each column, and the sum of w log h(x) of the multinomial.
// The multinomial and the complement form are settings of the estimate.
#pragma once
#include "suffice/part/part.hpp"

namespace suffice {

struct CountsPart {
    static constexpr std::string_view name = "counts";

    std::vector<std::uint32_t> columns;
    std::vector<double> class_weight;  // k
    std::vector<double> sum;           // k x d
    std::vector<double> log_carrier;   // k: of w log h(x)
    std::vector<double> refused;       // per column: weight of values that are no counts
    static constexpr auto fields =
        FieldTuple{field("columns", &CountsPart::columns), field("class_weight", &CountsPart::class_weight),
                   field("sum", &CountsPart::sum), field("log_carrier", &CountsPart::log_carrier),
                   field("refused", &CountsPart::refused)};
    bool operator==(const CountsPart&) const = default;

    CountsPart() = default;
    CountsPart(const Schema& schema, std::vector<std::uint32_t> which);

    CountsPart blank() const;
    double weight() const;
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const CountsPart& from);
    void remove(const CountsPart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t, std::size_t) const { return {}; }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;

private:
    struct CountScratch {
        std::vector<double> gathered, carrier, origin;
    };
    void observe_dense(kernel::Rows rows, const Membership& membership, CountScratch& scratch);
    void observe_tile(kernel::Rows rows, const Membership& membership, CountScratch& scratch);
    void observe_with_refused(kernel::Rows rows, const Membership& membership);
    void observe_sparse(const SparseBlock& rows, const Membership& membership);
    void observe_value(std::size_t of_class, std::size_t column, double count, double row_weight);
};

static_assert(PartKind<CountsPart> && RemovableStatistic<CountsPart> && DecayableStatistic<CountsPart>);

}  // namespace suffice
