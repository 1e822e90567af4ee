// From a model and columns to the Parts they go into, and the settings that make the model what it is.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/model/classifier.hpp"
#include "suffice/model/column_choice.hpp"
#include "suffice/model/model_table.hpp"

namespace suffice {

enum class Keep : std::uint8_t { automatic, per_class, pooled, diagonal };  // what is kept of covariances
template <>
inline constexpr std::array<std::string_view, 4> enum_names<Keep>{"auto", "per_class", "pooled", "diagonal"};

// What is summed over rows, beyond what the model says.
struct PartOptions {
    std::vector<std::vector<std::string>> joint = {};
    Keep keep = Keep::automatic;
    std::uint32_t order = 3;
    static constexpr auto fields = FieldTuple{
        setting("joint", &PartOptions::joint, "categories modelled by one table of all combinations, by column"),
        setting("keep", &PartOptions::keep, "what is kept of covariances; auto: by size"),
        setting("order", &PartOptions::order, "ngram: words that a model looks at together", between(1, 5))};
};

struct FamilyChoice {
    std::string column;
    std::string family;
};

// What the user asks for. `settings` holds what was set explicitly beyond the model's own.
struct Recipe {
    std::string model = "naive_bayes";
    Settings settings = {};
    std::vector<FamilyChoice> families = {};  // by column name
    PartOptions parts = {};
    bool by_evidence = false;  // naive_bayes: numbers of which nothing is said go to the family that fits them best
};

// The settings that the named model stands for, on top of the user's.
Result<Settings> model_settings(const Recipe& recipe);
// A blank state for these columns.
Result<ModelState> make_state(const Recipe& recipe, const Schema& schema);

}  // namespace suffice
