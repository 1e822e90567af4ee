// Models cross-validated together over rows in memory.
#include "core/compare.hpp"

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/blocks_stream.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace suffice::python {

nb::dict compared_dict(const Compared& one) {
    nb::dict all;
    all["model"] = one.model;
    all["options"] = spelled(one.options, spell_keyword);
    const auto number = [&](const char* name, double value) {
        all[name] = !one.failed() ? nb::cast(value) : nb::none();
    };
    number("accuracy", one.accuracy);
    number("accuracy_se", one.accuracy_error);
    number("log_loss", one.log_loss);
    number("log_loss_se", one.log_loss_error);
    number("difference", one.difference);
    number("difference_se", one.difference_error);
    all["parameters"] = !one.failed() ? nb::cast(one.parameter_count) : nb::none();
    all["bic"] = one.has_bic && !one.failed() ? nb::cast(one.bic) : nb::none();
    all["evidence"] = one.has_evidence && !one.failed() ? nb::cast(one.evidence) : nb::none();
    number("seconds", one.seconds);
    all["fold_log_loss"] = one.fold_log_loss;
    if (one.unfinished) all["unfinished"] = true;
    if (one.failed()) all["failure"] = one.failure.told(spell_keyword);
    return all;
}

nb::object nested_dict(const std::optional<NestedScores>& nested) {
    if (!nested) return nb::none();
    nb::dict scores;
    scores["log_loss"] = nested->log_loss;
    scores["log_loss_se"] = nested->log_loss_error;
    scores["accuracy"] = nested->accuracy;
    scores["accuracy_se"] = nested->accuracy_error;
    return scores;
}

namespace {

// models: by name; empty: all that fit the columns. folds: an array for each repetition. Best first.
nb::tuple compare(nb::handle rows, nb::handle codes, const std::vector<std::string>& classes, nb::handle weights,
                  const nb::list& columns, const nb::list& folds, const std::vector<std::string>& models, bool ordered,
                  bool nested, double budget, int threads) {
    const RowsArgument x(rows);
    const Buffer code_buffer(codes);
    const OptionalNumbers weight(weights);
    const Schema names{columns_from(columns), classes};
    const auto label = code_buffer.codes("codes");
    std::vector<FoldPlan> plans;
    for (const nb::handle each : folds) {
        const Buffer buffer(each);
        const auto fold = buffer.codes("folds");
        if (label.size() != x.row_count() || fold.size() != x.row_count())
            throw Exception(Error("rows, labels and folds do not match in number"));
        plans.push_back(FoldPlan::given({fold.begin(), fold.end()}, ordered).value());
    }
    std::vector<Candidate> candidates;
    for (const std::string& model : models) {
        const std::string name = canonical_model(model).value();
        candidates.push_back({name, {}, Recipe{.model = name}});
    }
    if (models.empty()) candidates = usual_candidates(names, static_cast<double>(label.size()));
    const auto stream = blocks_stream(x.blocks(), label, weight.doubles("weights"), names);
    Comparison done;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        done = cross_validate(*stream, names, candidates, plans, running.context(), {0, nested, budget}).value();
    }
    nb::list all;
    for (const Compared& each : done.models) all.append(compared_dict(each));
    return nb::make_tuple(all, nested_dict(done.nested));
}

// The folds that the command would deal these labels out to; -1: no class, no fold.
Array<std::int32_t> folds_of(nb::handle codes, std::size_t class_count, std::uint32_t fold_count, std::uint64_t seed) {
    const Buffer labels(codes);
    const auto label = labels.codes("codes");
    const LabeledBlock rows{DenseBlock{nullptr, Element::f64, label.size(), 0, 0, 1}, label, {}, 0};
    MemoryStream stream(rows, {});
    Context context;
    context.seed = seed;
    const Result<FoldPlan> dealt = FoldPlan::stratified(stream, class_count, fold_count, context);
    const FoldPlan& plan = dealt.value();
    auto folds = new_array<std::int32_t>({label.size()});
    for (std::size_t first = 0; first < label.size(); first += MemoryStream::unit_rows) {
        const std::size_t count = std::min(MemoryStream::unit_rows, label.size() - first);
        std::ranges::copy(plan.folds(rows.slice(first, count)), folds.data() + first);
    }
    return folds;
}

// Folds in which rows of one group stay together.
Array<std::int32_t> group_folds(nb::handle groups, std::uint32_t fold_count, std::uint64_t seed) {
    const Buffer buffer(groups);
    const auto group = buffer.codes("groups");
    Context context;
    context.seed = seed;
    const auto dealt = FoldPlan::of_groups({group.begin(), group.end()}, fold_count, context);
    auto folds = new_array<std::int32_t>({group.size()});
    std::ranges::copy(dealt, folds.data());
    return folds;
}

}  // namespace

void bind_compare(nb::module_& module) {
    module.def("compare", &compare, nb::arg("rows"), nb::arg("codes"), nb::arg("classes"), nb::arg("weights").none(),
               nb::arg("columns"), nb::arg("folds"), nb::arg("models"), nb::arg("ordered") = false,
               nb::arg("nested") = false, nb::arg("budget") = 0.0, nb::arg("threads") = 0);
    module.def("group_folds", &group_folds, nb::arg("groups"), nb::arg("fold_count"), nb::arg("seed"));
    module.def("stratified_folds", &folds_of, nb::arg("codes"), nb::arg("class_count"), nb::arg("fold_count"),
               nb::arg("seed"));
}

}  // namespace suffice::python
