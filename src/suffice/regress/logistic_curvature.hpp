// What the solver knows of the shape of its objective: which directions the data leave undetermined, and factors of
// (approximate) Hessians to solve with.
#pragma once
#include <span>
#include <vector>

namespace suffice {

// Directions along which no row differs: those of rank zero in the scatter of the features.
struct FeatureSpace {
    std::size_t rank = 0;
    std::vector<double> scale;  // root of the diagonal; one where that is zero
    // Orthonormal rows that span the undetermined directions, in the features' own units; and in units of `scale`.
    std::vector<double> null, scaled_null;
    // Features that follow from those before them, last first, and for each the row that spans an undetermined
    // direction with a one there, a zero at the others of them and nothing behind it.
    std::vector<std::size_t> aliased;
    std::vector<double> alias;

    // scatter: d x d, both triangles, about the centre that is used.
    static FeatureSpace of(std::span<const double> scatter, std::size_t d);

    std::size_t null_count() const { return scale.empty() ? 0 : null.size() / scale.size(); }
    // The shortest coefficients that give the same scores on every row.
    void shorten(std::span<double> coefficient) const;
    // Those that give the same scores with zeros at the aliased features; and a linear function of coefficients as one
    // of those that were there before.
    void leave_out(std::span<double> coefficient) const;
    void leave_out_of_function(std::span<double> weight) const;
    // Adds to a block of a Hessian (rows `stride` apart) curvature along the undetermined directions, so that it can be
    // solved with and steps do not go there.
    void pin(double* block, std::size_t stride) const;
};

// Which parameters stay as they are; in each block features first, bias last.
struct FixedParameters {
    std::vector<bool> fixed;  // of one block

    void clear(std::span<double> vector) const;                      // entries of fixed parameters := 0
    void isolate(std::span<double> matrix, std::size_t side) const;  // their rows and columns := those of the identity
};

// One factor for every block, one for all of them, or a diagonal.
class CurvatureFactor {
public:
    // matrix: side x side, lower triangle; repeated for as many blocks as the vectors hold. What is not positive
    // definite is made so by raising the diagonal, in proportion.
    static CurvatureFactor of(std::vector<double> matrix, std::size_t side);
    static CurvatureFactor diagonal(std::vector<double> values);

    bool empty() const { return side_ == 0; }
    void solve(std::span<double> vector) const;
    const std::vector<double>& factor() const { return values_; }
    double raised() const { return raised_; }  // share added to the diagonal

private:
    std::size_t side_ = 0;
    bool diagonal_ = false;
    double raised_ = 0;
    std::vector<double> values_;
};

}  // namespace suffice
