// What each decision costs under each truth, by the names of the classes.
//
// A cost may be negative: it is then a gain. Only differences within one truth matter for the decision.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct CostMatrix {
    std::vector<std::string> classes;
    std::vector<double> values;  // truth x decision, row-major; one more column where rejecting has a cost
    static constexpr auto fields =
        FieldTuple{field("classes", &CostMatrix::classes), field("values", &CostMatrix::values)};
    bool operator==(const CostMatrix&) const = default;

    std::size_t class_count() const { return classes.size(); }
    std::size_t decision_count() const { return values.size() / classes.size(); }
    bool can_reject() const { return decision_count() > class_count(); }
    double at(std::size_t truth, std::size_t decision) const { return values[truth * decision_count() + decision]; }
};

// classes x classes numbers, or classes x (classes + 1) with the cost of rejecting last.
Result<CostMatrix> make_cost_matrix(std::vector<std::string> classes, std::vector<double> values);

// "fraud:ok=50, ok:fraud=1, reject=2": TRUTH:DECISION=COST. A pair not named costs 1, a right decision 0. `reject=2`
// allows rejecting at that cost, `fraud:reject=5` under one truth. Names that hold , : = or a quote are written in
// double quotes.
Result<CostMatrix> parse_cost_matrix(const std::vector<std::string>& classes, std::string_view text);

// CSV with decisions in the header and the truth in the first column; every class once in each, in any order. A last
// decision `reject`, where no class has that name, is the cost of rejecting.
Result<CostMatrix> parse_cost_table(const std::vector<std::string>& classes, std::string_view csv);

}  // namespace suffice
