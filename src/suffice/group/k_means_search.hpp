// What k-means in memory knows of each row and of its centres, and the pass that puts rows to their nearest centres.
#pragma once
#include <cstdint>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/base/workspace.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/encode/text_memory.hpp"
#include "suffice/kernel/nearest_narrow.hpp"
#include "suffice/kernel/nearest_two.hpp"

namespace suffice {

// What rows that changed their centre do to the sums.
struct CentreChanges {
    std::vector<double> weight_of, sum;  // sum: of w (x - origin)
    std::vector<std::int64_t> count;     // of rows with a weight
    std::uint64_t changed = 0;
    bool operator==(const CentreChanges&) const = default;

    double weight() const { return static_cast<double>(changed); }
    void merge(const CentreChanges& from);
};

// Rows are searched in single precision, from a copy half their size that is made in the first step (of very many rows
// in each); where that leaves the answer open, in double. Bounds are of distances times `scale`, which brings the
// columns to about one.
class CentreSearch {
public:
    CentreSearch(std::size_t row_count, std::vector<double> origin, double mean_variance);

    std::size_t dimension() const { return origin_.size(); }
    std::size_t centre_count() const { return centres_.size() / dimension(); }
    const std::vector<double>& origin() const { return origin_; }
    const std::vector<double>& centres() const { return centres_; }  // relative to the origin
    const std::vector<std::int32_t>& nearest() const { return nearest_; }
    std::vector<std::int32_t> take_nearest() { return std::move(nearest_); }

    void set_centres(std::vector<double> next);
    // Rows of a unit to their nearest centres. Units write to their own rows only.
    void assign(CentreChanges& into, const LabeledBlock& unit, bool first_step, Workspace& workspace);

private:
    struct Scratch;
    struct Found;
    void find_gaps();
    void find_active(const LabeledBlock& unit, const kernel::Rows& rows, Scratch& scratch);
    void settle(const kernel::Rows& rows, Scratch& scratch, const Found& found) const;
    void move_row(CentreChanges& into, const double* x, double weight, std::int32_t before, std::int32_t now) const;
    void add_all(CentreChanges& into, const LabeledBlock& unit, const kernel::Rows& rows,
                 const std::int32_t* found) const;

    std::vector<double> origin_, centres_;
    double scale_ = 1;
    double largest_square_ = 0;  // of the centres, unscaled
    std::vector<std::uint32_t> columns_;
    kernel::PackedCentres packed_;
    kernel::NarrowCentres narrow_;
    std::vector<float> half_gap_;  // of each centre: no more than half the distance to the next one
    std::vector<float> moved_;     // of each centre, in the last step: no less
    std::vector<float> passed_;    // of each centre: no less than the farthest move of another
    std::vector<std::int32_t> nearest_;
    bool keeps_tiles_ = true;
    PageArray<float> tiles_, square_;  // the rows, and their squared norms
    PageArray<float> upper_, lower_;   // of the distance to the own centre and to any other
};

struct AssignPass {
    using Statistic = CentreChanges;
    CentreSearch& search;
    bool first_step;

    CentreChanges empty() const {
        return {std::vector<double>(search.centre_count()), std::vector<double>(search.centres().size()),
                std::vector<std::int64_t>(search.centre_count())};
    }
    std::size_t footprint() const { return (search.centres().size() + 2 * search.centre_count()) * sizeof(double); }
    Result<void> observe(CentreChanges& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        search.assign(into, unit, first_step, workspace);
        return {};
    }
};

}  // namespace suffice
