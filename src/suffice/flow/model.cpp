// Fits, merges, derives, saves and loads models.
#include "suffice/flow/model.hpp"

#include <algorithm>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/held_stream.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/flow/compare.hpp"
#include "suffice/flow/derivable.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/fold_column.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/model/calibrated.hpp"
#include "suffice/model/labeled_rows.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {
namespace {

// A label as an integer is written: those of all classes being so, Python gives them back as integers.
bool is_whole_number(const std::string& name) {
    const std::string_view digits = std::string_view(name).substr(name.starts_with('-') ? 1 : 0);
    return !digits.empty() && digits.size() < 19 && (digits[0] != '0' || name == "0") &&
           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

Result<void> need_two_classes(const ModelStatistic& statistic, const std::string& target) {
    const std::string what = target.empty() ? "the labels" : "the column " + target;
    if (statistic.schema.classes.empty()) return Error("no row has a class: " + what + " is empty everywhere");
    if (statistic.schema.classes.size() == 1)
        return Error("there is only one class, " + statistic.schema.classes[0] + ": " + what +
                     " must hold at least two");
    return {};
}

// Words that only documents without a class have belong to the vocabulary where EM learns from those: one pass more.
Result<void> declare_all_words(OpenedData& opened, Schema& schema, const Context& context) {
    const auto is_text = [](const Column& column) { return column.kind == ColumnKind::text; };
    if (std::ranges::none_of(schema.columns, is_text)) return {};
    if (auto again = opened.stream->rewind(); !again) return again;
    auto all = fold(LabeledRows{ModelStatistic(opened.schema, {})}, *opened.stream, context);
    if (!all) return all.error();
    for (std::size_t k = 0; k < schema.columns.size(); ++k) {
        Column& column = schema.columns[k];
        if (!is_text(column)) continue;
        column.levels = std::move(all->schema.columns[k].levels);
        sort_names(column.levels);
        column.declared_levels = static_cast<std::uint32_t>(column.levels.size());
    }
    return {};
}

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

Recipe FitOptions::recipe() const {
    Recipe made;
    made.model = model;
    made.families = families;
    made.joint = joint;
    made.keep = keep;
    made.estimate_given = estimate.has_value();
    Settings& settings = made.settings;
    if (estimate) settings.estimate = *estimate;
    settings.smoothing = smoothing;
    settings.column_priors = column_priors;
    settings.class_priors = class_priors;
    settings.given_priors = given_priors;
    settings.groups = groups;
    settings.shrinkage_amount = shrinkage;
    settings.shrinkage = shrinkage_kind == Shrinkage::none && shrinkage > 0 ? Shrinkage::fixed : shrinkage_kind;
    settings.own_share = alpha;
    settings.identity_share = gamma;
    settings.strict = strict;
    settings.min_documents = min_documents;
    settings.max_documents = max_documents;
    settings.max_words = max_words;
    settings.normalize_weights = normalize_weights;
    settings.points = points;
    settings.idf = idf;
    settings.document_length = document_length;
    settings.ngram_smoothing = ngram_smoothing;
    made.ngram_order = ngram_order;
    return made;
}

Result<Model> Model::from(ModelFile file, std::vector<std::string> notes) {
    Model made;
    auto predictor = make_predictor(std::move(file.state));
    if (!predictor) return predictor.error();
    made.plain_ = made.predictor_ = std::move(*predictor);
    made.seen_ = std::move(file.seen);
    made.notes_ = std::move(notes);
    made.notes_.insert(made.notes_.end(), made.predictor_->notes().begin(), made.predictor_->notes().end());
    return made.with_calibration(std::move(file.calibration)).with_decision(std::move(file.decision));
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
    if (auto named = thresholds_by_class(decision.thresholds, classes()); !named) return named.error();
    Model other = *this;
    other.decision_ = std::move(decision);
    return other;
}

Model Model::with_comparison(std::vector<Compared> compared) const {
    Model other = *this;
    other.seen_.compared = std::move(compared);
    return other;
}

std::vector<std::string> Model::columns() const {
    std::vector<std::string> names;
    for (const auto& column : schema().columns) names.push_back(column.name);
    return names;
}

Result<std::vector<std::string>> Model::predict(const Block& x, const Context& context) const {
    const auto codes = predictor_->predict(x, context);
    if (!codes) return codes.error();
    std::vector<std::string> names;
    for (const auto code : *codes) names.push_back(classes()[static_cast<std::size_t>(code)]);
    return names;
}

Result<Model> fit(const std::vector<std::string>& files, const FitOptions& options, const Context& context) {
    if (options.model == "auto") return fit_best(files, options, context);
    FitOptions own = options;
    if (const std::string& column = options.search.fold_column; !column.empty() && options.search.fold_of_row.empty()) {
        auto folds = read_folds(files, options.read, column, context);
        if (!folds) return folds.error();
        own.search.fold_of_row = std::move(*folds);
        own.exclude.push_back(column);
    }
    auto opened = open_for_fit(files, own);
    if (!opened) return opened.error();
    const auto recipe = make_state(first_recipe(opened->options), opened->schema);
    if (!recipe) return recipe.error();
    auto state = feed(*recipe, *opened->stream, context);
    if (!state) return in_data(state.error(), *opened->reader);
    if (auto enough = need_two_classes(state->statistic, opened->options.target); !enough)
        return Error(enough.error()).in_file(opened->reader->files().front());
    state->statistic.schema.integer_classes = std::ranges::all_of(state->statistic.schema.classes, is_whole_number);
    if (const auto replaced = opened->stream->replaced_count(); replaced > 0)
        opened->notes.push_back(
            std::to_string(replaced) +
            " malformed pieces of UTF-8 in the text were replaced; --encoding latin-1 reads each byte "
            "as a letter");
    ModelFile made;
    made.seen.rows = state->statistic.weight();
    const double left = state->statistic.unlabeled_weight;
    if (takes_passes(opened->options)) {
        if (opened->options.use_unlabeled && left > 0)
            if (auto declared = declare_all_words(*opened, state->statistic.schema, context); !declared)
                return in_data(declared.error(), *opened->reader);
        TableStream known = opened->stream->with_names(state->statistic.schema);
        const auto held = HeldStream::hold(known, context);
        if (!held) return in_data(held.error(), *opened->reader);
        Stream& rows = *held ? **held : known;
        auto learned = fit_by_passes(opened->options, state->statistic.schema, rows, context);
        if (!learned) return at_counted_row(learned.error(), *opened);
        made.state = std::move(*learned);
        if (opened->options.use_unlabeled) made.seen.rows += left;
    } else {
        made.state = std::move(*state);
    }
    for (const auto& file : opened->reader->files()) made.seen.files.push_back(recorded_name(file));
    if (left > 0)
        opened->notes.push_back(std::to_string(static_cast<std::uint64_t>(left)) + " rows without a class " +
                                (opened->options.use_unlabeled ? "took part by EM" : "were skipped"));
    if (const auto skipped = opened->reader->skipped_rows(); skipped > 0)
        opened->notes.push_back(std::to_string(skipped) + " ragged rows were skipped");
    auto model = Model::from(std::move(made), std::move(opened->notes));
    if (!model) return at_refused_row(model.error(), *opened, *recipe);
    model->choices_ = std::move(opened->choices);
    for (const Column& column : model->schema().columns) {  // a later row may have shown that flags are numbers
        const auto choice = std::ranges::find(model->choices_, column.name, &ColumnChoice::column);
        if (choice != model->choices_.end() && choice->family == "bernoulli" && choice->why == only_flags &&
            column.kind == ColumnKind::number)
            *choice = {column.name, "gaussian", "numbers"};
    }
    return model;
}

Result<Model> fit(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context) {
    return fit(x, labels, {}, options, context);
}

Result<Model> fit(const Block& x, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context) {
    if (!options.weight.empty() || !options.exclude.empty())
        return Error(ErrorKind::usage,
                     "weight and exclude name columns of files; rows in memory take their weights as an argument "
                     "and every column");
    if (!weights.empty() && weights.size() != row_count(x))
        return Error(std::to_string(weights.size()) + " weights for " + std::to_string(row_count(x)) + " rows");
    if (labels.size() != row_count(x))
        return Error(std::to_string(labels.size()) + " labels for " + std::to_string(row_count(x)) + " rows");
    const std::size_t width = column_count(x);
    if (!options.columns.empty() && options.columns.size() != width)
        return Error(std::to_string(options.columns.size()) + " column names for " + std::to_string(width) +
                     " columns");
    Schema schema;
    for (std::size_t k = 0; k < width; ++k)
        schema.columns.push_back({options.columns.empty() ? "x" + std::to_string(k) : options.columns[k]});
    schema.target = options.target;
    Vocabulary names;
    std::vector<std::int32_t> codes;
    for (const auto& label : labels) codes.push_back(label.empty() ? -1 : static_cast<std::int32_t>(names.add(label)));
    for (std::size_t c = 0; c < names.size(); ++c) schema.classes.emplace_back(names.word(c));
    MemoryStream stream({x, codes, weights, 0}, schema);
    const auto recipe = make_state(first_recipe(options), schema);
    if (!recipe) return recipe.error();
    auto state = feed(*recipe, stream, context);
    if (!state) return state.error();
    if (auto enough = need_two_classes(state->statistic, options.target); !enough) return enough.error();
    ModelFile made;
    made.seen.rows = state->statistic.weight();
    if (takes_passes(options)) {
        auto learned = fit_by_passes(options, schema, stream, context);
        if (!learned) return learned.error();
        made.state = std::move(*learned);
    } else {
        made.state = std::move(*state);
    }
    return Model::from(std::move(made));
}

Result<const Classifier*> as_sum(const Model& model) {
    if (model.calibration() != Calibration{} || !model.decision().empty())
        return Error(ErrorKind::usage,
                     "a calibration is no sum over rows; take it off first with calibrate --method none");
    if (const auto* classifier = model.as<Classifier>()) {
        if (auto sum = check_is_sum(classifier->state()); !sum) return sum.error();
        return classifier;
    }
    return Error(ErrorKind::usage, std::string(model.predictor().name()) +
                                       " takes repeated passes over its rows, so it is no sum of them and can be "
                                       "neither merged nor taken apart nor derived from; use update");
}

Result<Model> merge(const Model& left, const Model& right) {
    const auto one = as_sum(left), other = as_sum(right);
    if (!one) return one.error();
    if (!other) return other.error();
    auto both = merge(**one, **other);
    if (!both) return both.error();
    ModelFile made{both->state(), left.seen()};
    made.seen.merge(right.seen());
    return Model::from(std::move(made));
}

Result<Model> derive(const Model& model, const FitOptions& options) {
    const auto sum = as_sum(model);
    if (!sum) return sum.error();
    if (const auto name = canonical_model(options.model); name && *name == "logistic_regression") {
        const auto same = to_logistic(**sum);
        if (!same) return same.error();
        return Model::from({same->state(), model.seen()});
    }
    if (options.unit_length)
        return Error(ErrorKind::usage, "documents are scaled to length one when a model is fitted to them");
    auto settings = model_settings(options.recipe());
    if (!settings) return settings.error();
    const auto is_sequence = [](const Part& part) { return part.name() == "ngrams"; };
    if (options.model == "ngram" && std::ranges::none_of((*sum)->state().statistic.parts, is_sequence))
        return Error(ErrorKind::usage, "counts of words do not tell their order; fit an ngram model to the text");
    const std::string canonical = canonical_model(options.model).value();
    if (auto enough = check_derivable((*sum)->state(), canonical, *settings); !enough) return enough.error();
    auto derived = derive(**sum, canonical, std::move(*settings));
    if (!derived) return derived.error();
    return Model::from({derived->state(), model.seen()});
}

Result<Model> strip(const Model& model) {
    ModelFile made = model.file();
    auto* state = std::get_if<ModelState>(&made.state);
    if (state == nullptr) return model;  // it keeps parameters only
    state->passes = stripped;
    if (state->settings.sharing == Sharing::all)
        for (Part& part : state->statistic.parts)
            if (const auto* each = part.as<CovariancePart>(); each != nullptr && each->fourth.feature_count == 0) {
                CovariancePart pooled(state->statistic.schema, each->columns, true);
                pooled.merge(*each);
                part = Part(std::move(pooled));
            }
    return Model::from(std::move(made), model.notes());
}

Result<void> save(const Model& model, const std::string& path) { return save_model_file(model.file(), path); }

Result<Model> load(const std::string& path) {
    auto file = load_model_file(path);
    if (!file) return file.error();
    return Model::from(std::move(*file));
}

}  // namespace suffice
