// All the numbers and words of a report on a model and labelled rows, ready to be laid out. Nothing here computes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suffice/compare/cross_validation.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/evaluate/fit_check.hpp"
#include "suffice/evaluate/histogram.hpp"
#include "suffice/report/explanation_report.hpp"
#include "suffice/report/plane_figures.hpp"

namespace suffice {

// One column beside what the model believes of it.
struct ColumnPicture {
    struct OfClass {
        std::vector<PlotPoint> density;  // p(x | class) along x; of whole numbers their probabilities
        FitCheck check;
        std::vector<double> seen, fitted;  // shares of the levels
    };
    struct Better {
        std::string family, word;  // what it is, and what a user calls it by
        double gain = 0;           // of log evidence
    };
    std::string name, kind, family;  // family empty: the model has no density of the column
    double missing_share = 0;
    double separation = 0;            // F statistic of the classes; of levels 0
    bool whole = false;               // the family is one of whole numbers
    Histogram histogram;              // of numbers
    std::vector<std::string> levels;  // of categories
    std::vector<OfClass> by_class;
    std::optional<Better> better;
};

// What a column says on average about rows of each class: mean log odds for the class against the others.
struct TellingColumn {
    std::string name;
    std::vector<double> by_class;
    double overall = 0;  // weighted by the priors
};

struct Mistake {
    ExplainedRow row;
    std::size_t truth = 0;
    double log_odds = 0;  // of the prediction against the truth: what the model lost
    std::string text;     // the beginning of a document
};

struct OddRow {
    ExplainedRow row;
    std::int32_t truth = -1;
    double log_evidence = 0;
    std::string text;
};

// A telling word of a class in documents of that class.
struct WordInContext {
    struct Place {
        std::string before, word, after;
    };
    std::size_t of_class = 0;
    std::uint32_t column = 0, word = 0;
    double log_odds = 0, count = 0;
    std::vector<Place> places = {};
};

// log p(x) of the rows beside what it is for rows drawn from the model.
struct Novelty {
    Histogram histogram;   // class 0: the rows; class 1: drawn from the model
    double threshold = 0;  // below it lies one in a hundred of the drawn rows
    double share = 0;      // of the rows below it
};

struct ReportContent {
    std::string model, settings, target;
    double trained_rows = 0;
    std::vector<std::string> trained_files, files;
    std::vector<Note> notes;
    Spelling spell = spell_plainly;  // of what a reader may do
    std::size_t parameter_count = 0;
    double log_likelihood = 0, bic = 0, aic = 0;
    std::vector<double> class_weight, prior;
    Schema schema;
    Evaluation evaluation;
    Scores scores;
    bool on_training_rows = false;  // which are surer to be right than others
    std::size_t sampled_rows = 0;   // behind histograms and pictures
    std::vector<ColumnPicture> columns;
    std::size_t column_count = 0;  // of which `columns` are the ones that tell most
    std::vector<TellingColumn> telling;
    std::vector<Mistake> mistakes;
    std::vector<OddRow> odd;
    std::optional<Novelty> novelty;
    std::vector<PlaneView> planes;
    std::vector<WordInContext> words;
    std::vector<Compared> comparison;  // recorded when the model was chosen
};

std::string report_html(const ReportContent& content);
std::string report_markdown(const ReportContent& content);
std::string report_json(const ReportContent& content);

}  // namespace suffice
