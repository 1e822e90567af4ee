// Learners stopped after so many steps: k-means, EM and Newton's method, so that one can watch them.
#include <algorithm>

#include "models.hpp"

#include "suffice/group/gaussian_mixture.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/model/fit_features.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice::page {
namespace {

Matrix matrix_of(const Json& rows, std::size_t columns) {
    Matrix made;
    made.values = values_of(rows);
    made.column_count = columns;
    made.row_count = made.values.size() / columns;
    return made;
}

GaussianMixtureSettings mixture_settings(const Json& request) {
    GaussianMixtureSettings settings;
    settings.components = request.value("k", std::size_t{2});
    const std::string shape = request.value("shape", std::string("full"));
    for (std::size_t k = 0; k < enum_names<ComponentShape>.size(); ++k)
        if (enum_names<ComponentShape>[k] == shape) settings.shape = static_cast<ComponentShape>(k);
    settings.steps.starts = request.value("starts", std::size_t{1});
    return settings;
}

Context context_of(const Json& request) {
    Context context;
    context.seed = request.value("seed", std::uint64_t{0});
    return context;
}

KMeansSettings beginning_at(const Matrix& centres, std::size_t steps) {
    KMeansSettings settings;
    settings.given = centres;
    settings.centre_count = centres.row_count;
    settings.start = CentreStart::given;
    settings.step_limit = std::max<std::size_t>(1, steps);
    settings.tolerance = 0;
    return settings;
}

// The group that each row begins in: that of the nearest stated place, or the one that it is labelled with.
std::vector<std::int32_t> first_groups(const Session& session, const Schema& schema, const Json& request) {
    const LabeledBlock rows{block_of(session.values, session.column_count)};
    MemoryStream stream(rows, schema);
    const Matrix places = matrix_of(request.at("centres"), session.column_count);
    KMeans around = fit_k_means(stream, schema, beginning_at(places, 1), context_of(request)).value();
    around.centres = places;
    auto groups = around.predict(rows, {}).value();
    if (request.value("labels", false))
        for (std::size_t row = 0; row < groups.size(); ++row)
            if (session.codes[row] >= 0) groups[row] = session.codes[row];
    for (std::size_t c = 0; c < places.row_count; ++c)
        if (std::ranges::find(groups, static_cast<std::int32_t>(c)) == groups.end())
            throw Exception(Error("no point begins in group " + std::to_string(c + 1) + ": move its start nearer"));
    return groups;
}

// What `suffice cluster --start` begins with: each component as the rows of its group have it.
Classifier first_model(Stream& stream, const Schema& schema, const std::vector<std::int32_t>& groups,
                       const GaussianMixtureSettings& settings) {
    return start_from_labels(gaussian_mixture_recipe(schema, settings).value(), stream, groups, {}).value();
}

Json mixture_json(const Session& session, const Classifier& model) {
    const auto components = components_of(model).value();
    Json answer{{"weights", components.weight},
                {"means", rows_of(components.mean)},
                {"covariances", components.covariance},
                {"shares", rows_of(model.posteriors(block_of(session.values, session.column_count)).value())},
                {"parameter_count", model.parameter_count()}};
    for (std::size_t c = 0; c < components.weight.size(); ++c) {
        const auto mean = components.mean.row(c);
        answer["outlines"].push_back(lines_of({mean.begin(), mean.end()}, components.covariance[c], 2));
    }
    return answer;
}

}  // namespace

// {"columns", "centres", "steps"}: Lloyd's steps from the means of the rows nearest to these places. `path` has the sum
// of squares before each step.
Json step_k_means(Session& session, const Json& request) {
    const Schema schema = names_of(request);
    const auto groups = first_groups(session, schema, request);
    const LabeledBlock rows{block_of(session.values, session.column_count)};
    MemoryStream stream(rows, schema);
    const std::size_t k = request.at("centres").size(), steps = request.at("steps");
    const auto first = first_model(stream, schema, groups, {.components = k, .shape = ComponentShape::spherical});
    const Matrix means = components_of(first).value().mean;
    KMeans found = fit_k_means(stream, schema, beginning_at(means, steps), context_of(request)).value();
    if (steps == 0) found.centres = means;
    std::vector<double> squared;
    const auto nearest = found.predict(rows, {}, &squared).value();
    double inertia = 0;
    for (const double each : squared) inertia += each;
    return {{"centres", rows_of(found.centres)},
            {"nearest", steps == 0 ? groups : nearest},
            {"groups", groups},
            {"inertia", inertia},
            {"path", found.path},
            {"steps", steps == 0 ? 0 : found.steps},
            {"settled", steps > 0 && found.settled}};
}

// {"columns", "k", "shape", "centres", "steps", "labels"}: EM stopped after so many steps, from the rows nearest to
// these places. Codes of the rows that are not -1 are labels where "labels" is true: the component that such a row is
// of.
Json step_mixture(Session& session, const Json& request) {
    const Schema schema = names_of(request);
    GaussianMixtureSettings settings = mixture_settings(request);
    const std::size_t steps = request.at("steps");
    const bool labels = request.value("labels", false);
    const auto groups = first_groups(session, schema, request);
    const LabeledBlock rows{block_of(session.values, session.column_count),
                            labels ? std::span<const std::int32_t>(session.codes) : std::span<const std::int32_t>()};
    MemoryStream stream(rows, schema);
    const Classifier first = first_model(stream, schema, groups, settings);
    settings.steps.tolerance = 0;
    settings.steps.step_limit = std::max<std::size_t>(1, steps);
    Mixture learner{first, {}};
    for (std::size_t c = 0; c < first.class_count(); ++c) learner.class_of.push_back(static_cast<std::int32_t>(c));
    const MixtureFit fit = continue_mixture(learner, stream, settings.steps, context_of(request)).value();
    Json answer = mixture_json(session, steps == 0 ? first : fit.model);
    answer.update({{"groups", groups},
                   {"log_likelihood", steps == 0 ? fit.path.front() : fit.log_likelihood},
                   {"path", fit.path},
                   {"steps", steps == 0 ? 0 : fit.steps},
                   {"settled", steps > 0 && fit.settled}});
    return answer;
}

// {"columns", "most", "shape", "seed"}: BIC of one to so many components.
Json choose_mixture(Session& session, const Json& request) {
    const Schema schema = names_of(request);
    std::vector<std::size_t> counts(request.at("most").get<std::size_t>());
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = k + 1;
    GaussianMixtureSettings settings = mixture_settings(request);
    const std::vector<ComponentShape> shapes{settings.shape};
    MemoryStream stream(LabeledBlock{block_of(session.values, session.column_count)}, schema);
    const auto chosen = choose_gaussian_mixture(stream, schema, counts, shapes, settings, context_of(request)).value();
    Json answer = Json::array();
    for (const auto& each : chosen.candidates)
        answer.push_back({{"k", each.components}, {"bic", each.bic}, {"log_likelihood", each.log_likelihood}});
    return answer;
}

// {"columns", "classes", "steps", "penalty", "basis"}: Newton's method from zero, stopped after so many steps; the
// model in hand becomes this one.
Json step_logistic(Session& session, const Json& request) {
    const Schema schema = names_of(request);
    LogisticSettings settings;
    settings.penalty = request.value("penalty", 0.0);
    settings.step_limit = std::max(1u, request.value("steps", 200u));
    const LabeledBlock rows{block_of(session.values, session.column_count), session.codes};
    MemoryStream stream(rows, schema);
    std::vector<BasisTerm> terms;
    for (const auto& text : request.value("basis", std::vector<std::string>()))
        terms.push_back(BasisTerm::parse(text).value());
    const Features features = fit_features(schema, terms, stream, {}).value();
    LogisticParameter zero;
    zero.coefficient.assign(schema.classes.size() * features.count(), 0);
    zero.intercept.assign(schema.classes.size(), 0);
    const bool stopped = request.contains("steps");
    LogisticTrace watched;  // who watches gets the start as it was stated, though a better one is known
    auto fitted = fit_logistic_regression(schema, features, stream, settings, {},
                                          stopped ? std::optional(zero) : std::nullopt, stopped ? &watched : nullptr)
                      .value();
    LogisticState state = fitted.state();
    if (stopped && request.at("steps") == 0) {
        state.parameter = zero;
        fitted = LogisticRegression::from(state).value();
    }
    Json answer = told_of(fitted);
    answer["names"] = features.names(schema);
    answer["contrasts"] = rows_of(fitted.contrasts());
    answer["separated"] = state.separated;
    take_in_hand(std::make_unique<LogisticRegression>(std::move(fitted)));
    return answer;
}

}  // namespace suffice::page
