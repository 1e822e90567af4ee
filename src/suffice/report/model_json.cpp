// Models for programs.
#include <cmath>

#include "suffice/group/degenerate.hpp"
#include "suffice/part/telling_words.hpp"
#include "suffice/report/comparison_report.hpp"
#include "suffice/report/evaluation_report.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/logistic_report.hpp"
#include "suffice/report/model_report.hpp"
#include "suffice/report/score_terms.hpp"

namespace suffice {
namespace {

void write_setting(JsonText& json, std::string_view name, const SettingValue& value) {
    if (const auto flag = value.flag()) {
        json.whole(name, *flag ? 1 : 0);
    } else if (const auto number = value.number()) {
        json.number(name, *number);
    } else if (const auto* list = value.list()) {
        json.open_list(name);
        for (const SettingValue& each : *list) write_setting(json, {}, each);
        json.close();
    } else if (const auto* map = value.map()) {
        json.open_record(name);
        for (const auto& [key, each] : *map) write_setting(json, key, each);
        json.close();
    } else {
        json.text(name, value.word().value_or(""));
    }
}

// What users set, by the names they set it by.
template <class Owner>
void write_settings(JsonText& json, const Owner& settings) {
    for_each_field(settings, [&](const auto& each, const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (Settable<Member>) {
            if (!each.about.help.empty()) write_setting(json, each.name, SettingCodec<Member>::write(member));
        } else {
            write_settings(json, member);
        }
    });
}

// By class: its most telling words and their log odds against the other classes.
void write_words(JsonText& json, const Classifier& model, std::uint32_t column, std::size_t most) {
    const Schema& schema = model.schema();
    TokenTable room;
    for (const Part& part : model.state().statistic.parts) {
        const TokenTable* table = part.columns()[0] == column ? word_table(part, room) : nullptr;
        if (table == nullptr) continue;
        const auto& words = schema.columns[column].levels;
        json.open_record("telling_words");
        for (std::size_t c = 0; c < schema.classes.size(); ++c) {
            json.open_list(schema.classes[c]);
            for (const auto& each : telling_words(*table, document_weight(part, model.state().settings),
                                                  model.state().settings, words.size(), c, {}, most)) {
                json.open_record();
                json.text("word", words[each.word]);
                json.number("log_odds", each.log_odds);
                json.number("bits", each.bits);
                json.number("count", each.count);
                json.number("documents", each.documents);
                json.close();
            }
            json.close();
        }
        json.close();
    }
}

void write_columns(JsonText& json, const Predictor& model, const Description& description, std::size_t most_words) {
    json.open_list("columns");
    for (const auto& column : description.columns) {
        const Column& about = model.schema().columns[column.column];
        json.open_record();
        json.text("name", about.name);
        json.text("kind", name_of(about.kind));
        json.text("family", column.family);
        if (!about.levels.empty() && about.kind != ColumnKind::text) json.texts("levels", about.levels);
        if (about.kind == ColumnKind::text) json.number("words", static_cast<double>(about.levels.size()));
        json.open_record("parameters");
        for (std::size_t c = 0; c < column.by_class.size(); ++c)
            json.record(model.schema().classes[c], column.by_class[c]);
        json.close();
        if (const auto* classifier = dynamic_cast<const Classifier*>(&model))
            write_words(json, *classifier, column.column, most_words);
        json.close();
    }
    json.close();
}

void write_covariances(JsonText& json, const Schema& schema, const Description& description) {
    json.open_list("covariances");
    for (const auto& each : description.covariances) {
        json.open_record();
        json.open_list("classes");
        for (auto c : each.classes) json.text({}, schema.classes[c]);
        json.close();
        json.open_list("columns");
        for (auto column : each.columns) json.text({}, schema.columns[column].name);
        json.close();
        json.open_list("values");
        const std::size_t d = each.columns.size();
        for (std::size_t i = 0; i < d; ++i) json.numbers({}, std::span(each.values).subspan(i * d, d));
        json.close();
        json.close();
    }
    json.close();
}

void write_weights(JsonText& json, const Schema& schema, const ScoreForm& form) {
    json.open_record("intercepts");
    for (std::size_t c = 0; c < schema.classes.size(); ++c) json.number(schema.classes[c], form.constant[c]);
    json.close();
    json.open_record("weights");
    for (std::size_t c = 0; c < schema.classes.size(); ++c) {
        json.open_record(schema.classes[c]);
        for (std::size_t k = 0; k < schema.columns.size(); ++k) json.number(schema.columns[k].name, form.linear[c][k]);
        json.close();
    }
    json.close();
}

void write_boundary(JsonText& json, const Predictor& model, const InspectView& view) {
    const auto found = boundary_terms(model, *view.of_class, *view.versus);
    json.open_record("boundary");
    json.text("class", model.schema().classes[*view.of_class]);
    json.text("versus", model.schema().classes[*view.versus]);
    if (found.complete) json.number("constant", found.constant);
    json.open_record("terms");
    for (const auto& term : found.terms) json.number(term.name, term.weight);
    json.close();
    json.close();
}

// Which class each component belongs to, and its share of it; parameters are given by component.
void write_components(JsonText& json, const MixtureDiscriminant& model) {
    const Classifier& components = model.components();
    json.open_list("components");
    for (std::size_t k = 0; k < components.class_count(); ++k) {
        const std::uint32_t c = model.state().class_of[k];
        json.open_record();
        json.text("name", components.schema().classes[k]);
        json.text("class", model.schema().classes[c]);
        json.number("share", std::exp(components.log_prior()[k] - model.log_prior()[c]));
        json.close();
    }
    json.close();
}

void write_outline(JsonText& json, const Predictor& model, const Provenance& seen) {
    json.text("target", model.schema().target);
    json.number("rows", seen.rows);
    json.texts("files", seen.files);
    json.whole("parameter_count", model.parameter_count());
    const auto learned = [&](std::string_view name, double value) {  // a stated model has no rows to be likely for
        json.maybe(name, seen.rows > 0 || model.weight() > 1.5 ? std::optional(value) : std::nullopt);
    };
    learned("log_likelihood", model.log_likelihood());
    learned("bic", model.bic());
    learned("aic", model.aic());
}

void write_classes(JsonText& json, const Predictor& model) {
    json.open_list("classes");
    for (std::size_t c = 0; c < model.schema().classes.size(); ++c) {
        json.open_record();
        json.text("name", model.schema().classes[c]);
        if (c < model.class_weight().size()) json.number("weight", model.class_weight()[c]);
        json.number("prior", std::exp(model.log_prior()[c]));
        json.close();
    }
    json.close();
}

// With the reason for each family where it was chosen just now.
void write_families(JsonText& json, const FitSummary& summary) {
    json.open_list("columns");
    const auto write = [&](std::string_view name, std::string_view family) {
        json.open_record();
        json.text("column", name);
        json.text("name", name);  // as inspect says
        if (family.empty())
            json.maybe("family", std::nullopt);
        else
            json.text("family", family);
    };
    for (const auto& choice : summary.choices) {
        write(choice.column, choice.family);
        json.text("why", reason_text(choice, summary.model.name()));
        json.close();
    }
    if (summary.choices.empty()) {
        for (const auto& column : summary.model.describe().columns) {
            write(summary.model.schema().columns[column.column].name, column.family);
            json.close();
        }
    }
    json.close();
}

}  // namespace

std::string fit_json(const FitSummary& summary) {
    JsonText json;
    json.open_record();
    json.text("model", summary.model.name());
    write_outline(json, summary.model, summary.seen);
    if (summary.rows_before) json.number("rows_before", *summary.rows_before);
    write_families(json, summary);
    write_classes(json, summary.model);
    if (summary.accuracy) json.number("training_accuracy", *summary.accuracy);
    if (summary.held_out != nullptr)
        write_evaluation(json, "holdout", *summary.held_out, summary.model.schema().classes);
    if (!summary.seen.compared.empty()) write_comparison(json, "compared", summary.seen.compared, summary.spell);
    const auto* logistic = dynamic_cast<const LogisticRegression*>(&summary.model);
    if (logistic != nullptr && !logistic->state().path.empty()) write_path(json, *logistic);
    if (logistic != nullptr && summary.trace != nullptr) write_trace(json, *logistic, *summary.trace);
    json.texts("notes", told(summary.notes, summary.spell));
    json.number("seconds", summary.seconds);
    const bool read_rows = summary.rows_before || !summary.choices.empty();
    const double rows = std::abs(summary.seen.rows - summary.rows_before.value_or(0));
    if (read_rows && rows > 0 && summary.seconds > 0) json.number("rows_per_second", rows / summary.seconds);
    json.close();
    return json.take();
}

std::string model_json(const Predictor& model, const Provenance& seen, const InspectView& view) {
    const auto& schema = model.schema();
    JsonText json;
    json.open_record();
    const auto* classifier = dynamic_cast<const Classifier*>(&model);
    json.text("model", model.name());
    if (classifier != nullptr) write_settings(json, classifier->state().settings);
    write_outline(json, model, seen);
    if (view.bayes_error) {
        json.number("bayes_error", view.bayes_error->error);
        json.number("bayes_error_standard_error", view.bayes_error->standard_error);
    }
    if (classifier != nullptr && !classifier->rank().empty())
        json.numbers("rank", std::vector<double>(classifier->rank().begin(), classifier->rank().end()));
    json.texts("notes", told(notes_on(model), view.spell));
    write_classes(json, model);
    if (const auto* logistic = dynamic_cast<const LogisticRegression*>(&model))
        write_coefficients(json, *logistic, view.ratios);
    const auto* mixture = dynamic_cast<const MixtureDiscriminant*>(&model);
    const Predictor& described = mixture != nullptr ? mixture->components() : model;
    if (mixture != nullptr) write_components(json, *mixture);
    const auto description = model.describe();
    write_columns(json, described, description, view.top);
    write_covariances(json, described.schema(), description);
    if (const auto form = model.form(); form && is_linear(*form)) write_weights(json, schema, *form);
    if (view.of_class && view.versus) write_boundary(json, model, view);
    json.close();
    return json.take();
}

}  // namespace suffice
