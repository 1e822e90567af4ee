// Models held against parts of rows: posteriors, explanations and measures of a batch, whatever the model is.
#include "core/arrays.hpp"
#include "core/arrow_reader.hpp"
#include "core/bind.hpp"
#include "core/evaluate.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice::python {
namespace {

nb::bytes bytes_from(std::span<const std::byte> bytes) {
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// What is computed of one block of rows, and put behind that of the blocks before.
struct BlockScores {
    std::vector<std::int32_t> best;
    std::vector<double> posteriors, evidence, contributions, intercepts;

    void append(const BlockScores& from) {
        best.insert(best.end(), from.best.begin(), from.best.end());
        posteriors.insert(posteriors.end(), from.posteriors.begin(), from.posteriors.end());
        evidence.insert(evidence.end(), from.evidence.begin(), from.evidence.end());
        contributions.insert(contributions.end(), from.contributions.begin(), from.contributions.end());
        intercepts.insert(intercepts.end(), from.intercepts.begin(), from.intercepts.end());
    }
};

class PartScorer {
public:
    explicit PartScorer(const nb::bytes& file)
        : model_(Model::from(from_file_bytes({file.c_str(), file.size()}).value()).value()) {}

    const Model& model() const { return model_; }
    std::size_t class_count() const { return model_.predictor().class_count(); }
    std::size_t column_count() const { return model_.schema().columns.size(); }

    // (best: rows, posteriors: rows x classes, log evidence: rows)
    nb::tuple score(nb::handle rows, const std::string& name, bool evidence, int threads) const {
        const BlockScores all =
            over(rows, name, threads, [&](const LabeledBlock& block) { return scores_of(block, evidence); });
        const std::size_t n = all.best.size();
        return nb::make_tuple(to_array<std::int32_t>(all.best, {n}),
                              to_array<double>(all.posteriors, {n, class_count()}),
                              to_array<double>(all.evidence, {all.evidence.size()}));
    }
    // (best: rows, contributions: rows x classes x columns, intercepts: rows x classes)
    nb::tuple explain(nb::handle rows, const std::string& name, int threads) const {
        const BlockScores all = over(rows, name, threads, [&](const LabeledBlock& block) -> Result<BlockScores> {
            auto made = scores_of(block, false);
            if (!made) return made;
            for (std::size_t row = 0; row < block.size(); ++row) add_explanation(block, row, *made);
            return made;
        });
        const std::size_t n = all.best.size();
        return nb::make_tuple(to_array<std::int32_t>(all.best, {n}),
                              to_array<double>(all.contributions, {n, class_count(), column_count()}),
                              to_array<double>(all.intercepts, {n, class_count()}));
    }
    nb::bytes measure(nb::handle rows, const std::string& name, const std::string& weight, int threads) const {
        auto reader = read_arrow_stream(rows, name).value();
        std::optional<Result<Evaluation>> made;
        {
            const nb::gil_scoped_release release;
            const Running running(threads);
            made = suffice::measure(model_, std::move(reader), weight, running.context());
        }
        return bytes_from(to_bytes(made->value()));
    }

private:
    template <class Work>
    BlockScores over(nb::handle rows, const std::string& name, int threads, const Work& work) const {
        auto reader = read_arrow_stream(rows, name).value();
        const nb::gil_scoped_release release;
        const Running running(threads);
        const ApplyOptions apply;
        const AppliedData applied = open_for_names(model_.schema(), std::move(reader), apply).value();
        BlockScores all;
        const auto score = [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&,
                               Workspace&) -> Result<BlockScores> { return work(block); };
        const auto append = [&](const BlockScores& made) -> Result<void> {
            all.append(made);
            return {};
        };
        map_in_order(*applied.data.stream, running.context(), score, append).value();
        return all;
    }
    Result<BlockScores> scores_of(const LabeledBlock& block, bool evidence) const {
        const std::size_t n = block.size(), k = class_count();
        BlockScores made{std::vector<std::int32_t>(n), std::vector<double>(n * k), {}, {}, {}};
        if (evidence) made.evidence.resize(n);
        ScoreSink sink;
        sink.best = made.best.data();
        sink.scores = made.posteriors.data();
        sink.stride = static_cast<std::ptrdiff_t>(k);
        if (evidence) sink.log_evidence = made.evidence.data();
        Context alone;
        alone.thread_count = 1;
        if (auto scored = model_.predictor().score(block.rows, sink, alone, block.first_row); !scored)
            return scored.error();
        return made;
    }
    void add_explanation(const LabeledBlock& block, std::size_t row, BlockScores& into) const {
        const Explanation all = model_.predictor().contributions(block.rows, row);
        const std::size_t k = class_count(), d = column_count(), start = into.contributions.size();
        into.intercepts.insert(into.intercepts.end(), all.intercept.begin(), all.intercept.end());
        into.contributions.resize(start + k * d);
        for (const auto& term : all.terms)
            for (std::size_t c = 0; c < k; ++c) into.contributions[start + c * d + term.column] += term.by_class[c];
    }

    Model model_;
};

// What parts measured, together.
nb::dict scores_of_parts(const nb::list& parts) {
    Evaluation all;
    for (const nb::handle each : parts) {
        const auto bytes = nb::cast<nb::bytes>(each);
        const std::span<const std::byte> given(reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size());
        all.merge(from_bytes<Evaluation>(given).value());
    }
    if (!(all.weight() > 0))
        throw Exception(Error("no row has a class that the model knows, so there is nothing to evaluate"));
    return dict_of(all.scores());
}

}  // namespace

void bind_part_scorer(nb::module_& module) {
    nb::class_<PartScorer>(module, "PartScorer")
        .def(nb::init<nb::bytes>())
        .def("score", &PartScorer::score, nb::arg("rows"), nb::arg("name") = "", nb::arg("evidence") = false,
             nb::arg("threads") = 0)
        .def("explain", &PartScorer::explain, nb::arg("rows"), nb::arg("name") = "", nb::arg("threads") = 0)
        .def("measure", &PartScorer::measure, nb::arg("rows"), nb::arg("name") = "", nb::arg("weight") = "",
             nb::arg("threads") = 0)
        .def_prop_ro("classes", [](const PartScorer& scorer) { return scorer.model().classes(); })
        .def_prop_ro("columns", [](const PartScorer& scorer) { return scorer.model().columns(); })
        .def_prop_ro("target", [](const PartScorer& scorer) { return scorer.model().schema().target; })
        .def_prop_ro("integer_classes",
                     [](const PartScorer& scorer) { return scorer.model().schema().integer_classes; });
    module.def("scores_of_parts", &scores_of_parts);
}

}  // namespace suffice::python
