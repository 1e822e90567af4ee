// One pass over labelled files for a report: the evaluation, a sample of rows, the worst mistakes, the oddest rows.
#pragma once
#include "suffice/flow/explain.hpp"
#include "suffice/report/report_content.hpp"

namespace suffice {

// Rows drawn at random with what the model said of them. Text is not kept here.
struct SeenRows {
    Matrix values;                    // rows x columns of the schema: numbers, codes of levels, NaN
    std::vector<std::int32_t> label;  // -1: unknown
    std::vector<std::int32_t> prediction;
    std::vector<double> log_evidence;  // zeros where the model has no density
    std::uint64_t row_count = 0;       // of how many

    std::size_t size() const { return label.size(); }
    std::vector<double> column(std::size_t which) const;
};

struct ReportRows {
    Evaluation evaluation;
    SeenRows sample;
    std::vector<Mistake> mistakes;  // worst first
    std::vector<OddRow> odd;        // least probable first
    std::vector<WordInContext> words;
    std::vector<std::string> files;
    std::vector<Note> notes;
    bool training = false;  // the very rows that the model was fitted to
};

struct ReportLimits {
    std::size_t sample = 20'000, mistakes = 8, odd = 8, words = 6, places = 2;
    bool training = false;  // find out whether the model was fitted to these rows: they are read again
};

Result<ReportRows> gather_rows(const Model& model, const Data& data, const ApplyOptions& options,
                               const ReportLimits& limits, const Context& context = {});
// The same of rows in memory, in the order of the model's columns.
Result<ReportRows> gather_rows(const Model& model, const LabeledBlock& rows, const ReportLimits& limits,
                               const Context& context = {});

}  // namespace suffice
