// One pass over labelled files for a report: the evaluation, a sample of rows, the worst mistakes, the oddest rows.
#pragma once
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/flow/explain.hpp"

namespace suffice {

// Rows drawn at random with what the model said of them. Text is not kept here.
struct SeenRows {
    Matrix values;                    // rows x columns of the schema: numbers, codes of levels, NaN
    std::vector<std::int32_t> label;  // -1: unknown
    std::vector<std::int32_t> prediction;
    std::vector<double> log_evidence;
    std::uint64_t row_count = 0;  // of how many

    std::size_t size() const { return label.size(); }
    std::vector<double> column(std::size_t which) const;
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

// A telling word of a class in a document of that class.
struct WordInContext {
    std::size_t of_class = 0;
    std::uint32_t column = 0, word = 0;
    double log_odds = 0, count = 0;
    struct Place {
        std::string before, word, after;
    };
    std::vector<Place> places;
};

struct ReportRows {
    Evaluation evaluation;
    SeenRows sample;
    std::vector<Mistake> mistakes;  // worst first
    std::vector<OddRow> odd;        // least probable first
    std::vector<WordInContext> words;
    std::vector<std::string> files;
    std::vector<std::string> notes;
};

struct ReportLimits {
    std::size_t sample = 20'000, mistakes = 8, odd = 8, words = 6, places = 2;
};

Result<ReportRows> gather_rows(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                               const ReportLimits& limits, const Context& context = {});

}  // namespace suffice
