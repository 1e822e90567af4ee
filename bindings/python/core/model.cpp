// Fitted models: scores, explanations, samples and coefficients of a State's estimate.
#include <map>
#include <numeric>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/records.hpp"
#include "core/running.hpp"
#include "core/score_arrays.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/model/draw_row.hpp"
#include "suffice/model/given.hpp"
#include "suffice/model/leave_one_out.hpp"

namespace suffice::python {
namespace {

Classifier estimate(const State& state) {
    const nb::gil_scoped_release release;
    return Classifier::from(state.get()).value();
}

nb::object score(const Predictor& model, nb::handle rows, const std::string& form, int threads, nb::handle odd) {
    const RowsArgument x(rows);
    const std::size_t n = x.row_count(), k = model.class_count();
    check_rows(model.schema(), x.blocks().front()).value();
    const ScoreArrays scores(form, n, k);
    bool slow = false;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        ScoreSink sink = scores.sink();
        sink.odd = &slow;
        std::size_t first = 0;
        for (const Block& block : x.blocks()) {
            model.score(block, sink, running.context(), first).value();
            const std::size_t count = row_count(block);
            if (sink.best != nullptr) sink.best += count;
            if (sink.log_evidence != nullptr) sink.log_evidence += count;
            if (sink.scores != nullptr) sink.scores += static_cast<std::ptrdiff_t>(count) * sink.stride;
            first += count;
        }
    }
    if (slow && !odd.is_none()) odd();
    return scores.result();
}

// (contributions: rows x classes x columns, intercepts: rows x classes)
nb::tuple explain(const Predictor& model, nb::handle rows) {
    const RowsArgument x(rows);
    const std::size_t n = x.row_count(), k = model.class_count(), d = model.schema().columns.size();
    check_rows(model.schema(), x.blocks().front()).value();
    auto contributions = new_array<double>({n, k, d});
    auto intercepts = new_array<double>({n, k});
    {
        const nb::gil_scoped_release release;
        std::fill_n(contributions.data(), n * k * d, 0.0);
        std::size_t out = 0;
        for (const Block& block : x.blocks())
            for (std::size_t row = 0, first = out; row < row_count(block); ++row, ++out) {
                const Explanation all = model.explain(block, row, first).value();
                std::ranges::copy(all.intercept, intercepts.data() + out * k);
                for (const auto& term : all.terms)
                    for (std::size_t c = 0; c < k; ++c)
                        contributions.data()[(out * k + c) * d + term.column] += term.by_class[c];
            }
    }
    return nb::make_tuple(contributions, intercepts);
}

// log p(class | row) under the model refitted without the row.
Array<double> left_out(const Classifier& model, nb::handle rows, nb::handle codes, nb::handle weights, int threads) {
    const RowsArgument x(rows);
    const Buffer code_buffer(codes);
    const OptionalNumbers weight(weights);
    const LabeledBlock labeled{x.block(), code_buffer.codes("codes"), weight.doubles("weights"), 0};
    Matrix scores;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        scores = leave_one_out(model, labeled, running.context()).value();
    }
    return to_array<double>(scores.values, {scores.row_count, scores.column_count});
}

// (rows x columns, class codes, documents by the places of columns of text); categories as codes.
nb::tuple sample(const Predictor& model, std::size_t count, std::uint64_t seed) {
    const std::size_t d = model.schema().columns.size();
    auto rows = new_array<double>({count, d});
    auto codes = new_array<std::int32_t>({count});
    std::map<std::size_t, std::vector<std::string>> documents;
    for (std::size_t k = 0; k < d; ++k)
        if (model.schema().columns[k].kind == ColumnKind::text) documents[k];
    {
        const nb::gil_scoped_release release;
        for (std::size_t row = 0; row < count; ++row) {
            const DrawnRow drawn = draw_row(model, seed, row);
            codes.data()[row] = static_cast<std::int32_t>(drawn.of_class);
            std::ranges::copy(drawn.row.values, rows.data() + row * d);
            for (auto& [k, texts] : documents)
                texts.push_back(document_text(drawn.row.tokens[k], model.schema().columns[k].levels));
        }
    }
    nb::dict texts;
    for (const auto& [k, column] : documents) texts[nb::int_(k)] = nb::cast(column);
    return nb::make_tuple(rows, codes, texts);
}

// (error, standard error)
nb::tuple bayes_error(const Predictor& model, std::size_t count, std::uint64_t seed) {
    Rng rng(seed, "bayes_error");
    const auto error = simulate_bayes_error(model, count, rng).value();
    return nb::make_tuple(error.error, error.standard_error);
}

// (constant: k, linear: k x d, quadratic: k x d x d or None), or None.
nb::object form(const Predictor& model) {
    const auto found = model.form();
    if (!found) return nb::none();
    const std::size_t k = model.class_count(), d = model.schema().columns.size();
    auto linear = new_array<double>({k, d});
    for (std::size_t c = 0; c < k; ++c) std::ranges::copy(found->linear[c], linear.data() + c * d);
    const bool bent = std::ranges::any_of(found->quadratic, [](const auto& each) { return !each.empty(); });
    if (!bent) return nb::make_tuple(to_array(found->constant), linear, nb::none());
    auto quadratic = new_array<double>({k, d, d});
    std::fill_n(quadratic.data(), k * d * d, 0.0);
    for (std::size_t c = 0; c < k; ++c) {
        const auto& squares = found->quadratic[c];
        const std::size_t step = squares.size() == d ? d + 1 : 1;  // of squares alone: the diagonal
        for (std::size_t i = 0; i < squares.size(); ++i) quadratic.data()[c * d * d + i * step] = squares[i];
    }
    return nb::make_tuple(to_array(found->constant), linear, quadratic);
}

// [(column, family, {parameter: numbers} per class)]
nb::list describe(const Predictor& model) {
    nb::list all;
    for (const auto& column : model.describe().columns) {
        nb::list by_class;
        for (const Record& each : column.by_class) by_class.append(dict_of(each));
        all.append(nb::make_tuple(model.schema().columns[column.column].name, column.family, by_class));
    }
    return all;
}

// One parameter of every class and column: classes x columns; NaN where there is none.
Array<double> parameter(const Predictor& model, const std::string& name) {
    const auto described = model.describe();
    const std::size_t k = model.class_count(), d = model.schema().columns.size();
    auto table = new_array<double>({k, d});
    std::fill_n(table.data(), k * d, std::numeric_limits<double>::quiet_NaN());
    for (const auto& column : described.columns)
        for (std::size_t c = 0; c < k; ++c) table.data()[c * d + column.column] = column.by_class[c].number(name);
    return table;
}

// By group of classes, in the order of the first: (classes, columns x columns).
nb::list covariances(const Predictor& model) {
    nb::list all;
    for (const auto& each : model.describe().covariances)
        all.append(
            nb::make_tuple(each.classes, to_array<double>(each.values, {each.columns.size(), each.columns.size()})));
    return all;
}

}  // namespace

void bind_model(nb::module_& module) {
    nb::class_<Predictor>(module, "Predictor")
        .def("score", &score, nb::arg("rows"), nb::arg("form"), nb::arg("threads") = 0, nb::arg("odd") = nb::none())
        .def("explain", &explain)
        .def("sample", &sample)
        .def("bayes_error", &bayes_error)
        .def("form", &form)
        .def("describe", &describe)
        .def("parameter", &parameter)
        .def("covariances", &covariances)
        .def_prop_ro("classes", [](const Predictor& model) { return model.schema().classes; })
        .def_prop_ro("class_weight", [](const Predictor& model) { return nb::cast(to_array(model.class_weight())); })
        .def_prop_ro("log_prior", [](const Predictor& model) { return nb::cast(to_array(model.log_prior())); })
        .def_prop_ro("log_likelihood", &Predictor::log_likelihood)
        .def_prop_ro("parameter_count", &Predictor::parameter_count)
        .def_prop_ro("weight", &Predictor::weight)
        .def_prop_ro("bic", &Predictor::bic)
        .def_prop_ro("aic", &Predictor::aic)
        .def_prop_ro("notes", [](const Predictor& model) { return told(model.notes(), spell_keyword); });
    nb::class_<Classifier, Predictor>(module, "Model")
        .def_static("estimate", &estimate)
        .def("leave_one_out", &left_out, nb::arg("rows"), nb::arg("codes"), nb::arg("weights") = nb::none(),
             nb::arg("threads") = 0)
        .def_prop_ro("state", [](const Classifier& model) { return State(model.state()); })
        .def_prop_ro("rank", &Classifier::rank);
    module.def("model_names", [] {
        std::vector<std::string> names;
        for (const ModelEntry& each : models()) names.emplace_back(each.name);
        return names;
    });
}

}  // namespace suffice::python
