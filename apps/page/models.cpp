// Models of the page: fitted to its rows or stated by hand, asked about points, drawn from.
#include "models.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "suffice/flow/given_text.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice::page {
namespace {

constexpr std::array<NamedCall, 12> offered{{{"fit", fit_rows},
                                             {"state", state_model},
                                             {"score", score_rows},
                                             {"explain", explain_row},
                                             {"draw", draw_rows},
                                             {"grid", grid_of},
                                             {"evaluate", evaluate_rows},
                                             {"stream", stream_rows},
                                             {"k_means", step_k_means},
                                             {"mixture", step_mixture},
                                             {"choose_mixture", choose_mixture},
                                             {"logistic", step_logistic}}};

std::unique_ptr<Predictor> in_hand;

// Only classes that have rows are classes.
Schema seen_names(const Session& session, const Json& request, std::vector<std::int32_t>& codes) {
    Schema names = names_of(request);
    std::vector<std::int32_t> to(names.classes.size(), -1);
    std::vector<std::string> seen;
    for (const std::int32_t code : session.codes)
        if (code >= 0) to.at(static_cast<std::size_t>(code)) = 0;
    for (std::size_t code = 0; code < to.size(); ++code)
        if (to[code] == 0) {
            to[code] = static_cast<std::int32_t>(seen.size());
            seen.push_back(names.classes[code]);
        }
    codes.reserve(session.codes.size());
    for (const std::int32_t code : session.codes) codes.push_back(code < 0 ? -1 : to[static_cast<std::size_t>(code)]);
    names.classes = std::move(seen);
    return names;
}

// Covariance of an ellipse with these standard deviations along its axes, turned by an angle.
Json turned(const Json& axes, double angle) {
    const double a = axes.at(0), b = axes.at(1), c = std::cos(angle), s = std::sin(angle);
    const double xx = a * a * c * c + b * b * s * s, yy = a * a * s * s + b * b * c * c, xy = (a * a - b * b) * c * s;
    return {{xx, xy}, {xy, yy}};
}

// {"model", "groups"}: the model by its name, and which classes share a covariance, where that was said.
Recipe recipe_of(const Json& request) {
    Recipe recipe;
    recipe.model = request.value("model", std::string("naive_bayes"));
    if (request.contains("groups")) recipe.settings.groups = request.at("groups");
    return recipe;
}

double number_or_missing(const Json& value) {
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

}  // namespace

std::span<const NamedCall> calls() { return offered; }

const Predictor& model_in_hand() {
    if (!in_hand) throw Exception(Error(ErrorKind::not_fitted, "there is no model yet"));
    return *in_hand;
}
void take_in_hand(std::unique_ptr<Predictor> model) { in_hand = std::move(model); }

DenseBlock block_of(const std::vector<double>& values, std::size_t columns) {
    return {.values = values.data(),
            .row_count = values.size() / columns,
            .column_count = columns,
            .row_stride = static_cast<std::ptrdiff_t>(columns)};
}

Schema names_of(const Json& request) {
    Schema schema;
    for (const auto& column : request.at("columns")) {
        if (column.is_string())
            schema.columns.push_back({column.get<std::string>()});
        else
            schema.columns.push_back({column.at("name"), ColumnKind::category, column.at("levels")});
    }
    schema.classes = request.value("classes", std::vector<std::string>());
    return schema;
}

std::vector<double> values_of(const Json& rows) {
    std::vector<double> values;
    for (const auto& row : rows)
        for (const auto& value : row) values.push_back(number_or_missing(value));
    return values;
}

Json rows_of(const Matrix& matrix) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < matrix.row_count; ++row)
        rows.push_back(std::vector<double>(matrix.row(row).begin(), matrix.row(row).end()));
    return rows;
}

// {"columns", "classes", "model", "groups", "families"}: fitted to the rows in hand, as `suffice fit` does.
Json fit_rows(Session& session, const Json& request) {
    Recipe recipe = recipe_of(request);
    const Json families = request.value("families", Json::object());
    for (const auto& [column, family] : families.items())
        recipe.families.push_back({column, family.get<std::string>()});
    std::vector<std::int32_t> codes;
    const Schema names = seen_names(session, request, codes);
    const DenseBlock rows = block_of(session.values, session.column_count);
    MemoryStream stream({rows, codes}, names);
    take_in_hand(std::make_unique<Classifier>(fit(make_state(recipe, names).value(), stream).value()));
    return told_of(model_in_hand());
}

// {"columns", "classes", "model", "batch", "decay"}: the rows in hand as a stream of batches; before each but the
// first, what is known counts for `decay` of itself, as for `suffice update --decay`. What is known after each batch.
Json stream_rows(Session& session, const Json& request) {
    const Schema names = names_of(request);
    const std::size_t batch = request.at("batch"), count = session.codes.size();
    Recipe recipe;
    recipe.model = request.at("model");
    ModelState known = make_state(recipe, names).value();
    Json answer = Json::array();
    for (std::size_t first = 0; first < count; first += batch) {
        const std::size_t rows = std::min(batch, count - first);
        DenseBlock block = block_of(session.values, session.column_count);
        block.values = session.values.data() + first * session.column_count;
        block.row_count = rows;
        MemoryStream stream({block, std::span(session.codes).subspan(first, rows)}, names);
        if (first > 0) known = decay(std::move(known), request.at("decay").get<double>()).value();
        known = feed(std::move(known), stream, {}).value();
        const Description told = Classifier::from(known).value().describe();
        Json means = Json::array();
        for (const auto& column : told.columns) {
            means.push_back(Json::array());
            for (const auto& each : column.by_class) means.back().push_back(each.number("mean"));
        }
        answer.push_back({{"weights", known.statistic.class_weight}, {"means", means}});
    }
    return answer;
}

// {"given": what `suffice fit --given` takes, "model", "groups"}; covariances may be stated by {"axes", "angle"}. With
// a model this one is derived from what was stated, as by `suffice derive`.
Json state_model(Session&, const Json& request) {
    Json given = request.at("given");
    const auto plain = [](Json& covariance) {
        if (covariance.is_object()) covariance = turned(covariance.at("axes"), covariance.at("angle"));
    };
    if (given.contains("covariance")) plain(given["covariance"]);
    if (given.contains("covariances"))
        for (auto& covariance : given["covariances"]) plain(covariance);
    auto model = classifier_from(given_model_of(given.dump()).value()).value();
    Json answer{{"given", given}, {"stated_outlines", outlines_of(model, 2)}};
    if (request.contains("model"))
        model = derive(model, request.at("model"), model_settings(recipe_of(request)).value()).value();
    take_in_hand(std::make_unique<Classifier>(std::move(model)));
    answer.update(told_of(model_in_hand()));
    return answer;
}

Json score_rows(Session&, const Json& request) {
    const auto values = values_of(request.at("rows"));
    const Predictor& model = model_in_hand();
    const DenseBlock block = block_of(values, model.schema().columns.size());
    const std::size_t count = block.row_count;
    Matrix posterior(count, model.class_count()), joint(count, model.class_count());
    std::vector<double> evidence(count);
    std::vector<std::int32_t> best(count);
    const auto stride = static_cast<std::ptrdiff_t>(model.class_count());
    const bool has_density = static_cast<bool>(model.check_density());
    const ScoreSink first{ScoreSink::Form::posterior, posterior.values.data(), stride,
                          has_density ? evidence.data() : nullptr, best.data()};
    model.score(block, first, {}).value();
    Json answer{{"posteriors", rows_of(posterior)}, {"best", best}};
    if (!has_density) return answer;
    model.score(block, {ScoreSink::Form::log_joint, joint.values.data(), stride, nullptr, nullptr}, {}).value();
    answer["log_joint"] = rows_of(joint);
    answer["log_evidence"] = evidence;
    return answer;
}

Json explain_row(Session&, const Json& request) {
    const auto values = values_of(Json::array({request.at("row")}));
    const auto told = model_in_hand().explain(block_of(values, values.size()), 0).value();
    Json terms = Json::array();
    for (const auto& term : told.terms) terms.push_back({{"column", term.column}, {"by_class", term.by_class}});
    return {{"intercept", told.intercept}, {"terms", terms}};
}

// {"count", "seed"}: row r depends on the seed and on r alone, as for `suffice sample`.
Json draw_rows(Session&, const Json& request) {
    const Predictor& model = model_in_hand();
    model.check_density().value();
    const Rng rng(request.value("seed", std::uint64_t{0}), "page");
    std::vector<double> share(model.class_count());
    for (std::size_t c = 0; c < share.size(); ++c) share[c] = std::exp(model.log_prior()[c]);
    Json drawn = Json::array(), codes = Json::array();
    for (std::uint64_t row = 0, count = request.at("count"); row < count; ++row) {
        Rng own = rng.fork(row);
        std::size_t code = 0;
        for (double left = own.uniform() - share[0]; left >= 0 && code + 1 < share.size();) left -= share[++code];
        drawn.push_back(model.sample(code, own).values);
        codes.push_back(code);
    }
    return {{"rows", drawn}, {"codes", codes}};
}

}  // namespace suffice::page
