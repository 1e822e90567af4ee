// The table of models: what each is, how its columns are treated, how it is fitted and which settings it takes.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "suffice/estimate/settings.hpp"

namespace suffice {

// How a model treats numbers: each column by a family, all by one, all of them jointly, as one vector of counts, kept
// as points; or it looks at no column at all.
enum class NumberForm : std::uint8_t { own_family, one_family, jointly, counted, as_points, unseen };
// What the fit is: a function of sums over the rows, or what repeated passes over them give.
enum class Fitting : std::uint8_t { sums, mixture, regression };

struct ModelEntry {
    std::string_view name;   // canonical
    std::string_view alias;  // what people type; empty: none
    std::string_view what;   // one line for help
    Fitting fitting = Fitting::sums;
    NumberForm numbers = NumberForm::own_family;
    Covariance covariance = Covariance::diagonal;
    Sharing sharing = Sharing::own;
    std::string_view family = {};           // of one_family
    std::optional<PointsForm> points = {};  // of as_points
    bool by_column = false;                 // of as_points: independent given the class
    Estimate estimate = Estimate::map;      // unless asked otherwise
    bool complement = false;                // by the counts of all other classes; priors play no part
    bool presence = false;                  // of words: whether each occurs
    bool sequences = false;                 // of words: in their order
    bool densities = true;                  // p(x | class): rows can be drawn and have an evidence
    std::array<std::span<const std::string_view>, 5> settings = {};  // by name

    bool is_sum() const { return fitting == Fitting::sums; }
    bool takes(std::string_view setting) const;
};

std::span<const ModelEntry> models();
const ModelEntry* find_model(std::string_view canonical);  // nullptr: none
// The entry of a name or an alias; an Error suggests the nearest one.
Result<const ModelEntry*> model_entry(std::string_view name);
// Canonical name of a name or an alias.
Result<std::string> canonical_model(std::string_view name);

}  // namespace suffice
