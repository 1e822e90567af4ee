// How statistics become parameters. The same statistics under other settings are another model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/density/density_settings.hpp"
#include "suffice/estimate/setting_choices.hpp"

namespace suffice {

// How parameters come from statistics. automatic: as the model usually does, and by likelihood where no model says.
enum class Estimate : std::uint8_t { likelihood, unbiased, map, predictive, automatic };
template <>
inline constexpr std::array<std::string_view, 5> enum_names<Estimate>{"likelihood", "unbiased", "map", "predictive",
                                                                      "auto"};
enum class Covariance : std::uint8_t { full, diagonal, spherical };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Covariance>{"full", "diagonal", "spherical"};
enum class Sharing : std::uint8_t { own, all, groups };  // whose covariance a class uses
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Sharing>{"own", "all", "groups"};
// Of n-gram models: each order interpolated with the one below.
enum class NgramSmoothing : std::uint8_t { witten_bell, kneser_ney };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<NgramSmoothing>{"witten_bell", "kneser_ney"};
// How many words a document has, given its class: not modelled, or as a count.
enum class DocumentLength : std::uint8_t { none, poisson, negative_binomial };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<DocumentLength>{"none", "poisson", "negative_binomial"};

// Distances, shrinkage and penalties: of columns as they are, or divided by the root of their pooled variance within
// classes. automatic: as the model usually does; in files from before there was a choice, as they are.
enum class Units : std::uint8_t { automatic, raw, standardized };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Units>{"auto", "raw", "standardized"};

// "beta(2, 5)" for one column, as written by the user; the column's family reads it.
struct ColumnPrior {
    std::string column;
    std::string prior;
    static constexpr auto fields =
        FieldTuple{field("column", &ColumnPrior::column), field("prior", &ColumnPrior::prior)};
    bool operator==(const ColumnPrior&) const = default;
};
template <>
struct SettingCodec<std::vector<ColumnPrior>> : MapCodec<ColumnPrior> {
    static std::string form(const Range&) { return "priors by column, such as x=beta(2,5)"; }
};

// Columns kept as points: what their density is made of.
enum class PointsForm : std::uint8_t { kernel, histogram, nearest };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<PointsForm>{"kernel", "histogram", "nearest"};

struct PointsSettings {
    PointsForm form = PointsForm::kernel;
    bool by_column = false;  // independent given the class, instead of jointly
    KernelShape kernel = KernelShape::gaussian;
    Bandwidth bandwidth = {};
    std::uint32_t neighbors = 0;
    Bins bins = {};
    static constexpr auto fields = FieldTuple{
        field("form", &PointsSettings::form),
        field("by_column", &PointsSettings::by_column),
        setting("kernel", &PointsSettings::kernel, "the shape of kernels"),
        setting("bandwidth", &PointsSettings::bandwidth, "the width of kernels: a rule, or a number in columns' units"),
        setting("neighbors", &PointsSettings::neighbors,
                "nearest rows that are looked at; 0: the root of their number"),
        setting("bins", &PointsSettings::bins, "of histograms: how many, or Bayesian blocks")};
    bool operator==(const PointsSettings&) const = default;
};

struct Settings {
    Estimate estimate = Estimate::automatic;
    double smoothing = 1;
    std::vector<double> column_smoothing = {};  // of counts, by column, in place of the one for all
    double variance_rows = 10;        // under map and predictive: what the prior of a column's variance is worth
    double added_variance_share = 0;  // scikit-learn's, of the largest column variance to every one, in place of ours
    double added_variance = 0;        // to every variance, in the columns' own units: a component cannot collapse
    bool strict = false;

    Covariance covariance = Covariance::full;
    Sharing sharing = Sharing::own;
    std::vector<std::vector<std::string>> groups = {};  // by name, so recoding never touches settings
    Shrinkage shrinkage = {};
    ShrinkageTarget shrinkage_target = ShrinkageTarget::sphere;
    Units units = Units::automatic;
    double alpha = 1, gamma = 0;  // Friedman's
    double toward_identity = 0;   // weight of the identity itself against a covariance
    bool pool_by_priors = false;  // class covariances are averaged by the priors, instead of by the rows
    std::uint32_t rank = 0;       // of the discriminant coordinates used; 0: all
    GaussianPrior gaussian_prior = {};

    ClassPriors priors = {};
    std::vector<ColumnPrior> column_priors = {};
    bool complement = false;  // counts: weights from the other classes' counts
    bool normalize_weights = false;
    bool presence = false;  // words: whether each occurs in a document, instead of how often
    double min_df = 1, max_df = 1;
    std::uint32_t max_features = 0;
    PointsSettings points = {};
    bool idf = false;  // counts of words times log((1 + documents)/(1 + documents with the word)) + 1
    DocumentLength document_length = DocumentLength::none;
    NgramSmoothing ngram_smoothing = NgramSmoothing::kneser_ney;

    static constexpr auto fields = FieldTuple{
        setting("priors", &Settings::priors, "class priors", {}, "prior"),
        setting("estimate", &Settings::estimate, "how parameters come from sums; auto: as the model usually does"),
        setting("smoothing", &Settings::smoothing, "pseudo-count of categories, flags, words and counts", at_least(0)),
        setting("column_priors", &Settings::column_priors, "conjugate priors of columns", {}, "column-prior"),
        setting("groups", &Settings::groups, "classes that share a covariance"),
        setting("shrinkage", &Settings::shrinkage, "of covariances, toward the shrinkage target"),
        setting("shrinkage_target", &Settings::shrinkage_target,
                "equal variances, the class's own variances, or these with equal correlations"),
        setting("units", &Settings::units,
                "distances, shrinkage and penalties: of columns as they are, or standardised within classes"),
        setting("alpha", &Settings::alpha, "weight of a class's own covariance against the pooled one", between(0, 1)),
        setting("gamma", &Settings::gamma, "pull of covariances toward a sphere", between(0, 1)),
        setting("variance_rows", &Settings::variance_rows,
                "under map and predictive: rows that the prior of a variance is worth, around the pooled one",
                at_least(0)),
        setting("added_variance_share", &Settings::added_variance_share,
                "added to every variance, as a share of the largest, in place of that prior", at_least(0)),
        setting("strict", &Settings::strict, "a singular covariance is an error"),
        field("added_variance", &Settings::added_variance),
        field("covariance", &Settings::covariance),
        field("sharing", &Settings::sharing),
        field("rank", &Settings::rank),
        field("toward_identity", &Settings::toward_identity),
        field("pool_by_priors", &Settings::pool_by_priors),
        field("column_smoothing", &Settings::column_smoothing),
        field("gaussian_prior", &Settings::gaussian_prior),
        field("complement", &Settings::complement),
        field("presence", &Settings::presence),
        field("points", &Settings::points),
        setting("min_df", &Settings::min_df, "text: words in fewer documents tell nothing; below 1 a share",
                at_least(0)),
        setting("max_df", &Settings::max_df, "text: words in more documents tell nothing; up to 1 a share",
                at_least(0)),
        setting("max_features", &Settings::max_features, "text: only so many of the most frequent words; 0: all"),
        setting("idf", &Settings::idf, "text: counts weighted by inverse document frequency"),
        setting("document_length", &Settings::document_length, "text: the number of words tells too, as a count"),
        setting("normalize_weights", &Settings::normalize_weights, "weights of each class divided by their sum"),
        setting("ngram_smoothing", &Settings::ngram_smoothing, "how orders of n-grams are interpolated")};
    bool operator==(const Settings&) const = default;

    // In themselves; what names classes is checked against the classes when they are known.
    Result<void> check() const;
    // Whether variances follow scikit-learn's rule, in which one column's units reach all others.
    bool adds_share() const { return added_variance_share > 0; }
    bool by_likelihood() const { return estimate == Estimate::likelihood || estimate == Estimate::automatic; }
};

// Own, shared and grouped covariances differ in this vector alone: the group of each class, numbered from zero.
Result<std::vector<std::uint32_t>> group_of_class(const Settings& settings, const std::vector<std::string>& classes);

// What is added to the weight of each class: the mode of a Dirichlet posterior has its concentration less one, the mean
// all of it.
Result<std::vector<double>> class_pseudo_counts(const Settings& settings, std::size_t class_count);

// log p(class), from the weights of the classes or as given.
Result<std::vector<double>> log_class_priors(const Settings& settings, const std::vector<std::string>& classes,
                                             const std::vector<double>& class_weight);

}  // namespace suffice
