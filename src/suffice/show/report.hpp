// A report on a model and labelled files: everything there is to see, in one file.
#pragma once
#include "suffice/flow/open_data.hpp"

namespace suffice {

enum class ReportFormat : std::uint8_t { html, markdown, json };

struct ReportOptions {
    ApplyOptions apply = {};
    ReportFormat format = ReportFormat::html;
    std::vector<std::string> columns = {};  // two to be seen in the plane; empty: chosen
    Spelling spell = spell_plainly;         // of what a reader may do
};

struct Reported {
    std::string text;
    std::vector<Note> notes;
};

// One pass over the files.
Result<Reported> report(const Model& model, const Data& data, const ReportOptions& options,
                        const Context& context = {});
// Of rows in memory, in the order of the model's columns.
Result<Reported> report(const Model& model, const LabeledBlock& rows, const ReportOptions& options,
                        const Context& context = {});

}  // namespace suffice
