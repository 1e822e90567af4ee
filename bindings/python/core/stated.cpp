// Models from parameters that Python states: what its fitted attributes say, made ready by the library's own scorers.
#include <cmath>
#include <numeric>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/family/bernoulli.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/model/given.hpp"
#include "suffice/persist/bytes.hpp"
#include "suffice/persist/model_file.hpp"
#include "suffice/score/counts_scorer.hpp"
#include "suffice/score/gaussian_classes.hpp"
#include "suffice/score/linear_scorer.hpp"
#include "suffice/score/table_scorer.hpp"

namespace suffice::python {
namespace {

struct Shape {
    std::size_t classes = 0, columns = 0;
    std::vector<std::uint32_t> all_columns() const {
        std::vector<std::uint32_t> all(columns);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
};

std::vector<double> numbers(const nb::dict& parameters, const char* name, std::size_t count) {
    const Buffer buffer(parameters[name]);
    const auto values = buffer.doubles(name);
    if (values.size() != count) throw Exception(Error(std::string(name) + " has another shape than the model"));
    return {values.begin(), values.end()};
}

std::vector<std::vector<double>> lines(const std::vector<double>& values, std::size_t width) {
    std::vector<std::vector<double>> all;
    for (auto first = values.begin(); first != values.end(); first += static_cast<std::ptrdiff_t>(width))
        all.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
    return all;
}

// mean, and variance (classes x columns) or covariance (columns x columns, once or for each class).
std::unique_ptr<Scorer> gaussians(const Shape& shape, const nb::dict& parameters) {
    const std::size_t k = shape.classes, d = shape.columns;
    GaussianClasses made;
    made.dimension = d;
    made.mean = lines(numbers(parameters, "mean", k * d), d);
    made.diagonal = parameters.contains("variance");
    made.group.resize(k);
    std::iota(made.group.begin(), made.group.end(), 0u);
    if (made.diagonal) {
        made.shape = lines(numbers(parameters, "variance", k * d), d);
        return gaussian_scorer(shape.all_columns(), std::move(made));
    }
    const bool shared = Buffer(parameters["covariance"]).dimension_count() == 2;
    if (shared) made.group.assign(k, 0);
    made.shape = lines(numbers(parameters, "covariance", (shared ? 1 : k) * d * d), d * d);
    for (auto& each : made.shape)
        if (!factorize(each, d))
            throw Exception(Error(ErrorKind::singular, "a covariance matrix is not positive definite"));
    return gaussian_scorer(shape.all_columns(), std::move(made));
}

// One table of levels x classes for each column; there is no level beyond them.
std::unique_ptr<Scorer> tables(const Shape& shape, const nb::dict& parameters) {
    LevelTables made{shape.classes, shape.all_columns(), {}, {}};
    for (nb::handle each : nb::cast<nb::list>(parameters["tables"])) {
        const Buffer buffer(each);
        const auto values = buffer.doubles("tables");
        made.level_count.push_back(static_cast<std::uint32_t>(values.size() / shape.classes));
        auto& table = made.log_probability.emplace_back(values.begin(), values.end());
        table.resize(table.size() + shape.classes);
    }
    if (made.level_count.size() != shape.columns) throw Exception(Error("each column needs one table"));
    return table_scorer(std::move(made));
}

std::unique_ptr<Scorer> counts(const Shape& shape, const nb::dict& parameters) {
    const std::size_t k = shape.classes;
    return counts_scorer({shape.all_columns(), k, numbers(parameters, "weight", k * shape.columns),
                          nb::cast<bool>(parameters["density"]), numbers(parameters, "mean_total", k)});
}

std::unique_ptr<Scorer> flags(const Shape& shape, const nb::dict& parameters) {
    std::vector<std::vector<Bernoulli::Parameter>> made(shape.classes);
    const auto log_probability = numbers(parameters, "log_probability", shape.classes * shape.columns);
    for (std::size_t at = 0; at < log_probability.size(); ++at)
        made[at / shape.columns].push_back({std::exp(log_probability[at])});
    return std::make_unique<LinearScorer<Bernoulli>>(shape.all_columns(), std::vector<Bernoulli>(shape.columns),
                                                     std::move(made));
}

// columns as State.make takes them. parameters: as the functions above read them.
Classifier stated_model(std::vector<std::string> classes, nb::handle log_prior, const nb::list& columns,
                        const nb::dict& parameters) {
    const Buffer prior(log_prior);
    const auto priors = prior.doubles("log_prior");
    ModelState names;
    names.model = "stated";
    names.statistic.schema.classes = std::move(classes);
    names.statistic.schema.columns = columns_from(columns);
    names.settings.complement = parameters.contains("density") && !nb::cast<bool>(parameters["density"]);
    const Shape shape{priors.size(), columns.size()};
    if (names.statistic.schema.classes.size() != shape.classes) throw Exception(Error("each class needs one prior"));
    const auto scorer = parameters.contains("mean")     ? &gaussians
                        : parameters.contains("tables") ? &tables
                        : parameters.contains("weight") ? &counts
                                                        : &flags;
    return Classifier::stated(std::move(names), {priors.begin(), priors.end()}, {scorer(shape, parameters)});
}

// Columns that are independent given the class.
std::vector<GivenColumn> independent(const std::vector<Column>& columns, std::size_t classes,
                                     const nb::dict& parameters) {
    const std::size_t d = columns.size();
    std::vector<GivenColumn> made;
    const bool gaussian = parameters.contains("variance");
    if (parameters.contains("tables")) {
        std::size_t j = 0;
        for (nb::handle each : nb::cast<nb::list>(parameters["tables"])) {
            const Buffer buffer(each);
            const auto values = buffer.doubles("tables");
            if (j == d || values.size() != classes * columns[j].levels.size())
                throw Exception(Error("each column needs one table of classes x levels"));
            made.push_back({columns[j].name, "categorical",
                            lines({values.begin(), values.end()}, columns[j].levels.size()), columns[j].levels});
            ++j;
        }
        return made;
    }
    const auto first = numbers(parameters, gaussian ? "mean" : "probability", classes * d);
    const auto second = gaussian ? numbers(parameters, "variance", classes * d) : std::vector<double>{};
    for (std::size_t j = 0; j < d; ++j) {
        auto& column = made.emplace_back(GivenColumn{columns[j].name, gaussian ? "gaussian" : "bernoulli", {}});
        for (std::size_t at = j; at < first.size(); at += d) {
            auto& values = column.by_class.emplace_back(1, first[at]);
            if (gaussian) values.push_back(second[at]);
        }
    }
    return made;
}

// The statistics of rows of this weight that would give these priors and parameters: mean and variance by class and
// column, probability likewise, a table of classes x levels for each column, or mean and covariance as above.
State stated_state(std::vector<std::string> classes, bool integer_classes, nb::handle priors, const nb::list& columns,
                   const nb::dict& parameters, double weight) {
    const Buffer prior(priors);
    const auto shares = prior.doubles("priors");
    const auto described = columns_from(columns);
    GivenModel given;
    given.classes = std::move(classes);
    given.priors.assign(shares.begin(), shares.end());
    given.weight = weight;
    const std::size_t d = described.size(), k = given.classes.size();
    if (parameters.contains("covariance")) {
        const bool shared = Buffer(parameters["covariance"]).dimension_count() == 2;
        for (const Column& each : described) given.columns.push_back(each.name);
        given.means = lines(numbers(parameters, "mean", k * d), d);
        given.covariances = lines(numbers(parameters, "covariance", (shared ? 1 : k) * d * d), d * d);
    } else {
        given.model = parameters.contains("variance") ? "gaussian_nb"
                      : parameters.contains("tables") ? "categorical_nb"
                                                      : "bernoulli_nb";
        given.independent = independent(described, k, parameters);
    }
    ModelState state = classifier_from(given).value().state();
    state.statistic.schema.integer_classes = integer_classes;
    return State(std::move(state));
}

nb::bytes file_with_author(const nb::bytes& bytes, const std::string& author) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    file.author = author;
    const std::string made = to_file_bytes(file);
    return nb::bytes(made.data(), made.size());
}

std::string author_of_file(const nb::bytes& bytes) {
    return from_file_bytes({bytes.c_str(), bytes.size()}).value().author;
}

// Which files a model saw and how they were read: what an estimator that was loaded cannot know from its numbers.
nb::bytes origin_of_file(const nb::bytes& bytes) {
    const auto origin = to_bytes(from_file_bytes({bytes.c_str(), bytes.size()}).value().seen);
    return nb::bytes(origin.data(), origin.size());
}

nb::bytes file_with_origin(const nb::bytes& bytes, const nb::bytes& origin) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    file.seen = from_bytes<Provenance>(std::as_bytes(std::span(origin.c_str(), origin.size()))).value();
    const std::string made = to_file_bytes(file);
    return nb::bytes(made.data(), made.size());
}

}  // namespace

void bind_stated(nb::module_& module) {
    module.def("stated_model", &stated_model, nb::arg("classes"), nb::arg("log_prior"), nb::arg("columns"),
               nb::arg("parameters"));
    module.def("stated_state", &stated_state, nb::arg("classes"), nb::arg("integer_classes"), nb::arg("priors"),
               nb::arg("columns"), nb::arg("parameters"), nb::arg("weight") = 1.0);
    module.def("file_with_author", &file_with_author);
    module.def("author_of_file", &author_of_file);
    module.def("origin_of_file", &origin_of_file);
    module.def("file_with_origin", &file_with_origin);
}

}  // namespace suffice::python
