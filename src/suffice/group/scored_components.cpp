// Components of a pass from means and factors of their precisions.
#include "suffice/group/gaussian_pass.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {

Result<ScoredComponents> scored_components(ComponentShape shape, const Matrix& mean, std::span<const double> factor,
                                           std::vector<double> offset) {
    const std::size_t k = mean.row_count, d = mean.column_count;
    const bool tied = shape == ComponentShape::tied, square = tied || shape == ComponentShape::full;
    const std::size_t each = square ? d * d : shape == ComponentShape::diagonal ? d : 1;
    const std::size_t groups = tied ? 1 : k;
    if (factor.size() != groups * each || offset.size() != k)
        return Error(ErrorKind::usage, "each component needs a weight, a mean and a precision");
    GaussianClasses out;
    out.dimension = d;
    out.diagonal = !square;
    for (std::size_t c = 0; c < k; ++c) {
        out.mean.emplace_back(mean.row(c).begin(), mean.row(c).end());
        out.group.push_back(static_cast<std::uint32_t>(tied ? 0 : c));
    }
    for (std::size_t g = 0; g < groups; ++g) {
        const auto own = factor.subspan(g * each, each);
        std::vector<double> made(square ? d * d : d);
        if (square)
            inverse_lower(own, d, made);
        else
            for (std::size_t j = 0; j < d; ++j) made[j] = 1 / (own[each == 1 ? 0 : j] * own[each == 1 ? 0 : j]);
        out.shape.push_back(std::move(made));
    }
    return ScoredComponents{std::move(out), std::move(offset)};
}

}  // namespace suffice
