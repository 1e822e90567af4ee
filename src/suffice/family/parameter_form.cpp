// Between factors and covariances, logarithms and probabilities.
#include "suffice/family/parameter_form.hpp"

#include <cmath>
#include <limits>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/covariance_check.hpp"

namespace suffice {
namespace {

std::size_t side_of(const std::vector<double>& matrix) {
    return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(matrix.size()))));
}

}  // namespace

Result<Record> as_kept(const Record& told) {
    Record kept = told;
    for (auto& [name, value] : kept.entries) {
        auto* list = std::get_if<std::vector<double>>(&value);
        if (name == "covariance" && list != nullptr) {
            const std::size_t d = side_of(*list);
            if (auto checked = check_covariance(*list, d, "the covariance"); !checked) return checked.error();
            if (!factorize(*list, d)) return Error(ErrorKind::singular, "the covariance is not positive definite");
            name = "factor";
        } else if (name == "probability" && list != nullptr) {
            // A zero is kept as the smallest probability, as families themselves do.
            for (double& p : *list) p = p == 0 ? std::log(std::numeric_limits<double>::min()) : std::log(p);
            name = "log_probability";
        }
    }
    return kept;
}

Record as_told(const Record& kept) {
    Record told = kept;
    for (auto& [name, value] : told.entries) {
        auto* list = std::get_if<std::vector<double>>(&value);
        if (list == nullptr) continue;
        if (name == "factor") {
            std::vector<double> covariance(list->size());
            multiply_factor(*list, side_of(*list), covariance);
            value = std::move(covariance);
            name = "covariance";
        } else if (name == "log_probability") {
            for (double& p : *list) p = std::exp(p);
            name = "probability";
        }
    }
    return told;
}

bool is_matrix(std::string_view name) {
    return name == "covariance" || name == "scatter" || name == "factor" || name == "scale_matrix";
}

}  // namespace suffice
