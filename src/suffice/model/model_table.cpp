// One entry for each model.
#include "suffice/model/model_table.hpp"

#include <algorithm>
#include <vector>

#include "suffice/encode/names.hpp"

namespace suffice {
namespace {

using Names = std::string_view;

constexpr Names sums[] = {"priors", "estimate", "unlabeled", "unlabeled_weight"};
constexpr Names scores[] = {"estimate"};  // of densities there are none
constexpr Names points[] = {"priors", "estimate"};
constexpr Names columns[] = {"smoothing", "column_priors", "joint"};
constexpr Names words[] = {"ngrams",     "analyzer", "lowercase",    "strip_accents",  "minimum_length",
                           "stop_words", "stemmer",  "binary",       "hash_features",  "min_df",
                           "max_df",     "idf",      "max_features", "document_length"};
constexpr Names presences[] = {"ngrams",     "analyzer",     "lowercase",      "strip_accents", "minimum_length",
                               "stop_words", "stemmer",      "hash_features",  "min_df",        "max_df",
                               "idf",        "max_features", "document_length"};
constexpr Names letters[] = {"analyzer", "lowercase", "strip_accents",  "stop_words",
                             "stemmer",  "order",     "ngram_smoothing"};
constexpr Names variances[] = {"variance_rows", "added_variance_share"};
constexpr Names covariances[] = {"shrinkage", "shrinkage_target", "units", "strict", "keep", "added_variance_share"};
constexpr Names grouped[] = {"shrinkage", "shrinkage_target",     "units", "strict",
                             "keep",      "added_variance_share", "groups"};
constexpr Names regularized[] = {"shrinkage", "shrinkage_target",     "units", "strict",
                                 "keep",      "added_variance_share", "alpha", "gamma"};
constexpr Names diagonal[] = {"shrinkage", "units", "variance_rows", "added_variance_share"};
constexpr Names counts[] = {"smoothing", "document_norm"};
constexpr Names complements[] = {"smoothing", "document_norm", "normalize_weights"};
constexpr Names families[] = {"column_priors"};
constexpr Names smoothed[] = {"smoothing", "column_priors"};
constexpr Names kernels[] = {"kernel", "bandwidth"};
constexpr Names histograms[] = {"bins"};
constexpr Names neighbors[] = {"neighbors", "units"};
constexpr Names mixtures[] = {"components", "covariance", "structures", "unlabeled", "unlabeled_weight"};
constexpr Names regressions[] = {"basis",  "penalty",      "lasso",         "path",   "choose",
                                 "folds",  "folds_column", "link",          "offset", "class_weight",
                                 "errors", "units",        "missing_values"};

constexpr ModelEntry discriminant(Names name, Names alias, Names what, Covariance covariance, Sharing sharing,
                                  std::span<const Names> own) {
    return {.name = name,
            .alias = alias,
            .what = what,
            .numbers = NumberForm::jointly,
            .covariance = covariance,
            .sharing = sharing,
            .estimate = Estimate::likelihood,
            .settings = {sums, columns, words, own}};
}

constexpr ModelEntry of_points(Names name, Names alias, Names what, PointsForm form, bool by_column,
                               std::span<const Names> own) {
    return {.name = name,
            .alias = alias,
            .what = what,
            .numbers = NumberForm::as_points,
            .covariance = Covariance::full,
            .points = form,
            .by_column = by_column,
            .settings = {points, columns, words, own}};
}

constexpr std::array entries{
    ModelEntry{.name = "naive_bayes",
               .alias = "nb",
               .what = "a family per column, independent given the class",
               .settings = {sums, columns, words, variances}},
    ModelEntry{.name = "gaussian_nb",
               .alias = "gnb",
               .what = "naive Bayes, every column Gaussian",
               .numbers = NumberForm::one_family,
               .family = "gaussian",
               .settings = {sums, families, variances}},
    ModelEntry{.name = "bernoulli_nb",
               .alias = "",
               .what = "naive Bayes, every column 0 or 1",
               .numbers = NumberForm::one_family,
               .family = "bernoulli",
               .presence = true,
               .settings = {sums, smoothed, presences}},
    ModelEntry{.name = "categorical_nb",
               .alias = "",
               .what = "naive Bayes, every column a category",
               .numbers = NumberForm::one_family,
               .family = "categorical",
               .settings = {sums, columns}},
    ModelEntry{.name = "poisson_nb",
               .alias = "",
               .what = "naive Bayes, every column a count",
               .numbers = NumberForm::one_family,
               .family = "poisson",
               .settings = {sums, smoothed}},
    ModelEntry{.name = "multinomial_nb",
               .alias = "",
               .what = "naive Bayes, words of text or all numbers of a row as counts",
               .numbers = NumberForm::counted,
               .settings = {sums, words, counts}},
    ModelEntry{.name = "complement_nb",
               .alias = "",
               .what = "the same by the counts of all other classes: scores, not densities",
               .numbers = NumberForm::counted,
               .complement = true,
               .densities = false,
               .settings = {scores, words, complements}},
    ModelEntry{.name = "ngram",
               .alias = "",
               .what = "an n-gram language model of text per class; other columns as in naive_bayes",
               .sequences = true,
               .settings = {sums, columns, letters, variances}},
    discriminant("linear_discriminant", "lda", "Gaussian, one covariance for all classes", Covariance::full,
                 Sharing::all, covariances),
    discriminant("quadratic_discriminant", "qda", "Gaussian, a covariance per class", Covariance::full, Sharing::own,
                 covariances),
    discriminant("grouped_discriminant", "",
                 "Gaussian, a covariance per group of classes, or mclust's structure such as VEV", Covariance::full,
                 Sharing::groups, grouped),
    discriminant("regularized_discriminant", "rda", "Gaussian, between own, pooled and spherical", Covariance::full,
                 Sharing::own, regularized),
    discriminant("diagonal_discriminant", "dlda", "Gaussian, one diagonal covariance for all classes",
                 Covariance::diagonal, Sharing::all, diagonal),
    discriminant("spherical_discriminant", "", "Gaussian, one variance for everything: the nearest mean",
                 Covariance::spherical, Sharing::all, variances),
    of_points("kernel_density", "kde", "kernels around the rows of each class, all numbers jointly", PointsForm::kernel,
              false, kernels),
    of_points("kernel_nb", "", "naive Bayes, every number by kernels around its values", PointsForm::kernel, true,
              kernels),
    of_points("histogram_nb", "", "naive Bayes, every number by a histogram", PointsForm::histogram, true, histograms),
    of_points("nearest", "knn", "the shares of the classes among the nearest rows", PointsForm::nearest, false,
              neighbors),
    ModelEntry{.name = "priors_only",
               .alias = "",
               .what = "the shares of the classes and no column: what every other model has to beat",
               .numbers = NumberForm::unseen,
               .densities = false,
               .settings = {points}},
    ModelEntry{.name = "mixture_discriminant",
               .alias = "mda",
               .what = "each class a mixture of Gaussians, by EM",
               .fitting = Fitting::mixture,
               .settings = {mixtures}},
    ModelEntry{.name = "logistic_regression",
               .alias = "logistic",
               .what = "the posterior itself, by Newton's method: no densities",
               .fitting = Fitting::regression,
               .densities = false,
               .settings = {regressions}},
};

// Found by cluster, where nobody has named the classes.
constexpr Names groups[] = {"gaussian_mixture", "gmm", "k_means", "kmeans"};

}  // namespace

bool ModelEntry::takes(std::string_view setting) const {
    return std::ranges::any_of(settings,
                               [&](const auto& some) { return std::ranges::find(some, setting) != some.end(); });
}

std::span<const ModelEntry> models() { return entries; }

const ModelEntry* find_model(std::string_view canonical) {
    const auto found = std::ranges::find(entries, canonical, &ModelEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

Result<const ModelEntry*> model_entry(std::string_view name) {
    std::vector<std::string> known;
    for (const ModelEntry& each : entries) {
        if (name == each.name || (!each.alias.empty() && name == each.alias)) return &each;
        known.emplace_back(each.name);
        if (!each.alias.empty()) known.emplace_back(each.alias);
    }
    if (std::ranges::find(groups, name) != std::end(groups))
        return Error(ErrorKind::usage, "there is no model " + std::string(name) +
                                           " of given classes; mixture_discriminant is a mixture within each class")
            .advise({"verb", "cluster", "for groups that nobody has named use"});
    const auto near = nearest_name(std::string(name), known);
    return Error(ErrorKind::usage,
                 "there is no model " + std::string(name) + (near.empty() ? "" : "; did you mean " + near + "?"));
}

Result<std::string> canonical_model(std::string_view name) {
    const auto entry = model_entry(name);
    if (!entry) return entry.error();
    return std::string((*entry)->name);
}

}  // namespace suffice
