// The table of models, and the Parts that each puts its columns into.
#include "suffice/model/recipe.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "suffice/encode/names.hpp"
#include "suffice/part/auto_part.hpp"
#include "suffice/part/counts_part.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/joint_part.hpp"
#include "suffice/part/make.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/points_part.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {
namespace {

// How a model treats numbers: each column by a family, all of them jointly, as one vector of counts, or
// kept as points.
enum class Numbers : std::uint8_t { own_family, one_family, jointly, counted, as_points };

struct Entry {
    ModelName name;
    Numbers numbers;
    Covariance covariance = Covariance::diagonal;
    Sharing sharing = Sharing::own;
    std::string_view family = {};  // of one_family
};

constexpr std::array entries{
    Entry{.name = {"naive_bayes", "nb", "a family per column, independent given the class"},
          .numbers = Numbers::own_family},
    Entry{.name = {"gaussian_nb", "gnb", "naive Bayes, every column Gaussian"},
          .numbers = Numbers::one_family,
          .family = "gaussian"},
    Entry{.name = {"bernoulli_nb", "", "naive Bayes, every column 0 or 1"},
          .numbers = Numbers::one_family,
          .family = "bernoulli"},
    Entry{.name = {"categorical_nb", "", "naive Bayes, every column a category"},
          .numbers = Numbers::one_family,
          .family = "categorical"},
    Entry{.name = {"poisson_nb", "", "naive Bayes, every column a count"},
          .numbers = Numbers::one_family,
          .family = "poisson"},
    Entry{.name = {"multinomial_nb", "", "naive Bayes, words of text or all numbers of a row as counts"},
          .numbers = Numbers::counted},
    Entry{.name = {"complement_nb", "", "the same by the counts of all other classes: scores, not densities"},
          .numbers = Numbers::counted},
    Entry{.name = {"ngram", "", "an n-gram language model of text per class; other columns as in naive_bayes"},
          .numbers = Numbers::own_family},
    Entry{.name = {"linear_discriminant", "lda", "Gaussian, one covariance for all classes"},
          .numbers = Numbers::jointly,
          .covariance = Covariance::full,
          .sharing = Sharing::all},
    Entry{.name = {"quadratic_discriminant", "qda", "Gaussian, a covariance per class"},
          .numbers = Numbers::jointly,
          .covariance = Covariance::full},
    Entry{.name = {"grouped_discriminant", "", "Gaussian, a covariance per group of classes"},
          .numbers = Numbers::jointly,
          .covariance = Covariance::full,
          .sharing = Sharing::groups},
    Entry{.name = {"regularized_discriminant", "rda", "Gaussian, between own, pooled and spherical"},
          .numbers = Numbers::jointly,
          .covariance = Covariance::full},
    Entry{.name = {"diagonal_discriminant", "dlda", "Gaussian, one diagonal covariance for all classes"},
          .numbers = Numbers::jointly,
          .sharing = Sharing::all},
    Entry{.name = {"spherical_discriminant", "", "Gaussian, one variance for everything: the nearest mean"},
          .numbers = Numbers::jointly,
          .covariance = Covariance::spherical,
          .sharing = Sharing::all},
    Entry{.name = {"kernel_density", "kde", "kernels around the rows of each class, all numbers jointly"},
          .numbers = Numbers::as_points,
          .covariance = Covariance::full},
    Entry{.name = {"kernel_nb", "", "naive Bayes, every number by kernels around its values"},
          .numbers = Numbers::as_points,
          .covariance = Covariance::full},
    Entry{.name = {"histogram_nb", "", "naive Bayes, every number by a histogram"},
          .numbers = Numbers::as_points,
          .covariance = Covariance::full},
    Entry{.name = {"nearest", "knn", "the shares of the classes among the nearest rows"},
          .numbers = Numbers::as_points,
          .covariance = Covariance::full},
};

constexpr std::array by_passes{
    ModelName{"mixture_discriminant", "mda", "each class a mixture of Gaussians, by EM"},
    ModelName{"logistic_regression", "logistic", "the posterior itself, by Newton's method: no densities"},
};

constexpr auto names = [] {
    std::array<ModelName, entries.size() + by_passes.size()> list;
    for (std::size_t k = 0; k < entries.size(); ++k) list[k] = entries[k].name;
    for (std::size_t k = 0; k < by_passes.size(); ++k) list[entries.size() + k] = by_passes[k];
    return list;
}();

const Entry* find_entry(std::string_view canonical) {
    const auto found = std::ranges::find(entries, canonical, [](const Entry& each) { return each.name.name; });
    return found == entries.end() ? nullptr : &*found;
}

std::string_view usual_family(std::string_view model, ColumnKind kind) {
    switch (kind) {
        case ColumnKind::number:
            return "gaussian";
        case ColumnKind::flag:
            return "bernoulli";
        case ColumnKind::category:
            return "categorical";
        case ColumnKind::text:
            return model == "ngram" ? NgramPart::name : TokenPart::name;
    }
    return "gaussian";
}

bool is_number(const Column& column) { return column.kind == ColumnKind::number || column.kind == ColumnKind::flag; }

// The family the user named for a column, if any.
Result<std::map<std::string, std::string>> families_by_column(const Recipe& recipe, const Schema& schema) {
    std::map<std::string, std::string> family;
    auto known = column_family_names();
    known.emplace_back(TokenPart::name);
    known.emplace_back(NgramPart::name);
    known.emplace_back(AutoPart::name);
    for (const auto& each : recipe.families) {
        if (!schema.column_named(each.column)) {
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
    for (const auto& list : recipe.joint) {
        auto& columns = joined.emplace_back();
        for (const auto& name : list) {
            const auto column = schema.column_named(name);
            if (!column) return Error(ErrorKind::usage, "there is no column " + name + " to join");
            const auto kind = schema.columns[*column].kind;
            if (kind != ColumnKind::category && kind != ColumnKind::flag)
                return Error(ErrorKind::usage,
                             "only categories and flags can be joined; use --family " + name + "=categorical")
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
    if (recipe.ngram_order < 1 || recipe.ngram_order > NgramCounts::largest_order)
        return Error(ErrorKind::usage, "the order of n-grams is 1 to " + std::to_string(NgramCounts::largest_order) +
                                           ", not " + std::to_string(recipe.ngram_order));
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
    const bool may_pool = recipe.keep == Keep::automatic && settings.sharing == Sharing::all &&
                          settings.shrinkage != Shrinkage::ledoit_wolf && settings.shrinkage != Shrinkage::automatic;
    const bool pooled = recipe.keep == Keep::pooled || (may_pool && bytes > CovariancePart::most_scatter_bytes);
    CovariancePart part(schema, std::move(columns), pooled, settings.shrinkage);
    if (may_pool) part.room.scatters = CovariancePart::most_scatter_bytes;
    return part;
}

}  // namespace

std::span<const ModelName> model_names() { return names; }

Result<std::string> canonical_model(std::string_view name) {
    std::vector<std::string> known;
    for (const auto& each : names) {
        if (name == each.name || (!each.alias.empty() && name == each.alias)) return std::string(each.name);
        known.emplace_back(each.name);
        if (!each.alias.empty()) known.emplace_back(each.alias);
    }
    for (const std::string_view group : {"gaussian_mixture", "gmm", "k_means", "kmeans"})
        if (name == group)
            return Error(ErrorKind::usage, "there is no model " + std::string(name) +
                                               " of given classes; suffice cluster finds groups with it, and "
                                               "mixture_discriminant is a mixture within each class");
    const auto near = nearest_name(std::string(name), known);
    return Error(ErrorKind::usage, "there is no model " + std::string(name) +
                                       (near.empty() ? "; see suffice fit --help" : "; did you mean " + near + "?"));
}

bool is_sum(std::string_view canonical) { return find_entry(canonical) != nullptr; }

std::string_view one_family(std::string_view canonical) {
    const Entry* entry = find_entry(canonical);
    return entry == nullptr ? std::string_view{} : entry->family;
}

std::string_view points_family(std::string_view canonical) {
    const Entry* entry = find_entry(canonical);
    if (entry == nullptr || entry->numbers != Numbers::as_points) return {};
    return canonical == "histogram_nb" ? "histogram" : canonical == "nearest" ? "nearest" : "kernel";
}

Result<Settings> model_settings(const Recipe& recipe) {
    const auto canonical = canonical_model(recipe.model);
    if (!canonical) return canonical.error();
    const Entry* found = find_entry(*canonical);
    if (found == nullptr)
        return Error(ErrorKind::usage,
                     *canonical + " is not made from sums over rows, but fitted to the rows themselves");
    const Entry& entry = *found;
    Settings settings = recipe.settings;
    settings.covariance = entry.covariance;
    settings.sharing = entry.sharing;
    if (*canonical == "complement_nb") {  // priors play no part in it
        settings.complement = true;
        settings.class_priors = ClassPriors::uniform;
    }
    if (!recipe.estimate_given && entry.numbers != Numbers::jointly) settings.estimate = Estimate::map;
    settings.presence = *canonical == "bernoulli_nb";
    settings.points.by_column = *canonical == "kernel_nb" || *canonical == "histogram_nb";
    const auto points = points_family(*canonical);
    settings.points.form = points == "histogram" ? PointsForm::histogram
                           : points == "nearest" ? PointsForm::nearest
                                                 : PointsForm::kernel;
    if (auto checked = settings.check(); !checked) return checked.error();
    return settings;
}

Result<ModelState> make_state(const Recipe& recipe, const Schema& schema) {
    auto settings = model_settings(recipe);
    if (!settings) return settings.error();
    const auto canonical = canonical_model(recipe.model).value();
    const Entry& entry = *find_entry(canonical);
    const auto given = families_by_column(recipe, schema);
    if (!given) return given.error();
    const auto joined = joined_columns(recipe, schema);
    if (!joined) return joined.error();

    std::map<std::string, std::vector<std::uint32_t>> by_family;  // sorted, so that the order of Parts is fixed
    std::vector<std::uint32_t> jointly, counted, points;
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        const Column& column = schema.columns[k];
        if (std::ranges::any_of(*joined, [&](const auto& list) { return std::ranges::find(list, k) != list.end(); }))
            continue;
        const auto named = given->find(column.name);
        const bool automatic = named != given->end() && named->second == AutoPart::name;
        const bool usual = automatic && !is_number(column);  // of words there is nothing to choose from
        if (named != given->end() && !usual) {
            by_family[named->second].push_back(k);
        } else if (!usual && entry.numbers == Numbers::one_family && column.kind != ColumnKind::text) {
            by_family[std::string(entry.family)].push_back(k);
        } else if (entry.numbers == Numbers::jointly && is_number(column)) {
            jointly.push_back(k);
        } else if (entry.numbers == Numbers::counted && is_number(column)) {
            counted.push_back(k);
        } else if (entry.numbers == Numbers::as_points && is_number(column)) {
            points.push_back(k);
        } else {
            by_family[std::string(usual_family(canonical, column.kind))].push_back(k);
        }
    }
    Several<Part> parts;
    if (!jointly.empty()) {
        if (recipe.keep == Keep::diagonal) {
            auto& gaussian = by_family["gaussian"];
            gaussian.insert(gaussian.end(), jointly.begin(), jointly.end());
            std::ranges::sort(gaussian);
        } else {
            parts.push_back(Part(covariance_part(recipe, *settings, schema, jointly)));
        }
    }
    if (!counted.empty()) parts.push_back(Part(CountsPart(schema, counted)));
    if (!points.empty()) parts.push_back(Part(PointsPart(schema, points)));
    const auto families_start = static_cast<std::ptrdiff_t>(parts.size());
    for (const auto& columns : *joined) parts.push_back(Part(JointPart(schema, columns)));
    for (auto& [family, columns] : by_family) {
        if (family == AutoPart::name) {
            parts.push_back(Part(AutoPart(schema, columns)));
            continue;
        }
        if (family == TokenPart::name) {
            for (const auto column : columns) parts.push_back(Part(TokenPart(schema, column)));
            continue;
        }
        if (family == NgramPart::name) {
            if (auto fits = check_sequences(recipe, schema, columns); !fits) return fits.error();
            for (const auto column : columns) parts.push_back(Part(NgramPart(schema, column, recipe.ngram_order)));
            continue;
        }
        auto part = make_family_part(family, schema, columns);
        if (!part)
            return Error(ErrorKind::usage, "columns of the kind " + family + " cannot be modelled by " + canonical);
        parts.push_back(std::move(*part));
    }
    std::stable_sort(parts.begin() + families_start, parts.end(),
                     [](const Part& a, const Part& b) { return a.name() < b.name(); });
    return ModelState{canonical, std::move(*settings), ModelStatistic(schema, std::move(parts))};
}

}  // namespace suffice
