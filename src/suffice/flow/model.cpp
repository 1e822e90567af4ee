// A model as users hold it, saved and loaded.
#include "suffice/flow/model.hpp"

#include "suffice/base/guarded.hpp"
#include "suffice/model/calibrated.hpp"

namespace suffice {
namespace {

template <class Kind, class State>
Result<std::shared_ptr<const Predictor>> hold(State state) {
    auto made = Kind::from(std::move(state));
    if (!made) return made.error();
    return std::shared_ptr<const Predictor>(std::make_shared<const Kind>(std::move(*made)));
}

Result<std::shared_ptr<const Predictor>> make_predictor(PredictorState state) {
    if (auto* logistic = std::get_if<LogisticState>(&state)) return hold<LogisticRegression>(std::move(*logistic));
    if (auto* mixture = std::get_if<MixtureState>(&state)) return hold<MixtureDiscriminant>(std::move(*mixture));
    return hold<Classifier>(std::get<ModelState>(std::move(state)));
}

}  // namespace

DenseBlock rows(const double* values, std::size_t row_count, std::size_t column_count) {
    return {values, Element::f64, row_count, column_count, static_cast<std::ptrdiff_t>(column_count), 1};
}

DenseBlock rows(const float* values, std::size_t row_count, std::size_t column_count) {
    return {values, Element::f32, row_count, column_count, static_cast<std::ptrdiff_t>(column_count), 1};
}

Result<Model> Model::from(ModelFile file, std::vector<Note> notes) {
    return guarded([&]() -> Result<Model> {
        Model made;
        auto predictor = make_predictor(std::move(file.state));
        if (!predictor) return predictor.error();
        made.plain_ = made.predictor_ = std::move(*predictor);
        made.seen_ = std::move(file.seen);
        made.notes_ = std::move(notes);
        made.notes_.insert(made.notes_.end(), made.predictor_->notes().begin(), made.predictor_->notes().end());
        return made.with_calibration(std::move(file.calibration)).with_decision(std::move(file.decision));
    });
}

ModelFile Model::file() const {
    if (const auto* logistic = as<LogisticRegression>()) return {logistic->state(), seen_, calibration_, decision_};
    if (const auto* mixture = as<MixtureDiscriminant>()) return {mixture->state(), seen_, calibration_, decision_};
    return {as<Classifier>()->state(), seen_, calibration_, decision_};
}

Model Model::with_calibration(Calibration calibration) const {
    Model other = *this;
    const bool none = std::holds_alternative<NoCalibration>(calibration.stage());
    other.calibration_ = none ? Calibration{} : std::move(calibration);
    other.predictor_ = plain_;
    other.decision_ = {};
    if (!none) other.predictor_ = std::make_shared<const CalibratedPredictor>(plain_, other.calibration_);
    return other;
}

Result<Model> Model::with_decision(DecisionStage decision) const {
    return guarded([&]() -> Result<Model> {
        if (auto named = thresholds_by_class(decision.thresholds, classes()); !named) return named.error();
        Model other = *this;
        other.decision_ = std::move(decision);
        return other;
    });
}

Model Model::with_comparison(std::vector<Compared> compared) const {
    Model other = *this;
    other.seen_.compared = std::move(compared);
    return other;
}

Model Model::with_note(Note note) const {
    Model other = *this;
    other.notes_.push_back(std::move(note));
    return other;
}

Model Model::with_choices(std::vector<ColumnChoice> choices) const {
    Model other = *this;
    other.choices_ = std::move(choices);
    return other;
}

std::vector<std::string> Model::columns() const {
    std::vector<std::string> names;
    for (const auto& column : schema().columns) names.push_back(column.name);
    return names;
}

Result<std::vector<std::string>> Model::predict(const Block& x, const Context& context) const {
    return guarded([&]() -> Result<std::vector<std::string>> {
        const auto codes = predictor_->predict(x, context);
        if (!codes) return codes.error();
        std::vector<std::string> names;
        for (const auto code : *codes) names.push_back(classes()[static_cast<std::size_t>(code)]);
        return names;
    });
}

Result<Matrix> Model::posteriors(const Table& table, const Context& context) const {
    return guarded([&]() -> Result<Matrix> {
        const auto encoded = table.encode(schema().columns);
        if (!encoded) return encoded.error();
        return posteriors(encoded->rows(), context);
    });
}

Result<std::vector<std::string>> Model::predict(const Table& table, const Context& context) const {
    return guarded([&]() -> Result<std::vector<std::string>> {
        const auto encoded = table.encode(schema().columns);
        if (!encoded) return encoded.error();
        return predict(encoded->rows(), context);
    });
}

Result<void> save(const Model& model, const std::string& path) {
    return guarded([&]() -> Result<void> { return save_model_file(model.file(), path); });
}

Result<Model> load(const std::string& path) {
    return guarded([&]() -> Result<Model> {
        auto file = load_model_file(path);
        if (!file) return file.error();
        return Model::from(std::move(*file));
    });
}

}  // namespace suffice
