// Models by name: which Parts the columns go into, and the settings that make the model what it is.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/model/classifier.hpp"

namespace suffice {

struct ModelName {
    std::string_view name;   // canonical
    std::string_view alias;  // what people type; empty: none
    std::string_view what;   // one line for help
};
std::span<const ModelName> model_names();
// Canonical name of a name or an alias; an Error suggests the nearest one.
Result<std::string> canonical_model(std::string_view name);

// Is the model a function of sums over its rows? The others take repeated passes.
bool is_sum(std::string_view canonical);

enum class Keep : std::uint8_t { automatic, per_class, pooled, diagonal };  // what is kept of covariances

struct FamilyChoice {
    std::string column;
    std::string family;
};

// How a column of a file came to its treatment.
struct ColumnChoice {
    std::string column;
    std::string family;  // empty: left out
    std::string why;
};

// What the user asks for. `settings` holds what was set explicitly beyond the model's own.
struct Recipe {
    std::string model = "naive_bayes";
    Settings settings = {};
    bool estimate_given = false;              // else the model's own default
    std::vector<FamilyChoice> families = {};  // by column name
    std::vector<std::vector<std::string>> joint = {};
    Keep keep = Keep::automatic;
    std::uint32_t ngram_order = 3;  // of columns of the family ngrams, and of the model ngram
};

// The family that a model such as poisson_nb takes for every column; empty: it depends on the column.
std::string_view one_family(std::string_view canonical);
// What such a model makes of numbers that it keeps as points: kernel, histogram or nearest; empty: it keeps none.
std::string_view points_family(std::string_view canonical);
// The settings that the named model stands for, on top of the user's.
Result<Settings> model_settings(const Recipe& recipe);
// A blank state for these columns.
Result<ModelState> make_state(const Recipe& recipe, const Schema& schema);

}  // namespace suffice
