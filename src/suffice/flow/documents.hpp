// Models of documents in memory: what fit and predict are for files.
#pragma once
#include <span>
#include <string_view>

#include "suffice/encode/vocabulary.hpp"
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

// One text column, named `text` unless options.columns says otherwise; a class name for each document, empty: unknown.
// A document without memory is missing. options.model "naive_bayes" takes the words as multinomial_nb does.
Result<Model> fit_documents(std::span<const std::string_view> documents, const std::vector<std::string>& labels,
                            const FitOptions& options, const Context& context = {});

// Answers for documents again and again: the vocabulary is laid out once. The model must have one column, of text.
class DocumentClassifier {
public:
    static Result<DocumentClassifier> of(Model model);

    const Model& model() const { return model_; }
    Result<Matrix> posteriors(std::span<const std::string_view> documents, const Context& context = {}) const;

private:
    explicit DocumentClassifier(Model model)
        : model_(std::move(model)), words_(std::span<const std::string>(model_.schema().columns[0].levels)) {}

    Model model_;
    Vocabulary words_;
};

}  // namespace suffice
