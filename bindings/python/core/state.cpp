// Statistics: fed with rows, merged, taken apart, decayed, turned into bytes and read off as arrays.
#include "core/state.hpp"

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/blocks_stream.hpp"
#include "core/flag_stream.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/group/mixture_discriminant.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/persist/bytes.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {
namespace {

ColumnKind kind_of(const std::string& name) {
    if (const auto kind = value_named<ColumnKind>(name); kind && *kind != ColumnKind::text) return *kind;
    throw Exception(Error(ErrorKind::usage, "there is no kind of column " + name));
}

Keep keep_of(const std::string& name) {
    Keep keep{};
    read_setting("keep", {name}, {}, keep).value();
    return keep;
}

State make(const std::string& model, const nb::dict& settings, const nb::list& columns, const nb::dict& families,
           const std::string& keep, bool integer_classes, std::vector<std::vector<std::string>> joint) {
    Recipe recipe;
    recipe.model = model;
    recipe.settings = settings_from(settings);
    recipe.parts.keep = keep_of(keep);
    recipe.parts.joint = std::move(joint);
    for (const auto& [column, family] : families)
        recipe.families.push_back({nb::cast<std::string>(column), nb::cast<std::string>(family)});
    ModelState state = make_state(recipe, {columns_from(columns), {}, {}, integer_classes}).value();
    apply_structure(settings, state.settings);
    state.settings.check().value();
    return State(std::move(state));
}

// The same columns without any class or level, so that a stream may bring its own.
ModelState without_names(const ModelState& from) {
    const auto none = [](std::size_t count) { return CodeMap{std::vector<std::uint32_t>(count, CodeMap::dropped), 0}; };
    ModelState fresh{from.model, from.settings, from.statistic.blank()};
    Recoding recoding{none(fresh.statistic.schema.classes.size()), {}};
    Schema names = fresh.statistic.schema;
    names.classes.clear();
    for (Column& column : names.columns) {
        recoding.levels.push_back(none(column.levels.size()));
        column.levels.clear();
    }
    fresh.statistic.recode(recoding, names);
    return fresh;
}

// What Python gives to learn from; codes mean `classes`, levels are those of `columns` (empty list: the state's).
struct Lesson {
    RowsArgument x;
    Buffer codes;
    OptionalNumbers weights;
    Schema names;

    Lesson(const State& state, nb::handle rows, nb::handle labels, std::vector<std::string> classes, nb::handle weight,
           const nb::list& columns)
        : x(rows), codes(labels), weights(weight), names(state.get().statistic.schema) {
        names.classes = std::move(classes);
        if (columns.size() > 0) names.columns = columns_from(columns);
        const std::size_t count = x.row_count(), weight_count = row_weights().size();
        if (label().size() != count || (weight_count != 0 && weight_count != count) ||
            x.column_count() != names.columns.size())
            throw Exception(Error("rows, labels and weights do not match in number"));
        for (std::int32_t code : label())
            if (code >= static_cast<std::int32_t>(names.classes.size()))
                throw Exception(Error("a label's code has no class"));
    }
    std::span<const std::int32_t> label() const { return codes.codes("codes"); }
    std::span<const double> row_weights() const { return weights.doubles("weights"); }
    std::unique_ptr<Stream> stream() const { return blocks_stream(x.blocks(), label(), row_weights(), names); }
    ModelState blank(const State& state) const { return blank_state(state, names); }
};

// The state with the rows added.
State feed_rows(const State& state, nb::handle rows, nb::handle codes, std::vector<std::string> classes,
                nb::handle weights, const nb::list& columns, nb::handle threshold, int threads) {
    check_is_sum(state.get()).value();
    const Lesson lesson(state, rows, codes, std::move(classes), weights, columns);
    const auto stream = threshold.is_none() ? lesson.stream()
                                            : flag_stream({lesson.x.block(), lesson.label(), lesson.row_weights(), 0},
                                                          lesson.names, nb::cast<double>(threshold));
    const nb::gil_scoped_release release;
    const Running running(threads);
    return with_rows(state, *stream, lesson.names, running.context());
}

// EM over rows of which some have no label (code -1). Every class has a labelled row and every level is declared, so
// that codes keep their meaning.
State feed_unlabeled(const State& state, nb::handle rows, nb::handle codes, std::vector<std::string> classes,
                     nb::handle weights, const nb::list& columns, int threads) {
    const Lesson lesson(state, rows, codes, std::move(classes), weights, columns);
    const auto stream = lesson.stream();
    const nb::gil_scoped_release release;
    const Running running(threads);
    return State(
        fit_semi_supervised(lesson.blank(state), *stream, 1, MixtureSettings{}, running.context()).value().state());
}

State merged(const State& left, const State& right) {
    Provenance seen = left.seen();
    seen.merge(right.seen());
    return State(merge(left.get(), right.get()).value(), std::move(seen));
}
State subtracted(const State& whole, const State& rows) {
    return State(subtract(whole.get(), rows.get()).value(), whole.seen());
}
State decayed(const State& state, double factor) { return State(decay(state.get(), factor).value(), state.seen()); }

// The same classes under other names, by which they are sorted again.
State with_class_names(const State& state, std::vector<std::string> names) {
    ModelState renamed = state.get();
    if (names.size() != renamed.statistic.schema.classes.size()) throw Exception(Error("each class needs one name"));
    renamed.statistic.schema.classes = std::move(names);
    renamed.statistic.tidy();
    return State(std::move(renamed), state.seen());
}

State with_settings(const State& state, const std::string& model, const nb::dict& settings) {
    return State(under_settings(state, model, settings), state.seen());
}

nb::bytes bytes_of(const State& state) {
    const auto bytes = to_bytes(state.get());
    return nb::bytes(bytes.data(), bytes.size());
}

State state_from_bytes(const nb::bytes& bytes) {
    return State(from_bytes<ModelState>({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()}).value());
}

nb::bytes file_of(const State& state) {
    Provenance seen = state.seen();
    seen.rows = state.get().statistic.weight();
    const std::string file = to_file_bytes({state.get(), std::move(seen)});
    return nb::bytes(file.data(), file.size());
}

State state_from_file(const nb::bytes& bytes) {
    const ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    if (const auto* state = std::get_if<ModelState>(&file.state)) return State(*state, file.seen);
    throw Exception(Error("the file holds a model that was fitted by repeated passes over its rows"));
}

}  // namespace

nb::list list_of(const std::vector<Column>& columns) {
    nb::list all;
    for (const Column& column : columns)
        all.append(
            nb::make_tuple(column.name, std::string(name_of(column.kind)), column.levels, column.declared_levels));
    return all;
}

std::vector<Column> columns_from(const nb::list& given) {
    std::vector<Column> columns;
    for (nb::handle each : given) {
        const auto parts = nb::cast<nb::tuple>(each);
        columns.push_back({nb::cast<std::string>(parts[0]), kind_of(nb::cast<std::string>(parts[1])),
                           nb::cast<std::vector<std::string>>(parts[2]), nb::cast<std::uint32_t>(parts[3])});
    }
    return columns;
}

ModelState blank_state(const State& like, const Schema& names) {
    ModelState fresh = without_names(like.get());
    fresh.statistic.grow(names);
    return fresh;
}

State with_rows(const State& state, Stream& stream, const Schema& names, const Context& context) {
    return with_rows(state, names, [&](ModelState blank) { return feed(std::move(blank), stream, context); });
}

State with_rows(const State& state, const Schema& names, const std::function<Result<ModelState>(ModelState)>& feed) {
    ModelState seen = feed(blank_state(state, names)).value();
    if (state.get().statistic.weight() == 0) return State(std::move(seen), state.seen());
    check_is_sum(seen).value();
    ModelState all = state.get();
    all.statistic.merge(seen.statistic);
    all.statistic.tidy();
    return State(std::move(all), state.seen());
}

ModelState under_settings(const State& state, const std::string& model, const nb::dict& settings) {
    Recipe recipe;
    recipe.model = model;
    recipe.settings = settings_from(settings);
    Settings own = model_settings(recipe).value();
    apply_structure(settings, own);
    const std::string canonical = canonical_model(model).value();
    if (canonical != state.get().model) return derive(state.get(), canonical, std::move(own)).value();
    ModelState other = state.get();  // of repeated passes too: only its estimates are others
    other.settings = std::move(own);
    return other;
}

void bind_state(nb::module_& module) {
    nb::class_<State>(module, "State")
        .def_static("make", &make, nb::arg("model"), nb::arg("settings"), nb::arg("columns"), nb::arg("families"),
                    nb::arg("keep") = "auto", nb::arg("integer_classes") = false, nb::arg("joint") = nb::list())
        .def_static("from_bytes", &state_from_bytes)
        .def_static("from_file", &state_from_file)
        .def("to_bytes", &bytes_of)
        .def("to_file", &file_of)
        .def("feed", &feed_rows, nb::arg("rows"), nb::arg("codes"), nb::arg("classes"), nb::arg("weights") = nb::none(),
             nb::arg("columns") = nb::list(), nb::arg("threshold") = nb::none(), nb::arg("threads") = 0)
        .def("feed_unlabeled", &feed_unlabeled, nb::arg("rows"), nb::arg("codes"), nb::arg("classes"),
             nb::arg("weights") = nb::none(), nb::arg("columns") = nb::list(), nb::arg("threads") = 0)
        .def("merge", &merged)
        .def("subtract", &subtracted)
        .def("decay", &decayed)
        .def("with_class_names", &with_class_names, nb::arg("names"))
        .def("with_settings", &with_settings, nb::arg("model"), nb::arg("settings"))
        .def("parts", &read_parts)
        .def_prop_ro("model", [](const State& state) { return state.get().model; })
        .def_prop_ro("settings", [](const State& state) { return dict_of(state.get().settings); })
        .def_prop_ro("text_options",
                     [](const State& state) -> nb::object {
                         const auto& column = state.get().statistic.schema.columns.front();
                         return column.text.empty() ? nb::none() : nb::object(dict_of(column.text.front()));
                     })
        .def_prop_ro("columns", [](const State& state) { return list_of(state.get().statistic.schema.columns); })
        .def_prop_ro("column_kinds",
                     [](const State& state) {
                         std::vector<std::string> kinds;
                         for (const Column& each : state.get().statistic.schema.columns)
                             kinds.emplace_back(name_of(each.kind));
                         return kinds;
                     })
        .def_prop_ro("classes", [](const State& state) { return state.get().statistic.schema.classes; })
        .def_prop_ro("class_weight",
                     [](const State& state) { return nb::cast(to_array(state.get().statistic.class_weight)); })
        .def_prop_ro("integer_classes", [](const State& state) { return state.get().statistic.schema.integer_classes; })
        .def_prop_ro("target", [](const State& state) { return state.get().statistic.schema.target; })
        .def_prop_ro("weight", [](const State& state) { return state.get().statistic.weight(); })
        .def("__eq__", [](const State& a, const State& b) { return a.get() == b.get(); });
}

}  // namespace suffice::python
