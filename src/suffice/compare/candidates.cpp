// Lists models by what the columns hold.
#include "suffice/compare/candidates.hpp"

#include <algorithm>

#include "suffice/estimate/covariance_structure.hpp"

namespace suffice {
namespace {

constexpr double most_points = 20'000;
// Structures between one covariance and one for each class are found by steps of d^3.
constexpr std::ptrdiff_t most_structured_columns = 32;

class CandidateList {
public:
    template <class Adjust>
    void add(const std::string& model, GivenSetting option, Adjust&& adjust) {
        Recipe recipe;
        recipe.model = model;
        adjust(recipe.settings);
        all.push_back({model, {}, recipe, {}});
        if (!option.setting.empty()) all.back().options.push_back(std::move(option));
    }
    void add(const std::string& model) {
        add(model, {}, [](Settings&) {});
    }
    std::vector<Candidate> all;
};

void add_text_models(CandidateList& list) {
    list.add("complement_nb");
    list.add("bernoulli_nb");
    for (const auto& [smoothing, text] : {std::pair{0.1, "0.1"}, {0.01, "0.01"}})
        for (const char* model : {"multinomial_nb", "complement_nb", "bernoulli_nb"})
            list.add(model, {"smoothing", text}, [s = smoothing](Settings& into) { into.smoothing = s; });
}

void add_gaussians(CandidateList& list) {
    for (const char* name :
         {"linear_discriminant", "quadratic_discriminant", "diagonal_discriminant", "spherical_discriminant"})
        list.add(name);
    for (const char* name : {"linear_discriminant", "quadratic_discriminant"}) {
        list.add(name, {"shrinkage", "oas"}, [](Settings& into) { into.shrinkage = ShrinkageRule::oas; });
        for (const auto& [amount, text] : {std::pair{0.01, "0.01"}, {0.1, "0.1"}, {0.5, "0.5"}})
            list.add(name, GivenSetting{"shrinkage", text}, [a = amount](Settings& into) { into.shrinkage = a; });
    }
    for (const auto& [alpha, text] : {std::pair{0.9, "0.9"}, {0.7, "0.7"}, {0.5, "0.5"}, {0.3, "0.3"}, {0.1, "0.1"}})
        list.add("regularized_discriminant", GivenSetting{"alpha", text},
                 [a = alpha](Settings& into) { into.alpha = a; });
    for (const auto& [gamma, text] : {std::pair{0.1, "0.1"}, {0.5, "0.5"}})
        list.add("regularized_discriminant", GivenSetting{"gamma", text},
                 [g = gamma](Settings& into) { into.gamma = g; });
}

// Of mclust's fourteen those that have no name of their own (EDDA: Bensmail and Celeux 1996).
void add_structures(CandidateList& list) {
    for (const std::string_view name : enum_names<Parsimonious>)
        list.add("grouped_discriminant", GivenSetting{"groups", std::string(name)},
                 [name](Settings& into) { into.groups = {{std::string(name)}}; });
}

}  // namespace

std::vector<Candidate> usual_candidates(const Schema& schema, double row_count) {
    const auto any = [&](ColumnKind kind) {
        return std::ranges::any_of(schema.columns, [&](const Column& column) { return column.kind == kind; });
    };
    CandidateList list;
    list.add("priors_only");
    list.add("naive_bayes");
    const bool only_text =
        std::ranges::all_of(schema.columns, [](const Column& column) { return column.kind == ColumnKind::text; });
    if (only_text) add_text_models(list);
    if (!any(ColumnKind::number)) return std::move(list.all);
    add_gaussians(list);
    const auto numbers = std::ranges::count(schema.columns, ColumnKind::number, &Column::kind);
    if (numbers >= 2 && numbers <= most_structured_columns && schema.classes.size() >= 2) add_structures(list);
    if (row_count > 0 && row_count <= most_points)
        for (const char* name : {"kernel_density", "kernel_nb", "histogram_nb", "nearest"}) list.add(name);
    return std::move(list.all);
}

}  // namespace suffice
