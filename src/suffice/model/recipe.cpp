// The Parts that a model puts its columns into.
#include "suffice/model/recipe.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "suffice/data/check_rows.hpp"
#include "suffice/encode/column_places.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/family/categorical.hpp"
#include "suffice/part/counts_part.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/evidence_part.hpp"
#include "suffice/part/joint_part.hpp"
#include "suffice/part/make.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/points_part.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {
namespace {

std::string_view usual_family(const ModelEntry& model, ColumnKind kind) {
    switch (kind) {
        case ColumnKind::number:
            return "gaussian";
        case ColumnKind::flag:
            return "bernoulli";
        case ColumnKind::category:
            return "categorical";
        case ColumnKind::text:
            return model.sequences ? NgramPart::name : TokenPart::name;
    }
    return "gaussian";
}

bool is_number(const Column& column) { return column.kind == ColumnKind::number || column.kind == ColumnKind::flag; }

// The family the user named for a column, if any.
Result<std::map<std::string, std::string>> families_by_column(const Recipe& recipe, const Schema& schema) {
    std::map<std::string, std::string> family;
    std::vector<std::string> known;
    for (const ColumnWord& each : column_words()) known.emplace_back(each.word);
    const ColumnPlaces places = recipe.families.empty() ? ColumnPlaces{} : column_places(schema.columns);
    for (const auto& each : recipe.families) {
        if (!places.contains(each.column)) {
            std::vector<std::string> all;
            for (const auto& column : schema.columns) all.push_back(column.name);
            const auto near = nearest_name(each.column, all);
            return Error(ErrorKind::usage,
                         "there is no column " + each.column + (near.empty() ? "" : "; did you mean " + near + "?"));
        }
        if (std::ranges::find(known, each.family) == known.end()) {
            const auto near = nearest_name(each.family, known);
            std::string all;
            for (const auto& name : known) all += (all.empty() ? "" : &name == &known.back() ? " or " : ", ") + name;
            return Error(ErrorKind::usage, "a column has no family " + each.family + "; " +
                                               (near.empty() ? "it takes " + all : "did you mean " + near + "?"))
                .in_column(each.column);
        }
        family[each.column] = each.family;
    }
    return family;
}

// The Part of each joined list of columns, by position in the schema.
Result<std::vector<std::vector<std::uint32_t>>> joined_columns(const Recipe& recipe, const Schema& schema) {
    std::vector<std::vector<std::uint32_t>> joined;
    std::vector<std::uint32_t> taken;
    for (const auto& list : recipe.parts.joint) {
        auto& columns = joined.emplace_back();
        for (const auto& name : list) {
            const auto column = schema.column_named(name);
            if (!column) return Error(ErrorKind::usage, "there is no column " + name + " to join");
            const auto kind = schema.columns[*column].kind;
            if (kind != ColumnKind::category && kind != ColumnKind::flag)
                return Error(ErrorKind::usage, "only categories and flags can be joined")
                    .advise({"families", name + "=categorical"})
                    .in_column(name);
            if (std::ranges::find(taken, *column) != taken.end())
                return Error(ErrorKind::usage, "the column " + name + " is joined twice");
            taken.push_back(*column);
            columns.push_back(*column);
        }
    }
    return joined;
}

Result<void> check_sequences(const Recipe& recipe, const Schema& schema, const std::vector<std::uint32_t>& columns) {
    if (recipe.parts.order < 1 || recipe.parts.order > NgramCounts::largest_order)
        return Error(ErrorKind::usage, "the order of n-grams is 1 to " + std::to_string(NgramCounts::largest_order) +
                                           ", not " + std::to_string(recipe.parts.order));
    for (const auto column : columns) {
        const auto& text = schema.columns[column].text;
        if (text.empty() || !text[0].in_order)
            return Error(ErrorKind::usage, "n-gram models take text in the order of its words")
                .in_column(schema.columns[column].name);
    }
    return {};
}

// One scatter, or one for each class: of those known now, and of those that a stream will bring.
CovariancePart covariance_part(const Recipe& recipe, const Settings& settings, const Schema& schema,
                               std::vector<std::uint32_t> columns) {
    const std::size_t bytes = schema.classes.size() * columns.size() * columns.size() * sizeof(double);
    const bool may_pool = recipe.parts.keep == Keep::automatic && settings.sharing == Sharing::all &&
                          !settings.shrinkage.needs_fourth_moments();
    const bool pooled = recipe.parts.keep == Keep::pooled || (may_pool && bytes > CovariancePart::most_scatter_bytes);
    CovariancePart part(schema, std::move(columns), pooled, settings.shrinkage);
    if (may_pool) part.room.scatters = CovariancePart::most_scatter_bytes;
    return part;
}

}  // namespace

Result<Settings> model_settings(const Recipe& recipe) {
    const auto found = model_entry(recipe.model);
    if (!found) return found.error();
    const ModelEntry& entry = **found;
    if (!entry.is_sum())
        return Error(ErrorKind::usage,
                     std::string(entry.name) + " is not made from sums over rows, but fitted to the rows themselves");
    Settings settings = recipe.settings;
    settings.covariance = entry.covariance;
    settings.sharing = entry.sharing;
    const auto structure = parsimonious_structure(settings);
    if (structure == Parsimonious::vei || structure == Parsimonious::evi) settings.covariance = Covariance::diagonal;
    settings.complement = entry.complement;
    if (entry.complement) settings.priors = PriorRule::uniform;
    if (settings.estimate == Estimate::automatic) settings.estimate = entry.estimate;
    if (settings.units == Units::automatic) settings.units = Units::standardized;
    settings.presence = entry.presence;
    settings.points.by_column = entry.by_column;
    settings.points.form = entry.points.value_or(PointsForm::kernel);
    if (auto checked = settings.check(); !checked) return checked.error();
    return settings;
}

namespace {

// Which columns go into which kind of Part.
struct SortedColumns {
    std::map<std::string, std::vector<std::uint32_t>> by_family;  // sorted, so that the order of Parts is fixed
    std::vector<std::uint32_t> jointly, counted, points;
};

SortedColumns sort_columns(const Recipe& recipe, const Settings& settings, const ModelEntry& entry,
                           const Schema& schema, const std::map<std::string, std::string>& given,
                           const std::vector<std::vector<std::uint32_t>>& joined) {
    SortedColumns sorted;
    for (std::uint32_t k = 0; k < schema.columns.size() && entry.numbers != NumberForm::unseen; ++k) {
        const Column& column = schema.columns[k];
        if (std::ranges::any_of(joined, [&](const auto& list) { return std::ranges::find(list, k) != list.end(); }))
            continue;
        const auto named = given.find(column.name);
        const bool automatic = named != given.end() && named->second == EvidencePart::word;
        const bool usual = automatic && !is_number(column);  // of words there is nothing to choose from
        if (named != given.end() && !usual) {
            sorted.by_family[named->second].push_back(k);
        } else if (!usual && entry.numbers == NumberForm::one_family && column.kind != ColumnKind::text) {
            sorted.by_family[std::string(entry.family)].push_back(k);
        } else if (entry.numbers == NumberForm::jointly && is_number(column)) {
            sorted.jointly.push_back(k);
        } else if (entry.numbers == NumberForm::counted && is_number(column)) {
            sorted.counted.push_back(k);
        } else if (entry.numbers == NumberForm::as_points && is_number(column)) {
            sorted.points.push_back(k);
        } else {
            const bool chosen = recipe.by_evidence && entry.name == "naive_bayes" && is_number(column) &&
                                std::ranges::find(settings.column_priors, column.name, &ColumnPrior::column) ==
                                    settings.column_priors.end();
            sorted.by_family[std::string(chosen ? EvidencePart::word : usual_family(entry, column.kind))].push_back(k);
        }
    }
    if (recipe.parts.keep == Keep::diagonal && !sorted.jointly.empty()) {
        auto& gaussian = sorted.by_family["gaussian"];
        gaussian.insert(gaussian.end(), sorted.jointly.begin(), sorted.jointly.end());
        std::ranges::sort(gaussian);
        sorted.jointly.clear();
    }
    return sorted;
}

Result<void> add_family(const Recipe& recipe, const ModelEntry& entry, const Schema& schema, const std::string& family,
                        const std::vector<std::uint32_t>& columns, Several<Part>& parts) {
    if (family == NgramPart::word)
        if (auto fits = check_sequences(recipe, schema, columns); !fits) return fits;
    for (const auto column : columns)
        if (schema.columns[column].kind == ColumnKind::category && family != Categorical::name)
            return Error(family + " takes numbers, and the column holds categories")
                .in_column(schema.columns[column].name);
    auto made = make_parts(family, schema, columns, recipe.parts.order);
    if (made.empty())
        return Error(ErrorKind::usage,
                     "columns of the kind " + family + " cannot be modelled by " + std::string(entry.name));
    for (Part& each : made) parts.push_back(std::move(each));
    return {};
}

}  // namespace

Result<ModelState> make_state(const Recipe& recipe, const Schema& schema) {
    if (auto good = check_columns(schema); !good) return good.error();
    auto settings = model_settings(recipe);
    if (!settings) return settings.error();
    const ModelEntry& entry = **model_entry(recipe.model);
    const auto given = families_by_column(recipe, schema);
    if (!given) return given.error();
    const auto joined = joined_columns(recipe, schema);
    if (!joined) return joined.error();
    const SortedColumns sorted = sort_columns(recipe, *settings, entry, schema, *given, *joined);

    Several<Part> parts;
    if (!sorted.jointly.empty()) parts.push_back(Part(covariance_part(recipe, *settings, schema, sorted.jointly)));
    if (!sorted.counted.empty()) parts.push_back(Part(CountsPart(schema, sorted.counted)));
    if (!sorted.points.empty()) parts.push_back(Part(PointsPart(schema, sorted.points)));
    const auto families_start = static_cast<std::ptrdiff_t>(parts.size());
    if (entry.numbers != NumberForm::unseen)
        for (const auto& columns : *joined) parts.push_back(Part(JointPart(schema, columns)));
    for (const auto& [family, columns] : sorted.by_family)
        if (auto added = add_family(recipe, entry, schema, family, columns, parts); !added) return added.error();
    std::stable_sort(parts.begin() + families_start, parts.end(),
                     [](const Part& a, const Part& b) { return a.name() < b.name(); });
    return ModelState{std::string(entry.name), std::move(*settings), ModelStatistic(schema, std::move(parts))};
}

}  // namespace suffice
