// Feeds documents to models and scores them.
#include "suffice/flow/documents.hpp"

#include <algorithm>

#include "suffice/encode/labels.hpp"
#include "suffice/flow/document_feed.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/model/document_score.hpp"

namespace suffice {

Result<Model> fit_documents(std::span<const std::string_view> documents, const std::vector<std::string>& labels,
                            const FitOptions& options, const Context& context) {
    if (labels.size() != documents.size())
        return Error(std::to_string(labels.size()) + " labels for " + std::to_string(documents.size()) + " documents");
    const auto model = model_entry(options.model);
    if (!model) return model.error();
    if (auto checked = check_settings(options); !checked) return checked.error();
    Schema schema;
    schema.target = options.target;
    Column& column = schema.columns.emplace_back(options.columns.empty() ? "text" : options.columns[0].name);
    column.kind = ColumnKind::text;
    column.text = {options.text};
    if ((*model)->sequences) {
        column.text[0].in_order = true;
        column.text[0].minimum_length = 1;
    }
    auto [codes, classes] = encode_labels(labels);
    if (classes.size() < 2) return Error("there are fewer than two classes: the labels must hold at least two");
    schema.classes = std::move(classes);
    const auto recipe = make_state(options.recipe(), schema);
    if (!recipe) return recipe.error();
    ModelFile made;
    if (options.passes.unit_length()) {
        if (options.passes.uses_unlabeled())
            return Error(ErrorKind::usage, "documents are scaled to length one where each of them has a class");
        auto state = fit_unit_documents(*recipe, {documents, codes, {}}, context);
        if (!state) return state.error();
        made.seen.rows = state->statistic.weight();
        made.state = std::move(*state);
    } else if (options.passes.uses_unlabeled()) {
        const auto fit = fit_semi_supervised(*recipe, {documents, codes, {}}, options.passes.unlabeled_weight, context);
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
