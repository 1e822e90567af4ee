// A model as users hold it: a classifier, what it has seen, and what must be said about it. The public face of the
// library.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suffice/encode/table.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice {

// Rows in memory, row-major unless strides say otherwise. NaN: missing.
DenseBlock rows(const double* values, std::size_t row_count, std::size_t column_count);
DenseBlock rows(const float* values, std::size_t row_count, std::size_t column_count);

class Model {
public:
    static Result<Model> from(ModelFile file, std::vector<Note> notes = {});

    const Predictor& predictor() const { return *predictor_; }  // calibrated where the model is
    const Calibration& calibration() const { return calibration_; }
    // Takes off the stage behind it, whose thresholds were chosen on other posteriors.
    Model with_calibration(Calibration calibration) const;
    const DecisionStage& decision() const { return decision_; }
    Result<Model> with_decision(DecisionStage decision) const;
    const Schema& schema() const { return predictor_->schema(); }
    std::shared_ptr<const Predictor> share() const { return predictor_; }
    // The same model with the table it was chosen from.
    Model with_comparison(std::vector<Compared> compared) const;
    // The model as one of its kinds, such as Classifier; null: it is another.
    template <class Kind>
    const Kind* as() const {
        return dynamic_cast<const Kind*>(plain_.get());
    }
    std::vector<std::string> columns() const;
    const std::vector<std::string>& classes() const { return schema().classes; }
    const Provenance& seen() const { return seen_; }
    const std::vector<Note>& notes() const { return notes_; }
    Model with_note(Note note) const;
    const std::vector<ColumnChoice>& choices() const { return choices_; }
    Model with_choices(std::vector<ColumnChoice> choices) const;
    ModelFile file() const;

    Result<Matrix> posteriors(const Block& x, const Context& context = {}) const {
        return predictor_->posteriors(x, context);
    }
    Result<std::vector<std::string>> predict(const Block& x, const Context& context = {}) const;
    // Columns of a table are found by name, its words as the levels of the model.
    Result<Matrix> posteriors(const Table& table, const Context& context = {}) const;
    Result<std::vector<std::string>> predict(const Table& table, const Context& context = {}) const;

private:
    std::shared_ptr<const Predictor> plain_, predictor_;  // never changed, so copies of a model share them
    Calibration calibration_;
    DecisionStage decision_;
    Provenance seen_;
    std::vector<Note> notes_;
    std::vector<ColumnChoice> choices_;
};

Result<void> save(const Model& model, const std::string& path);
Result<Model> load(const std::string& path);

}  // namespace suffice
