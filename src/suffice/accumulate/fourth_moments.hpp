// Fourth moments of rows around their class means: what Ledoit-Wolf shrinkage needs beyond the scatter.
//
//   u(z) = |z|^2, one feature, for raw columns; or (z_1^2, ..., z_d^2), for columns that will be rescaled
//   square = sum of w u u',   cross = sum of w u z'
//
// Around another centre they follow from these and the scatter, so they merge and subtract exactly.
#pragma once
#include "suffice/accumulate/class_scatter.hpp"

namespace suffice {

struct FourthMoments {
    std::uint64_t feature_count = 0;  // 0: not gathered; 1; or one per column
    std::vector<double> square;       // k x features x features, both triangles
    std::vector<double> cross;        // k x features x columns
    static constexpr auto fields =
        FieldTuple{field("feature_count", &FourthMoments::feature_count), field("square", &FourthMoments::square),
                   field("cross", &FourthMoments::cross)};
    bool operator==(const FourthMoments&) const = default;

    FourthMoments() = default;
    FourthMoments(std::size_t class_count, std::size_t columns, std::size_t features)
        : feature_count(features), square(class_count * features * features), cross(class_count * features * columns) {}

    bool gathered() const { return feature_count > 0; }
    std::span<const double> square_of(std::size_t c) const {
        return std::span(square).subspan(c * feature_count * feature_count, feature_count * feature_count);
    }

    // `of` holds the weights, means and scatters of the same rows.
    static FourthMoments of_rows(kernel::Rows rows, const Membership& membership, const ClassScatterStatistic& of,
                                 std::size_t features, Workspace& workspace);
    // The scatters on both sides are those before they are merged. Where one side gathered less, less is left.
    void merge(const ClassScatterStatistic& mine, FourthMoments from, const ClassScatterStatistic& theirs);
    void remove(const ClassScatterStatistic& mine, FourthMoments rows, const ClassScatterStatistic& theirs);
    void scale(double factor);
    void recode(const CodeMap& classes, std::size_t columns);
    bool valid(std::size_t class_count, std::size_t columns) const;

private:
    void reduce(std::size_t features, std::size_t columns);  // to the features that the other side has
    // Around the mean moved by `way`; `of` has the scatter around the old one.
    void move_centre(std::size_t c, const ClassScatterStatistic& of, std::span<const double> way);
};

}  // namespace suffice
