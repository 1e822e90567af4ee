// Bernardo, Smith 1994, "Bayesian Theory", app. A, has all of these; Murphy 2007 those of the Gaussians.
#include "suffice/family/predictive_form.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

using List = std::vector<double>;

List scaled(List values, double factor) {
    for (double& value : values) value *= factor;
    return values;
}

// The mean of a Beta, of a Dirichlet.
PredictiveForm of_flag(const Record&, const Record& b) {
    const double alpha = b.number("alpha");
    return {"bernoulli", {{{"probability", alpha / (alpha + b.number("beta"))}}}};
}
PredictiveForm of_level(const Record&, const Record& b) {
    const List& all = b.numbers("concentration");
    return {"categorical", {{{"probability", scaled(all, 1 / std::accumulate(all.begin(), all.end(), 0.0))}}}};
}
PredictiveForm of_levels(const Record& shape, const Record& b) {
    return {"dirichlet_multinomial",
            {{{"trials", shape.number("trial_count")}, {"concentration", b.numbers("concentration")}}}};
}

PredictiveForm of_count(const Record&, const Record& b) {
    const double rate = b.number("rate");
    return {"negative_binomial", {{{"successes", b.number("shape")}, {"probability", rate / (rate + 1)}}}};
}
PredictiveForm of_failures(const Record&, const Record& b) {
    return {"beta_geometric", {{{"alpha", b.number("alpha")}, {"beta", b.number("beta")}}}};
}
PredictiveForm of_more_failures(const Record& shape, const Record& b) {
    return {"beta_negative_binomial",
            {{{"successes", shape.number("r")}, {"alpha", b.number("alpha")}, {"beta", b.number("beta")}}}};
}
PredictiveForm of_wait(const Record&, const Record& b) {
    return {"lomax", {{{"shape", b.number("shape")}, {"scale", b.number("rate")}}}};
}

// t of 2 shape degrees; `weight` is that of the prior's mean in rows, infinite where the mean is known.
double t_scale(double shape, double rate, double weight) { return std::sqrt(rate / shape * (1 + 1 / weight)); }

PredictiveForm t_of(const char* name, double mean, const Record& b, double weight) {
    const double shape = b.number("shape");
    return {name, {{{"degrees", 2 * shape}, {"location", mean}, {"scale", t_scale(shape, b.number("rate"), weight)}}}};
}
PredictiveForm of_number(const Record&, const Record& b) {
    return t_of("student_t", b.number("mean"), b, b.number("mean_weight"));
}
PredictiveForm of_logarithm(const Record&, const Record& b) {
    return t_of("log_student_t", b.number("mean"), b, b.number("mean_weight"));
}
PredictiveForm of_known_mean(const Record& shape, const Record& b) {
    return t_of("student_t", shape.number("mean"), b, INFINITY);
}
PredictiveForm of_known_variance(const Record& shape, const Record& b) {
    return {"gaussian", {{{"mean", b.number("mean")}, {"variance", b.number("variance") + shape.number("variance")}}}};
}

// A multivariate t; with one variance for all columns its matrix is scale^2 times the identity.
PredictiveForm t_of_scatter(const List& mean, const Record& b, double weight) {
    const double degrees = b.number("degrees") - static_cast<double>(mean.size()) + 1;
    return {"student_t",
            {{{"degrees", degrees},
              {"location", mean},
              {"scale_matrix", scaled(b.numbers("scatter"), (1 + 1 / weight) / degrees)}}}};
}
PredictiveForm of_vector(const Record&, const Record& b) {
    return t_of_scatter(b.numbers("mean"), b, b.number("mean_weight"));
}
PredictiveForm of_vector_known_mean(const Record& shape, const Record& b) {
    return t_of_scatter(shape.numbers("mean"), b, INFINITY);
}
PredictiveForm of_sphere(const Record&, const Record& b) {
    const double shape = b.number("shape");
    return {"student_t",
            {{{"degrees", 2 * shape},
              {"location", b.numbers("mean")},
              {"scale", t_scale(shape, b.number("rate"), b.number("mean_weight"))}}}};
}
PredictiveForm of_columns(const Record&, const Record& b) {
    const double shape = b.number("shape"), weight = b.number("mean_weight");
    List scale = b.numbers("rate");
    for (double& rate : scale) rate = t_scale(shape, rate, weight);
    return {"independent_student_t",
            {{{"degrees", 2 * shape}, {"location", b.numbers("mean")}, {"scale", std::move(scale)}}}};
}
PredictiveForm of_vector_known_covariance(const Record& shape, const Record& b) {
    const std::size_t d = b.numbers("mean").size();
    List covariance(d * d);
    multiply_factor(shape.numbers("factor"), d, covariance);
    const List& more = b.numbers("covariance");
    for (std::size_t k = 0; k < covariance.size(); ++k) covariance[k] += more[k];
    return {"gaussian", {{{"mean", b.numbers("mean")}, {"covariance", std::move(covariance)}}}};
}

struct Named {
    std::string_view family;
    PredictiveForm (*form)(const Record& shape, const Record& belief);
};
constexpr std::array forms{Named{"bernoulli", of_flag},
                           Named{"categorical", of_level},
                           Named{"multinomial", of_levels},
                           Named{"poisson", of_count},
                           Named{"geometric", of_failures},
                           Named{"negative_binomial", of_more_failures},
                           Named{"exponential", of_wait},
                           Named{"log_normal", of_logarithm},
                           Named{"gaussian", of_number},
                           Named{"gaussian_known_mean", of_known_mean},
                           Named{"gaussian_known_variance", of_known_variance},
                           Named{"gaussian_vector", of_vector},
                           Named{"gaussian_vector_diagonal", of_columns},
                           Named{"gaussian_vector_spherical", of_sphere},
                           Named{"gaussian_vector_known_mean", of_vector_known_mean},
                           Named{"gaussian_vector_known_covariance", of_vector_known_covariance}};

}  // namespace

std::optional<PredictiveForm> predictive_form(const AnyFamily& family, const Record& belief) {
    if (!family.prior_mean(belief)) return std::nullopt;  // names or numbers of another prior
    for (const Named& each : forms)
        if (each.family == family.name()) return each.form(family.shape(), belief);
    return std::nullopt;
}

}  // namespace suffice
