// Reads discriminant coordinates off a classifier.
#include "suffice/model/discriminant_coordinates.hpp"

#include <algorithm>

#include "suffice/data/rows_of.hpp"
#include "suffice/estimate/gaussians.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

const CovariancePart* covariance_of(const Classifier& model) {
    for (const Part& part : model.state().statistic.parts)
        if (const auto* found = part.as<CovariancePart>()) return found;
    return nullptr;
}

}  // namespace

Result<DiscriminantCoordinates> discriminant_coordinates(const Classifier& model) {
    Settings settings = model.state().settings;
    const CovariancePart* part = covariance_of(model);
    if (part == nullptr || settings.covariance != Covariance::full || settings.sharing != Sharing::all)
        return Error(ErrorKind::usage,
                     "discriminant coordinates need one full covariance that all classes share; use "
                     "linear_discriminant");
    settings.rank = 0;
    const auto gaussians = gaussians_of(*part, settings, model.schema());
    if (!gaussians) return gaussians.error();
    return discriminant_coordinates(gaussians->parameters, model.log_prior());
}

Result<Matrix> transform(const Classifier& model, const Block& rows) {
    const auto coordinates = discriminant_coordinates(model);
    if (!coordinates) return coordinates.error();
    std::vector<double> scratch;
    const kernel::Rows values = rows_of(rows, covariance_of(model)->columns, scratch);
    Matrix all(values.row_count, coordinates->count());
    for (std::size_t row = 0; row < values.row_count; ++row)
        std::ranges::copy(coordinates->of_row({values.row(row), values.column_count}), all.row(row).begin());
    return all;
}

}  // namespace suffice
