// Models of documents: fed with lists of strings and scoring them, with no matrix in between.
#include <mutex>
#include <optional>

#include "core/bind.hpp"
#include "core/documents.hpp"
#include "core/running.hpp"
#include "core/score_arrays.hpp"
#include "core/setting_values.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/document_codes.hpp"
#include "suffice/flow/document_feed.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/model/document_score.hpp"
#include "suffice/model/draw_row.hpp"
#include "suffice/model/leave_one_out.hpp"
#include "suffice/show/report.hpp"

namespace suffice::python {
namespace {

// A classifier of one column of text, and its vocabulary as documents are looked up in it.
class TextModel {
public:
    explicit TextModel(Classifier model) : model_(std::move(model)) {}

    const Classifier& model() const { return model_; }
    const Vocabulary& words() const {
        std::call_once(made_, [this] { words_.emplace(model_.schema().columns[0].levels); });
        return *words_;
    }

private:
    Classifier model_;
    mutable std::once_flag made_;
    mutable std::optional<Vocabulary> words_;
};

// A blank state for documents.
State make_text(const std::string& model, const nb::dict& settings, const nb::dict& text, std::uint32_t order,
                bool integer_classes) {
    Recipe recipe;
    recipe.model = model;
    recipe.settings = settings_from(settings);
    recipe.parts.order = order;
    Column column;
    column.name = "text";
    column.kind = ColumnKind::text;
    column.text = {text_options_from(text)};
    return State(make_state(recipe, {{std::move(column)}, {}, {}, integer_classes}).value());
}

// Documents with their labels and weights, and what the labels mean.
class DocumentLesson {
public:
    DocumentLesson(const State& state, nb::handle documents, nb::handle codes, std::vector<std::string> classes,
                   nb::handle weights)
        : documents_(documents), codes_(codes), weights_(weights) {
        if (labeled().label.size() != documents_.size() ||
            (!labeled().weight.empty() && labeled().weight.size() != documents_.size()))
            throw Exception(Error("documents, labels and weights do not match in number"));
        for (const std::int32_t code : labeled().label)
            if (code >= static_cast<std::int32_t>(classes.size()))
                throw Exception(Error("a label's code has no class"));
        const Schema& before = state.get().statistic.schema;
        const Column& text = before.columns.at(0);
        names_ = {{Column{text.name, text.kind, {}, 0, text.text}},
                  std::move(classes),
                  before.target,
                  before.integer_classes};
    }
    LabeledDocuments labeled() const {
        return {documents_.views(), codes_.codes("codes"), weights_.doubles("weights")};
    }
    const Schema& names() const { return names_; }

private:
    Documents documents_;
    Buffer codes_;
    OptionalNumbers weights_;
    Schema names_;
};

State feed_documents(const State& state, nb::handle documents, nb::handle codes, std::vector<std::string> classes,
                     nb::handle weights, int threads) {
    check_is_sum(state.get()).value();
    const DocumentLesson lesson(state, documents, codes, std::move(classes), weights);
    const nb::gil_scoped_release release;
    const Running running(threads);
    DocumentStream stream(lesson.labeled(), lesson.names(), true);
    return with_rows(state, lesson.names(), [&](ModelState blank) {
        return suffice::feed_documents(std::move(blank), stream, running.context());
    });
}

// EM over documents of which some have no label (code -1); every class has a labelled document.
State feed_unlabeled_documents(const State& state, nb::handle documents, nb::handle codes,
                               std::vector<std::string> classes, nb::handle weights, double unlabeled_weight,
                               int threads) {
    const DocumentLesson lesson(state, documents, codes, std::move(classes), weights);
    const nb::gil_scoped_release release;
    const Running running(threads);
    const ModelState blank = blank_state(state, lesson.names());
    return State(fit_semi_supervised(blank, lesson.labeled(), unlabeled_weight, running.context()).value().state());
}

// Documents scaled to length one: two passes, so that nothing can be added later.
State feed_unit_documents(const State& state, nb::handle documents, nb::handle codes, std::vector<std::string> classes,
                          nb::handle weights, int threads) {
    const DocumentLesson lesson(state, documents, codes, std::move(classes), weights);
    const nb::gil_scoped_release release;
    const Running running(threads);
    return State(fit_unit_documents(blank_state(state, lesson.names()), lesson.labeled(), running.context()).value());
}

TextModel* estimate_text(const State& state, nb::handle model, const nb::dict& settings) {
    ModelState chosen = model.is_none() ? state.get() : under_settings(state, nb::cast<std::string>(model), settings);
    const nb::gil_scoped_release release;
    return new TextModel(Classifier::from(std::move(chosen)).value());
}

nb::object score_text(const TextModel& text, nb::handle documents, const std::string& form, int threads) {
    const Documents all(documents);
    const ScoreArrays scores(form, all.size(), text.model().class_count());
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        if (form == "log_evidence") text.model().check_density().value();
        const auto sink = [&](std::size_t first) { return scores.sink(first); };
        score_documents(text.model(), text.words(), all.views(), sink, running.context()).value();
    }
    return scores.result();
}

// Documents as one block of words, for what is not worth a stream.
class WordBlock {
public:
    WordBlock(const TextModel& text, const Documents& documents)
        : tokenizer_(Tokenizer::make(options_of(text.model().schema().columns[0])).value()), codes_(tokenizer_) {
        Vocabulary none;
        const auto views = documents.views();
        codes_.read(views.size(), [&](std::size_t row) { return views[row]; }, &text.words(), none).value();
        view_.tokens = codes_.view(text.words().size());
        view_.validity = codes_.validity();
        row_count_ = views.size();
    }
    Block block() const { return ColumnBlock{{&view_, 1}, row_count_, 0}; }

private:
    static TextOptions options_of(const Column& column) { return column.text.empty() ? TextOptions{} : column.text[0]; }
    Tokenizer tokenizer_;
    DocumentCodes codes_;
    ColumnView view_;
    std::size_t row_count_ = 0;
};

// (values, document, class, word of each, intercepts: documents x classes)
nb::tuple explain_text(const TextModel& text, nb::handle documents) {
    const Documents all(documents);
    const std::size_t k = text.model().class_count();
    auto intercepts = new_array<double>({all.size(), k});
    std::vector<double> value;
    std::vector<std::int32_t> document, of_class, word;
    {
        const nb::gil_scoped_release release;
        const WordBlock words(text, all);
        for (std::size_t row = 0; row < all.size(); ++row) {
            const Explanation made = text.model().explain(words.block(), row).value();
            std::ranges::copy(made.intercept, intercepts.data() + row * k);
            for (const auto& term : made.terms)
                for (std::size_t c = 0; c < k; ++c) {
                    if (term.level == Explanation::no_level) {  // of the document as a whole
                        intercepts.data()[row * k + c] += term.by_class[c];
                        continue;
                    }
                    value.push_back(term.by_class[c]);
                    document.push_back(static_cast<std::int32_t>(row));
                    of_class.push_back(static_cast<std::int32_t>(c));
                    word.push_back(static_cast<std::int32_t>(term.level));
                }
        }
    }
    const auto array = [](const std::vector<std::int32_t>& from) {
        return to_array<std::int32_t>(from, {from.size()});
    };
    return nb::make_tuple(to_array(value), array(document), array(of_class), array(word), intercepts);
}

// (documents, class codes)
nb::tuple sample_text(const TextModel& text, std::size_t count, std::uint64_t seed) {
    const Classifier& model = text.model();
    model.check_density().value();
    const std::vector<std::string>& words = model.schema().columns[0].levels;
    nb::list documents;
    auto codes = new_array<std::int32_t>({count});
    for (std::size_t row = 0; row < count; ++row) {
        const DrawnRow drawn = draw_row(model, seed, row);
        documents.append(nb::cast(document_text(drawn.row.tokens[0], words)));
        codes.data()[row] = static_cast<std::int32_t>(drawn.of_class);
    }
    return nb::make_tuple(documents, codes);
}

Array<double> text_left_out(const TextModel& text, nb::handle documents, nb::handle codes, nb::handle weights,
                            int threads) {
    const Documents all(documents);
    const Buffer code_buffer(codes);
    const OptionalNumbers weight(weights);
    Matrix scores;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        const WordBlock words(text, all);
        const LabeledBlock labeled{words.block(), code_buffer.codes("codes"), weight.doubles("weights"), 0};
        if (labeled.label.size() != labeled.size()) throw Exception(Error("documents and labels differ in number"));
        scores = leave_one_out(text.model(), labeled, running.context()).value();
    }
    return to_array<double>(scores.values, {scores.row_count, scores.column_count});
}

std::string text_report(const TextModel& text, nb::handle documents, nb::handle codes, nb::handle weights,
                        const std::string& format, int threads) {
    const Documents all(documents);
    const Buffer code_buffer(codes);
    const OptionalNumbers weight(weights);
    ReportOptions options;
    options.spell = spell_keyword;
    options.format = format == "html" ? ReportFormat::html
                     : format == "md" ? ReportFormat::markdown
                                      : ReportFormat::json;
    const nb::gil_scoped_release release;
    const Running running(threads);
    const WordBlock words(text, all);
    const LabeledBlock labeled{words.block(), code_buffer.codes("codes"), weight.doubles("weights"), 0};
    if (labeled.label.size() != labeled.size()) throw Exception(Error("documents and labels differ in number"));
    const ModelState& state = text.model().state();
    const Model model = Model::from({state, {state.statistic.weight(), {}}}).value();
    return report(model, labeled, options, running.context()).value().text;
}

}  // namespace

void bind_text_model(nb::module_& module) {
    nb::class_<TextModel>(module, "TextModel")
        .def_static("estimate", &estimate_text, nb::arg("state"), nb::arg("model") = nb::none(),
                    nb::arg("settings") = nb::dict(), nb::rv_policy::take_ownership)
        .def("score", &score_text, nb::arg("documents"), nb::arg("form"), nb::arg("threads") = 0)
        .def("explain", &explain_text)
        .def("sample", &sample_text)
        .def("leave_one_out", &text_left_out, nb::arg("documents"), nb::arg("codes"), nb::arg("weights") = nb::none(),
             nb::arg("threads") = 0)
        .def("report", &text_report, nb::arg("documents"), nb::arg("codes"), nb::arg("weights").none(),
             nb::arg("format"), nb::arg("threads") = 0)
        .def_prop_ro("model", &TextModel::model, nb::rv_policy::reference_internal)
        .def_prop_ro("words", [](const TextModel& text) { return text.model().schema().columns[0].levels; });
    module.def("make_text", &make_text, nb::arg("model"), nb::arg("settings"), nb::arg("text"), nb::arg("order"),
               nb::arg("integer_classes"));
    module.def("feed_documents", &feed_documents, nb::arg("state"), nb::arg("documents"), nb::arg("codes"),
               nb::arg("classes"), nb::arg("weights") = nb::none(), nb::arg("threads") = 0);
    module.def("feed_unit_documents", &feed_unit_documents, nb::arg("state"), nb::arg("documents"), nb::arg("codes"),
               nb::arg("classes"), nb::arg("weights").none(), nb::arg("threads") = 0);
    module.def("feed_unlabeled_documents", &feed_unlabeled_documents, nb::arg("state"), nb::arg("documents"),
               nb::arg("codes"), nb::arg("classes"), nb::arg("weights").none(), nb::arg("unlabeled_weight"),
               nb::arg("threads") = 0);
}

}  // namespace suffice::python
