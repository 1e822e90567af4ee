// Models cross-validated together over rows in memory.
#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/blocks_stream.hpp"
#include "core/running.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/compare/cross_validation.hpp"

namespace suffice::python {
namespace {

nb::dict dict_of(const Compared& one) {
    nb::dict all;
    all["model"] = one.model;
    all["options"] = one.options;
    const auto number = [&](const char* name, double value) {
        all[name] = one.failure.empty() ? nb::cast(value) : nb::none();
    };
    number("accuracy", one.accuracy);
    number("accuracy_se", one.accuracy_error);
    number("log_loss", one.log_loss);
    number("log_loss_se", one.log_loss_error);
    all["parameters"] = one.failure.empty() ? nb::cast(one.parameter_count) : nb::none();
    number("bic", one.bic);
    number("seconds", one.seconds);
    if (!one.failure.empty()) all["failure"] = one.failure;
    return all;
}

// models: by name; empty: all that fit the columns. Best first.
nb::list compare(nb::handle rows, nb::handle codes, const std::vector<std::string>& classes, nb::handle weights,
                 const nb::list& columns, nb::handle folds, const std::vector<std::string>& models, int threads) {
    const RowsArgument x(rows);
    const Buffer code_buffer(codes), fold_buffer(folds);
    const OptionalNumbers weight(weights);
    const Schema names{columns_from(columns), classes};
    const auto label = code_buffer.codes("codes");
    const auto fold = fold_buffer.codes("folds");
    if (label.size() != x.row_count() || fold.size() != x.row_count())
        throw Exception(Error("rows, labels and folds do not match in number"));
    std::vector<Candidate> candidates;
    for (const std::string& model : models) {
        const std::string name = canonical_model(model).value();
        candidates.push_back({name, "", Recipe{.model = name}});
    }
    if (models.empty()) candidates = usual_candidates(names, static_cast<double>(label.size()));
    const auto stream = blocks_stream(x.blocks(), label, weight.doubles("weights"), names);
    Comparison done;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        const Result<FoldPlan> plan = FoldPlan::given({fold.begin(), fold.end()});
        done = cross_validate(*stream, names, candidates, plan.value(), running.context()).value();
    }
    nb::list all;
    for (const Compared& each : done.models) all.append(dict_of(each));
    return all;
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

}  // namespace

void bind_compare(nb::module_& module) {
    module.def("compare", &compare, nb::arg("rows"), nb::arg("codes"), nb::arg("classes"), nb::arg("weights").none(),
               nb::arg("columns"), nb::arg("folds"), nb::arg("models"), nb::arg("threads") = 0);
    module.def("stratified_folds", &folds_of, nb::arg("codes"), nb::arg("class_count"), nb::arg("fold_count"),
               nb::arg("seed"));
}

}  // namespace suffice::python
