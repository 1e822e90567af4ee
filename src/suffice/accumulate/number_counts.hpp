// What a column of numbers holds, by class: how often each value came, or, once too many differ, how often each of a
// few equal bins was met and the sums that continuous families need.
//
// Bins are as wide as a power of two and begin at its multiples; the power is the least that covers the range with the
// bins allowed. So it follows from the smallest and the largest value alone, and pieces merge to the whole in any
// order.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/accumulate/several.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

// Of one class: the numbers, the logarithms of those above zero, and log(1 - x) of those between zero and one.
struct NumberSums {
    Gaussian::Statistic plain, logs;
    double unit_weight = 0, log_complement = 0;
    static constexpr auto fields = FieldTuple{field("plain", &NumberSums::plain), field("logs", &NumberSums::logs),
                                              field("unit_weight", &NumberSums::unit_weight),
                                              field("log_complement", &NumberSums::log_complement)};
    bool operator==(const NumberSums&) const = default;

    double weight() const { return plain.weight(); }
    void observe(double x, double weight);
    void merge(const NumberSums& from);
    void remove(const NumberSums& rows);
    void scale(double factor);
};

struct NumberCounts {
    static constexpr std::uint32_t most_bins = 128;

    std::uint32_t limit = most_bins;  // of values that differ, and of bins
    std::uint32_t class_count = 0;
    double width = 0;                  // of bins; 0: the values themselves
    double fraction_weight = 0;        // of numbers that are not whole
    std::vector<double> start = {};    // ascending: the values, or where bins begin
    std::vector<double> weights = {};  // [place in start * class_count + class]
    Several<NumberSums> sums = {};     // by class; empty while values are counted one by one
    static constexpr auto fields =
        FieldTuple{field("limit", &NumberCounts::limit), field("class_count", &NumberCounts::class_count),
                   field("width", &NumberCounts::width), field("fraction_weight", &NumberCounts::fraction_weight),
                   field("start", &NumberCounts::start), field("weights", &NumberCounts::weights),
                   field("sums", &NumberCounts::sums)};
    bool operator==(const NumberCounts&) const = default;

    bool is_binned() const { return width > 0; }
    double weight() const;
    double weight_at(std::size_t place, std::size_t c) const { return weights[place * class_count + c]; }

    struct Seen {  // finite numbers, each with its class and weight
        std::span<const double> x;
        std::span<const std::uint32_t> code;
        std::span<const double> weight;
    };
    struct Scratch {
        std::vector<double> logs, count, sum, square, log_count, log_sum, log_square;
    };
    void observe(const Seen& rows, Scratch& scratch);
    void merge(const NumberCounts& from);
    void remove(const NumberCounts& rows);
    void scale(double factor);
    void recode(const CodeMap& classes);
    bool valid() const;
    NumberSums sums_of(std::size_t c) const;
    // The same counts in bins of the least width that needs no more than so many.
    NumberCounts binned(std::uint32_t most) const;
    NumberCounts coarser() const;  // of bins: two become one

private:
    std::size_t place_of(double value);  // of a value that is counted by itself, or of a bin there already
    std::size_t bin_of(double x);        // makes room
    void put(double value, std::span<const double> by_class);
    void to_bins(std::uint32_t most);
    void coarsen();
    void cover(double first, double last);
    void observe_bins(const Seen& rows, Scratch& scratch);
    void match_bins(NumberCounts& other);
    void drop_empty();
};

}  // namespace suffice
