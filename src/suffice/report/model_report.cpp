// Puts models into words.
#include "suffice/report/model_report.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/visible.hpp"
#include "suffice/group/degenerate.hpp"
#include "suffice/part/telling_words.hpp"
#include "suffice/report/logistic_report.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/score_terms.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

constexpr std::size_t most_shown_classes = 8;

std::string more(std::size_t all, std::size_t shown, const std::string& what) {
    return all <= shown ? "" : "  ... and " + whole_number(static_cast<double>(all - shown)) + " more " + what + "\n";
}

// A mixture, whose components nobody named.
bool finds_groups(const Predictor& model) {
    const auto* classifier = dynamic_cast<const Classifier*>(&model);
    return classifier != nullptr && is_mixture(classifier->state());
}

std::string class_table(const Predictor& model, std::size_t most) {
    TextTable table({Side::left, Side::right, Side::right});
    table.row({finds_groups(model) ? "group" : "class", "rows", "prior"});
    const auto& classes = model.schema().classes;
    for (std::size_t c = 0; c < std::min(classes.size(), most); ++c)
        table.row({classes[c], whole_number(c < model.class_weight().size() ? model.class_weight()[c] : 0),
                   percent(std::exp(model.log_prior()[c]))});
    return table.text() + more(classes.size(), most, "classes");
}

std::vector<std::size_t> chosen_classes(const Predictor& model, const InspectView& view) {
    if (view.of_class && view.versus) return {*view.of_class, *view.versus};
    if (view.of_class) return {*view.of_class};
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < std::min(model.class_count(), most_shown_classes); ++c) all.push_back(c);
    return all;
}

// One line per parameter, and per level of those that have levels.
std::string parameter_table(const Predictor& model, const InspectView& view) {
    const auto classes = chosen_classes(model, view);
    std::vector<Side> sides{Side::left, Side::left, Side::left};
    std::vector<std::string> head{"column", "family", "parameter"};
    for (std::size_t c : classes) {
        sides.push_back(Side::right);
        head.push_back(model.schema().classes[c]);
    }
    TextTable table(sides);
    table.row(head);
    const auto description = model.describe();
    if (description.columns.empty()) return "";
    for (std::size_t k = 0; k < std::min(description.columns.size(), view.top); ++k) {
        const auto& column = description.columns[k];
        const Column& about = model.schema().columns[column.column];
        bool first = true;
        const auto line = [&](const std::string& name, auto&& value) {
            std::vector<std::string> cells{first ? about.name : "", first ? column.family : "", name};
            for (std::size_t c : classes) cells.push_back(short_number(value(c)));
            table.row(std::move(cells));
            first = false;
        };
        for (const auto& [name, shape] : column.by_class[0].entries) {
            if (std::holds_alternative<double>(shape)) {
                line(name, [&](std::size_t c) { return column.by_class[c].number(name); });
                continue;
            }
            const std::size_t size = std::get<std::vector<double>>(shape).size();
            for (std::size_t at = 0; at < std::min(size, view.top); ++at)
                line(at < about.levels.size() ? name + " of " + about.levels[at] : name + " " + std::to_string(at + 1),
                     [&](std::size_t c) { return column.by_class[c].numbers(name)[at]; });
        }
    }
    return table.text() + more(description.columns.size(), view.top, "columns (" + top_shows(view) + ")") +
           (view.of_class
                ? ""
                : more(model.class_count(), most_shown_classes, "classes (" + view.spell({"class"}) + " shows one)"));
}

// Variances and covariances, the lower triangle, with correlations in the upper one.
std::string covariance_tables(const Predictor& model, const InspectView& view) {
    std::string text;
    const auto chosen = chosen_classes(model, view);
    for (const auto& each : model.describe().covariances) {
        const std::size_t d = each.columns.size(), shown = std::min(d, view.top);
        const bool wanted = std::ranges::any_of(
            each.classes, [&](std::uint32_t c) { return std::ranges::find(chosen, c) != chosen.end(); });
        if (d < 2 || !wanted) continue;
        std::vector<std::string> names, head{""};
        for (const auto c : each.classes) names.push_back(model.schema().classes[c]);
        for (std::size_t j = 0; j < shown; ++j) head.push_back(model.schema().columns[each.columns[j]].name);
        TextTable table(std::vector<Side>(shown + 1, Side::right));
        table.row(head);
        const auto value = [&](std::size_t i, std::size_t j) { return each.values[i * d + j]; };
        for (std::size_t i = 0; i < shown; ++i) {
            std::vector<std::string> cells{head[i + 1]};
            for (std::size_t j = 0; j < shown; ++j)
                cells.push_back(j <= i
                                    ? short_number(value(i, j))
                                    : "(" + short_number(value(i, j) / std::sqrt(value(i, i) * value(j, j)), 3) + ")");
            table.row(std::move(cells));
        }
        text += "\ncovariance of " + listed(names, 5) + " (above the diagonal: correlations)\n" + table.text() +
                more(d, shown, "columns (" + top_shows(view) + ")");
    }
    return text;
}

// The components of each class shown, side by side.
std::string component_tables(const MixtureDiscriminant& model, const InspectView& view) {
    const Classifier& components = model.components();
    std::string text = "components of the classes\n" + class_table(components, components.class_count());
    for (std::size_t k = 0; k < components.class_count(); ++k) {
        if (view.of_class && model.state().class_of[k] != *view.of_class) continue;
        InspectView one = view;
        one.of_class = k;
        one.versus = {};
        text += "\n" + parameter_table(components, one);
    }
    return text;
}

// The words that speak most for each class shown, by log odds against the others.
std::string word_tables(const Classifier& model, const InspectView& view) {
    std::string text;
    const Schema& schema = model.schema();
    TokenTable room;
    for (const Part& part : model.state().statistic.parts) {
        const TokenTable* words = word_table(part, room);
        if (words == nullptr) continue;
        const Column& column = schema.columns[part.columns()[0]];
        const auto classes = view.of_class ? std::vector{*view.of_class} : chosen_classes(model, view);
        for (const std::size_t c : classes) {
            text += "\nwords of " + visible(column.name) + " that speak for " + visible(schema.classes[c]) +
                    (view.versus ? " against " + visible(schema.classes[*view.versus]) : "") + "\n";
            TextTable table({Side::left, Side::right, Side::right, Side::right, Side::right});
            table.row({"word", "log odds", "count", "documents", "bits"});
            for (const auto& each :
                 telling_words(*words, document_weight(part, model.state().settings), model.state().settings,
                               column.levels.size(), c, view.versus, view.top))
                table.row({column.levels[each.word], short_number(each.log_odds, 3), whole_number(each.count),
                           each.documents > 0 ? whole_number(each.documents) : "-", short_number(each.bits, 3)});
            text += table.text();
        }
    }
    return text;
}

std::string weight_table(const Predictor& model, const ScoreForm& form, const InspectView& view) {
    const auto classes = chosen_classes(model, view);
    std::vector<Side> sides{Side::left};
    std::vector<std::string> head{"score = w0 + w . x"}, constant{"w0"};
    for (std::size_t c : classes) {
        sides.push_back(Side::right);
        head.push_back(model.schema().classes[c]);
        constant.push_back(short_number(form.constant[c], 6));
    }
    TextTable table(sides);
    table.row(head);
    table.row(constant);
    for (std::size_t k = 0; k < std::min(model.schema().columns.size(), view.top); ++k) {
        std::vector<std::string> cells{model.schema().columns[k].name};
        for (std::size_t c : classes) cells.push_back(short_number(form.linear[c][k], 6));
        table.row(std::move(cells));
    }
    return table.text();
}

std::string boundary_text(const Predictor& model, const InspectView& view) {
    const auto& classes = model.schema().classes;
    const auto found = boundary_terms(model, *view.of_class, *view.versus);
    std::string text =
        "\nlog odds of " + visible(classes[*view.of_class]) + " against " + visible(classes[*view.versus]);
    text += found.complete ? ": the boundary is where this sum is zero\n"
                           : ": what each level adds (other columns have no weights of their own)\n";
    TextTable table({Side::left, Side::right});
    if (found.complete) table.row({"constant", short_number(found.constant, 6)});
    for (std::size_t k = 0; k < std::min(found.terms.size(), view.top); ++k)
        table.row({found.terms[k].name, short_number(found.terms[k].weight, 6)});
    return text + table.text() + more(found.terms.size(), view.top, "terms (" + top_shows(view) + ")");
}

}  // namespace

std::string settings_words(const Settings& settings) {
    std::string text = "estimate " + std::string(name_of(settings.estimate));
    if (settings.estimate == Estimate::map || settings.estimate == Estimate::predictive)
        text += ", smoothing " + short_number(settings.smoothing);
    if (settings.shrinkage != Shrinkage())
        text += ", shrinkage " + SettingCodec<Shrinkage>::write(settings.shrinkage).text();
    if (settings.alpha != 1 || settings.gamma != 0)
        text += ", alpha " + short_number(settings.alpha) + ", gamma " + short_number(settings.gamma);
    return text + ", class priors " + std::string(name_of(settings.priors.rule));
}

namespace {

std::string held_out_text(const Scores& scores, const std::vector<std::string>& classes) {
    std::string text = "on " + whole_number(static_cast<double>(scores.row_count)) + " rows held out: accuracy " +
                       short_number(scores.accuracy) + ", log loss " + short_number(scores.log_loss);
    if (scores.majority)
        text += "; always " + visible(classes[scores.majority->class_code]) + ": accuracy " +
                short_number(scores.majority->accuracy);
    return text + "\n";
}

}  // namespace

std::string fit_text(const FitSummary& summary) {
    const auto& schema = summary.model.schema();
    std::string text = std::string(summary.model.name()) + " of " + visible(schema.target) + " from " +
                       whole_number(summary.seen.rows) + " rows of " + listed(summary.seen.files, 3) + ": " +
                       std::to_string(schema.columns.size()) + " columns, " + std::to_string(schema.classes.size()) +
                       " classes, " + whole_number(static_cast<double>(summary.model.parameter_count())) +
                       " parameters\n\n";
    TextTable columns({Side::left, Side::left, Side::left});
    columns.row({"column", "family", "why"});
    for (std::size_t k = 0; k < std::min<std::size_t>(summary.choices.size(), 20); ++k) {
        const auto& choice = summary.choices[k];
        columns.row({choice.column, choice.family.empty() ? "left out" : choice.family,
                     reason_text(choice, summary.model.name())});
    }
    text += columns.text() + more(summary.choices.size(), 20, "columns") + "\n" + class_table(summary.model, 20) + "\n";
    const auto* logistic = dynamic_cast<const LogisticRegression*>(&summary.model);
    if (logistic != nullptr && !logistic->state().path.empty()) text += path_table(*logistic) + "\n";
    for (const auto& note : summary.notes) text += "note: " + note.told(summary.spell) + "\n";
    if (summary.held_out != nullptr) text += held_out_text(*summary.held_out, schema.classes);
    const double rate = summary.seconds > 0 ? std::round(summary.seen.rows / summary.seconds) : 0;
    return visible_lines(text) + short_number(summary.seconds, 3) + " s, " + whole_number(rate) + " rows/s\n";
}

std::string model_text(const Predictor& model, const Provenance& seen, const InspectView& view) {
    TextTable about({Side::left, Side::left});
    const auto* classifier = dynamic_cast<const Classifier*>(&model);
    const auto* logistic = dynamic_cast<const LogisticRegression*>(&model);
    about.row({"model", std::string(model.name())});
    if (classifier != nullptr) about.row({"settings", settings_words(classifier->state().settings)});
    if (!model.schema().target.empty()) about.row({"target", model.schema().target});
    const bool faded = finds_groups(model) && model.weight() < 0.999 * seen.rows;
    about.row({"rows", whole_number(seen.rows) + (seen.files.empty() ? "" : " from " + listed(seen.files, 5)) +
                           (faded ? ", which count as " + whole_number(model.weight()) + " by now" : "")});
    about.row({"parameters", whole_number(static_cast<double>(model.parameter_count()))});
    // A stated model has no rows to be likely for: the priors are its classes' weights.
    const bool learned = seen.rows > 0 || model.weight() > 1.5;
    if (learned) about.row({"log-likelihood", short_number(model.log_likelihood(), 10)});
    if (logistic != nullptr) {
        about.row({"deviance", short_number(logistic->deviance(), 10)});
        about.row({"null deviance", short_number(logistic->null_deviance(), 10)});
        const LogisticSettings& settings = logistic->state().settings;
        if (settings.free() && !settings.firth)
            about.row({"likelihood ratio", short_number(logistic->null_deviance() - logistic->deviance(), 6) +
                                               ", p = " + short_number(logistic->likelihood_ratio_p_value(), 3)});
        if (settings.penalty > 0) about.row({"penalty", short_number(settings.penalty, 6)});
        if (settings.lasso > 0) about.row({"lasso", short_number(settings.lasso, 6)});
        if (settings.offset_count() > 0) about.row({"offset", listed(settings.offset_columns(), 5)});
        if (settings.firth) about.row({"penalty", "Firth's"});
        if (settings.is_robust())
            about.row({"errors", settings.importance ? "robust, of weights of importance" : "robust"});
        if (const auto evidence = logistic->laplace_log_evidence())
            about.row({"log evidence", short_number(*evidence, 10) + " (Laplace's approximation)"});
    }
    if (learned) about.row({"BIC", short_number(model.bic(), 10)});
    if (learned) about.row({"AIC", short_number(model.aic(), 10)});
    if (view.bayes_error)
        about.row({"Bayes error", short_number(view.bayes_error->error, 6) + " +- " +
                                      short_number(view.bayes_error->standard_error, 2) + ", if the model is true"});
    for (const auto& note : notes_on(model)) about.row({"note", note.told(view.spell)});
    std::string text = about.text("") + "\n" + class_table(model, 20) + "\n";
    const auto* mixture = dynamic_cast<const MixtureDiscriminant*>(&model);
    text += mixture != nullptr ? component_tables(*mixture, view) : parameter_table(model, view);
    if (mixture == nullptr) text += covariance_tables(model, view);
    if (logistic != nullptr) {
        text += coefficient_table(*logistic, view);
        if (!view.ratios.tests.empty()) text += "\n" + test_table(view.ratios);
        if (!logistic->state().path.empty()) text += "\n" + path_table(*logistic);
    } else if (const auto form = model.form(); form && is_linear(*form)) {
        text += "\n" + weight_table(model, *form, view);
    }
    if (classifier != nullptr) text += word_tables(*classifier, view);
    if (view.of_class && view.versus) text += boundary_text(model, view);
    return visible_lines(text);
}

}  // namespace suffice
