// Sections on columns and rows: what they tell, where the model errs and what it has not seen before.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/report/column_figures.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/report_sections.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

constexpr std::size_t most_pulls = 6, most_telling = 15, most_class_columns = 8, most_checked = 12,
                      most_unfolded_columns = 20;

std::string class_name(const ReportContent& content, std::int32_t code) {
    return code < 0 ? "unknown" : content.schema.classes[static_cast<std::size_t>(code)];
}

// What spoke for one class and against another in a row, strongest first.
std::vector<Pull> pulls_of(const ExplainedRow& row, const Schema& schema, std::size_t toward, std::size_t away) {
    const auto& terms = row.explanation.terms;
    std::vector<Pull> pulls{
        {"prior and constants", "", row.explanation.intercept[toward] - row.explanation.intercept[away]}};
    for (std::size_t k = 0; k < terms.size(); ++k) {
        const bool word = terms[k].level != Explanation::no_level;
        const std::string& name = schema.columns[terms[k].column].name;
        pulls.push_back({word ? row.values[k] : name,
                         word                    ? ""
                         : row.values[k].empty() ? "missing"
                                                 : row.values[k],
                         terms[k].by_class[toward] - terms[k].by_class[away]});
    }
    std::ranges::stable_sort(pulls, std::greater{}, [](const Pull& pull) { return std::abs(pull.amount); });
    if (pulls.size() > most_pulls) {
        const double rest = std::accumulate(pulls.begin() + most_pulls, pulls.end(), 0.0,
                                            [](double sum, const Pull& pull) { return sum + pull.amount; });
        const std::size_t more = pulls.size() - most_pulls;
        pulls.resize(most_pulls);
        pulls.push_back({std::to_string(more) + " others", "", rest});
    }
    return pulls;
}

std::string told_by(const ReportContent& content, const ColumnPicture& column) {
    const auto found = std::ranges::find(content.telling, column.name, &TellingColumn::name);
    return found == content.telling.end() ? "" : short_number(found->overall, 3);
}

// The columns that tell most first; those of which nothing is known behind, in their order.
std::vector<const ColumnPicture*> by_telling(const ReportContent& content) {
    std::vector<const ColumnPicture*> ordered;
    for (const auto& column : content.columns) ordered.push_back(&column);
    const auto place = [&](const ColumnPicture* column) {
        return std::ranges::find(content.telling, column->name, &TellingColumn::name) - content.telling.begin();
    };
    std::ranges::stable_sort(ordered, {}, place);
    return ordered;
}

}  // namespace

Section column_section(const ReportContent& content) {
    Section section{"columns", "Columns and their families"};
    DocumentTable table{"",
                        {"column", "kind", "family", "missing", "F of the classes", "mean log odds"},
                        {Side::left, Side::left, Side::left, Side::right, Side::right, Side::right},
                        {},
                        most_unfolded_columns};
    table.caption = content.columns.size() < content.column_count
                        ? "The " + std::to_string(content.columns.size()) + " columns of " +
                              std::to_string(content.column_count) + " that separate the classes most"
                        : "Columns the model reads, those that tell most about the classes first";
    Figures figures;
    for (const ColumnPicture* each : by_telling(content)) {
        const ColumnPicture& column = *each;
        table.rows.push_back({column.name, column.kind, column.family.empty() ? "none" : column.family,
                              percent(column.missing_share),
                              column.separation > 0 ? short_number(column.separation) : "", told_by(content, column)});
        if (column.histogram.bin_count() > 0 || !column.levels.empty())
            figures.figures.push_back(column_figure(column, content.schema.classes));
    }
    section.parts.emplace_back(std::move(table));
    if (!figures.figures.empty()) section.parts.emplace_back(std::move(figures));
    return section;
}

Section telling_section(const ReportContent& content) {
    Section section{"telling", "What tells most"};
    if (content.telling.empty()) {
        return section;
    }
    std::vector<Pull> pulls;
    for (const auto& column : content.telling)
        if (pulls.size() < most_telling) pulls.push_back({column.name, "", column.overall});
    section.parts.emplace_back(Figures{{pull_figure(
        "Mean log odds of a column for the true class",
        "How much each column adds on average to the log odds of a row's own class against the "
        "others; +1 multiplies the odds by 2.7. Columns modelled jointly share what they say, so that one of them may "
        "stand below zero.",
        pulls, "for the true class", "against it")}});
    DocumentTable table{"Mean log odds by class (rows of the class only)", {"column"}, {Side::left}};
    const std::size_t classes = std::min(content.schema.classes.size(), most_class_columns);
    for (std::size_t c = 0; c < classes; ++c) {
        table.head.push_back(content.schema.classes[c]);
        table.sides.push_back(Side::right);
    }
    for (const auto& column : content.telling) {
        if (table.rows.size() == most_telling) break;
        auto& row = table.rows.emplace_back(std::vector{column.name});
        for (std::size_t c = 0; c < classes; ++c) row.push_back(short_number(column.by_class[c], 3));
    }
    section.parts.emplace_back(std::move(table));
    return section;
}

Section plane_section(const ReportContent& content) {
    Section section{"planes", "In two dimensions"};
    if (content.planes.empty()) {
        return section;
    }
    for (const auto& plane : content.planes) {
        Figures figures{{posterior_figure(plane), boundary_figure(plane)}};
        if (!plane.log_density.empty()) figures.figures.push_back(density_figure(plane));
        section.parts.emplace_back(std::move(figures));
    }
    return section;
}

Section mistake_section(const ReportContent& content) {
    Section section{"mistakes", "The worst mistakes"};
    if (content.mistakes.empty()) {
        return section;
    }
    section.parts.emplace_back(Paragraph{
        "Rows of which the model was surest and wrong, with what spoke for its answer and against the truth, in "
        "log odds."});
    Cards cards{{}, content.mistakes.size() > 1};
    for (const auto& each : content.mistakes) {
        const std::string &answer = content.schema.classes[each.row.best], &truth = content.schema.classes[each.truth];
        Card card{"Row " + whole_number(static_cast<double>(each.row.number)) + ": " + answer + ", in truth " + truth,
                  "Posterior " + percent(each.row.posterior[each.row.best]) + " against " +
                      percent(each.row.posterior[each.truth]) + "; log odds " + short_number(each.log_odds, 3) + "." +
                      (each.text.empty() ? "" : " \xE2\x80\x9C" + each.text + "\xE2\x80\x9D"),
                  {}};
        const auto pulls = pulls_of(each.row, content.schema, each.row.best, each.truth);
        std::string words = "What pulled toward " + answer + ":";
        for (const auto& pull : pulls)
            words += " " + pull.name + (pull.value.empty() ? "" : " " + pull.value) + " " +
                     short_number(pull.amount, 3) + ";";
        words.back() = '.';
        card.figures.push_back(pull_figure(card.head, words, pulls, answer, truth));
        card.truth = truth;
        card.answer = answer;
        cards.cards.push_back(std::move(card));
    }
    section.parts.emplace_back(std::move(cards));
    return section;
}

Section novelty_section(const ReportContent& content) {
    Section section{"novelty", "Rows unlike those before"};
    if (content.odd.empty()) {
        return section;
    }
    if (content.novelty) {
        section.parts.emplace_back(Figures{{novelty_figure(*content.novelty)}});
        section.parts.emplace_back(Paragraph{percent(content.novelty->share) +
                                             " of the rows lie below the line; 1.0 % is what the model expects."});
    }
    DocumentTable table{"The least probable rows, and what is most unusual about them under the class predicted",
                        {"row", "log p(x)", "predicted", "truth", "most unusual", "its log density"},
                        {Side::left, Side::right, Side::left, Side::left, Side::left, Side::right}};
    for (const auto& each : content.odd) {
        const auto& terms = each.row.explanation.terms;
        const auto least = std::ranges::min_element(
            terms, {}, [&](const Explanation::Term& term) { return term.by_class[each.row.best]; });
        std::string what, density;
        if (!each.text.empty()) {  // of a text no single word is to blame
            what = "\xE2\x80\x9C" + each.text.substr(0, each.text.find(' ', 80)) + "\xE2\x80\xA6\xE2\x80\x9D";
        } else if (least != terms.end()) {
            const auto k = static_cast<std::size_t>(least - terms.begin());
            const bool word = least->level != Explanation::no_level;
            what = content.schema.columns[least->column].name + (word ? " " : " = ") +
                   (each.row.values[k].empty() ? "missing" : each.row.values[k]);
            density = short_number(least->by_class[each.row.best], 3);
        }
        table.rows.push_back({whole_number(static_cast<double>(each.row.number)), short_number(each.log_evidence, 4),
                              content.schema.classes[each.row.best], class_name(content, each.truth), what, density});
    }
    section.parts.emplace_back(std::move(table));
    return section;
}

Section misfit_section(const ReportContent& content) {
    Section section{"misfit", "Do the families fit?"};
    DocumentTable table{
        "Largest gap D between the distribution of the rows and the fitted one, by class; * marks misfit "
        "at 5 % (Lilliefors' test, exact for Gaussians)",
        {"column", "family"},
        {Side::left, Side::left}};
    const std::size_t classes = std::min(content.schema.classes.size(), most_class_columns);
    for (std::size_t c = 0; c < classes; ++c) {
        table.head.push_back(content.schema.classes[c]);
        table.sides.push_back(Side::right);
    }
    table.head.emplace_back("better family");
    table.sides.push_back(Side::left);
    Figures figures;
    for (const auto& column : content.columns) {
        if (column.by_class.empty() || !column.levels.empty() ||
            std::ranges::all_of(column.by_class, [](const auto& own) { return own.check.quantiles.empty(); }))
            continue;
        auto& row = table.rows.emplace_back(std::vector{column.name, column.family});
        for (std::size_t c = 0; c < classes; ++c) {
            const FitCheck& check = column.by_class[c].check;
            row.push_back(check.quantiles.empty() ? ""
                                                  : short_number(check.distance, 2) + (check.misfits() ? " *" : ""));
        }
        row.push_back(column.better ? column.better->family + " (log evidence higher by " +
                                          short_number(column.better->gain, 3) + ")"
                                    : "none");
        if (figures.figures.size() < most_checked)
            figures.figures.push_back(quantile_figure(column, content.schema.classes));
    }
    if (table.rows.empty()) {
        return section;
    }
    section.parts.emplace_back(std::move(table));
    std::string wishes;
    for (const auto& column : content.columns)
        if (column.better) wishes += (wishes.empty() ? "" : ",") + column.name + "=" + column.better->word;
    if (!wishes.empty()) section.parts.emplace_back(Paragraph{"Try " + content.spell({"families", wishes}) + "."});
    section.parts.emplace_back(std::move(figures));
    return section;
}

Section word_section(const ReportContent& content) {
    Section section{"words", "Telling words in their contexts"};
    for (std::size_t c = 0; c < content.schema.classes.size(); ++c) {
        Quotes quotes{content.schema.classes[c], {}};
        for (const auto& word : content.words) {
            if (word.of_class != c) continue;
            Quote quote{content.schema.columns[word.column].levels[word.word],
                        "log odds " + short_number(word.log_odds, 3) + ", " + whole_number(word.count) + " times",
                        {}};
            for (const auto& place : word.places) quote.places.push_back({place.before, place.word, place.after});
            quotes.quotes.push_back(std::move(quote));
        }
        if (!quotes.quotes.empty()) section.parts.emplace_back(std::move(quotes));
    }
    return section;
}

Document report_document(const ReportContent& content) {
    Document document{"Report on " + content.model + (content.target.empty() ? "" : " of " + content.target), "", {}};
    const auto& accuracy = content.scores.accuracy;
    document.subtitle =
        (accuracy ? percent(*accuracy) + " of " : "Of ") + whole_number(static_cast<double>(content.scores.row_count)) +
        " rows right" +
        (content.scores.majority ? "; always answering " + content.schema.classes[content.scores.majority->class_code] +
                                       " would be right in " + percent(content.scores.majority->accuracy)
                                 : "") +
        "." + (content.on_training_rows ? " The model was trained on these very rows; of others expect less." : "");
    for (const auto make :
         {summary_section, quality_section, confusion_section, telling_section, mistake_section, threshold_section,
          column_section, plane_section, curve_section, calibration_section, cost_section, novelty_section,
          misfit_section, word_section, class_section, comparison_section, model_section})
        if (Section section = make(content); !section.parts.empty()) document.sections.push_back(std::move(section));
    return document;
}

std::string report_html(const ReportContent& content) { return html_page(report_document(content)); }
std::string report_markdown(const ReportContent& content) { return markdown_page(report_document(content)); }

}  // namespace suffice
