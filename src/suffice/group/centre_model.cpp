// States the Gaussians around the centres of k-means.
#include "suffice/group/centre_model.hpp"

#include "suffice/model/given.hpp"

namespace suffice {

Result<Classifier> classifier_of_centres(const std::vector<std::string>& columns, const Matrix& centres, double inertia,
                                         double row_weight) {
    const std::size_t k = centres.row_count, d = centres.column_count;
    GivenModel given{.classes = {}, .priors = std::vector<double>(k, 1 / static_cast<double>(k)), .columns = columns};
    given.model = "spherical_discriminant";
    if (row_weight > 0) given.weight = row_weight;
    const double variance = inertia / (given.weight * static_cast<double>(d));
    auto& covariance = given.covariances.emplace_back(d * d);
    for (std::size_t i = 0; i < d; ++i) covariance[i * (d + 1)] = variance > 0 ? variance : 1;  // rows are the centres
    for (std::size_t c = 0; c < k; ++c) {
        given.classes.push_back(std::to_string(c));
        given.means.emplace_back(centres.row(c).begin(), centres.row(c).end());
    }
    auto made = classifier_from(given);
    if (!made) return made.error();
    ModelState state = made->state();
    state.statistic.schema.integer_classes = true;
    state.passes = Passes::mixture;
    return Classifier::from(std::move(state));
}

}  // namespace suffice
