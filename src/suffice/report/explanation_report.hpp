// The explanation of one row: as bars for people, as JSON for programs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/data/schema.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

struct ExplainedRow {
    std::uint64_t number = 0;  // from one
    std::vector<double> posterior;
    std::size_t best = 0, second = 0;  // classes by posterior
    Explanation explanation;
    std::vector<std::string> values;      // of the terms, as text; empty: missing
    std::vector<std::string> texts = {};  // of text columns in the order of the schema, as they stood in the data
};

// Columns by how much they pull toward the best class and away from the second.
// colour: texts are shown too, words that pull toward the best class green, those against it red.
std::string explanation_text(const ExplainedRow& row, const Schema& schema, std::size_t most_terms, bool colour = false,
                             Spelling spell = spell_plainly);
// The column that a term is about, and the word where it is about one.
std::string explained_name(const Explanation::Term& term, const Schema& schema);
// {prediction, intercepts: {class: v}, contributions: {class: {column: v}}}
void write_explanation(JsonText& json, const ExplainedRow& row, const Schema& schema);

}  // namespace suffice
