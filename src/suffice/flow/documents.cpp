// Feeds documents to models and scores them.
#include "suffice/flow/documents.hpp"

#include <algorithm>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/document_stream.hpp"

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
    const auto recipe = make_state(options.recipe(), schema);
    if (!recipe) return recipe.error();
    DocumentStream stream({documents, codes, {}}, schema, true);
    auto state = feed(*recipe, stream, context);
    if (!state) return state.error();
    ModelFile made;
    made.seen.rows = state->statistic.weight();
    made.state = std::move(*state);
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
    Schema names;
    const Column& column = model_.schema().columns[0];
    names.columns.push_back({column.name, column.kind, {}, 0, column.text});
    DocumentStream stream({documents, {}, {}}, std::move(names), false, &words_);
    Context alone;
    alone.thread_count = 1;
    auto done = map_in_order(
        stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<bool> {
            ScoreSink sink;
            sink.scores = all.values.data() + block.first_row * classes;
            sink.stride = static_cast<std::ptrdiff_t>(classes);
            if (auto scored = model_.predictor().score(block.rows, sink, alone, block.first_row); !scored)
                return scored.error();
            return true;
        },
        [](bool) { return Result<void>{}; });
    if (!done) return done.error();
    return all;
}

}  // namespace suffice
