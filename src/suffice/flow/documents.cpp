// Feeds documents to models and scores them.
#include "suffice/flow/documents.hpp"

#include <algorithm>

#include "suffice/encode/names.hpp"
#include "suffice/model/document_feed.hpp"
#include "suffice/model/document_score.hpp"

namespace suffice {

Result<Model> fit_documents(std::span<const std::string_view> documents, const std::vector<std::string>& labels,
                            const FitOptions& options, const Context& context) {
    if (labels.size() != documents.size())
        return Error(std::to_string(labels.size()) + " labels for " + std::to_string(documents.size()) + " documents");
    const auto model = canonical_model(options.model);
    if (!model) return model.error();
    Schema schema;
    schema.target = options.target;
    Column& column = schema.columns.emplace_back(options.columns.empty() ? "text" : options.columns[0]);
    column.kind = ColumnKind::text;
    column.text = {options.text};
    if (*model == "ngram") {
        column.text[0].in_order = true;
        column.text[0].minimum_length = 1;
    }
    Vocabulary names;
    std::vector<std::int32_t> codes;
    codes.reserve(labels.size());
    for (const auto& label : labels) codes.push_back(label.empty() ? -1 : static_cast<std::int32_t>(names.add(label)));
    for (std::size_t c = 0; c < names.size(); ++c) schema.classes.emplace_back(names.word(c));
    if (schema.classes.size() < 2) return Error("there are fewer than two classes: the labels must hold at least two");
    const CodeMap sorted = leave_names(schema.classes, [](std::size_t) { return true; }, true);
    for (std::int32_t& code : codes)
        if (code >= 0) code = static_cast<std::int32_t>(sorted.to[static_cast<std::size_t>(code)]);
    const auto recipe = make_state(options.recipe(), schema);
    if (!recipe) return recipe.error();
    ModelFile made;
    if (options.unit_length) {
        if (options.use_unlabeled)
            return Error(ErrorKind::usage, "documents are scaled to length one where each of them has a class");
        auto state = fit_unit_documents(*recipe, {documents, codes, {}}, context);
        if (!state) return state.error();
        made.seen.rows = state->statistic.weight();
        made.state = std::move(*state);
    } else if (options.use_unlabeled) {
        const auto fit = fit_semi_supervised(*recipe, {documents, codes, {}}, options.unlabeled_weight, context);
        if (!fit) return fit.error();
        made.seen.rows = static_cast<double>(documents.size());
        made.state = fit->state();
    } else {
        DocumentStream stream({documents, codes, {}}, schema, true);
        auto state = feed_documents(*recipe, stream, context);
        if (!state) return state.error();
        made.seen.rows = state->statistic.weight();
        made.state = std::move(*state);
    }
    return Model::from(std::move(made));
}

Result<DocumentClassifier> DocumentClassifier::of(Model model) {
    const auto& columns = model.schema().columns;
    if (columns.size() != 1 || columns[0].kind != ColumnKind::text)
        return Error(ErrorKind::usage, "a model of documents has one column, of text");
    return DocumentClassifier(std::move(model));
}

Result<Matrix> DocumentClassifier::posteriors(std::span<const std::string_view> documents,
                                              const Context& context) const {
    const std::size_t classes = model_.classes().size();
    Matrix all(documents.size(), classes);
    const auto sink = [&](std::size_t first) {
        ScoreSink made;
        made.scores = all.values.data() + first * classes;
        made.stride = static_cast<std::ptrdiff_t>(classes);
        return made;
    };
    if (auto done = score_documents(model_.predictor(), words_, documents, sink, context); !done) return done.error();
    return all;
}

}  // namespace suffice
