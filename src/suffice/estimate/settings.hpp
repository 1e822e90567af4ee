// How statistics become parameters. The same statistics under other settings are another model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/estimate/kernel_density.hpp"

namespace suffice {

enum class Estimate : std::uint8_t { likelihood, unbiased, map, predictive };
enum class Covariance : std::uint8_t { full, diagonal, spherical };
enum class Sharing : std::uint8_t { own, all, groups };  // whose covariance a class uses
// Toward trace/d times the identity. oas needs the scatter only; ledoit_wolf takes raw columns and automatic
// columns standardised within the class (as scikit-learn), both with moments gathered for the purpose.
enum class Shrinkage : std::uint8_t { none, fixed, oas, ledoit_wolf, automatic };
// Of n-gram models: each order interpolated with the one below.
enum class NgramSmoothing : std::uint8_t { witten_bell, kneser_ney };
// How many words a document has, given its class: not modelled, or as a count.
enum class DocumentLength : std::uint8_t { none, poisson, negative_binomial };
enum class ClassPriors : std::uint8_t { empirical, uniform, given };

struct GivenPrior {
    std::string of_class;
    double probability = 0;
    static constexpr auto fields =
        std::tuple{field("class", &GivenPrior::of_class), field("probability", &GivenPrior::probability)};
    bool operator==(const GivenPrior&) const = default;
};

// "beta(2, 5)" for one column, as written by the user; the column's family reads it.
struct ColumnPrior {
    std::string column;
    std::string prior;
    static constexpr auto fields =
        std::tuple{field("column", &ColumnPrior::column), field("prior", &ColumnPrior::prior)};
    bool operator==(const ColumnPrior&) const = default;
};

// Normal-Wishart of a full or diagonal covariance. Vague: p(mean, S) ~ |S|^-(d+1)/2, as R's MASS takes it.
struct GaussianPrior {
    bool vague = true;
    std::vector<double> mean;  // d
    double mean_weight = 0;
    double degrees = 0;
    std::vector<double> scatter;  // d x d
    static constexpr auto fields =
        std::tuple{field("vague", &GaussianPrior::vague), field("mean", &GaussianPrior::mean),
                   field("mean_weight", &GaussianPrior::mean_weight), field("degrees", &GaussianPrior::degrees),
                   field("scatter", &GaussianPrior::scatter)};
    bool operator==(const GaussianPrior&) const = default;
};

// Columns kept as points: what their density is made of.
enum class PointsForm : std::uint8_t { kernel, histogram, nearest };

struct PointsSettings {
    PointsForm form = PointsForm::kernel;
    bool by_column = false;  // independent given the class, instead of jointly
    KernelShape kernel = KernelShape::gaussian;
    BandwidthRule rule = BandwidthRule::scott;
    double bandwidth = 1;  // for BandwidthRule::given
    BandwidthScale scale = BandwidthScale::columns;
    std::uint32_t neighbours = 0;  // of nearest; 0: the square root of the number of rows
    std::uint32_t bins = 0;        // of histogram; 0: by Freedman and Diaconis
    static constexpr auto fields = std::tuple{field("form", &PointsSettings::form),
                                              field("by_column", &PointsSettings::by_column),
                                              field("kernel", &PointsSettings::kernel),
                                              field("rule", &PointsSettings::rule),
                                              field("bandwidth", &PointsSettings::bandwidth),
                                              field("scale", &PointsSettings::scale),
                                              field("neighbours", &PointsSettings::neighbours),
                                              field("bins", &PointsSettings::bins)};
    bool operator==(const PointsSettings&) const = default;
};

struct Settings {
    Estimate estimate = Estimate::likelihood;
    double smoothing = 1;          // pseudo-count of categories, flags, words and counts
    double variance_floor = 1e-9;  // of the largest column variance
    double added_variance = 0;     // to every variance, in the columns' own units: a component cannot collapse
    bool strict = false;           // a singular covariance is an error

    Covariance covariance = Covariance::full;
    Sharing sharing = Sharing::own;
    std::vector<std::vector<std::string>> groups =
        {};  // for Sharing::groups; by name, so recoding never touches settings
    Shrinkage shrinkage = Shrinkage::none;
    double shrinkage_amount = 0;  // for Shrinkage::fixed, in [0, 1]
    double own_share = 1;         // Friedman's alpha: weight of the class's own covariance against the pooled one
    double identity_share = 0;    // Friedman's gamma: then toward trace/d times the identity
    std::uint32_t rank = 0;       // of the discriminant coordinates used; 0: all
    GaussianPrior gaussian_prior = {};

    ClassPriors class_priors = ClassPriors::empirical;
    std::vector<GivenPrior> given_priors = {};
    double class_smoothing = 0;  // Dirichlet pseudo-count of empirical class priors
    std::vector<ColumnPrior> column_priors = {};
    bool complement = false;         // counts: weights from the other classes' counts
    bool normalize_weights = false;  // of the complement form
    bool presence = false;           // words: whether each occurs in a document, instead of how often
    double min_documents = 1;        // words in fewer documents tell nothing; below 1: a share of the documents
    double max_documents = 1;        // words in more documents tell nothing; up to 1: a share of the documents
    std::uint32_t max_words = 0;     // only so many of the most frequent words; 0: all
    PointsSettings points = {};
    bool idf = false;  // counts of words times log((1 + documents)/(1 + documents with the word)) + 1
    DocumentLength document_length = DocumentLength::none;
    NgramSmoothing ngram_smoothing = NgramSmoothing::kneser_ney;

    static constexpr auto fields = std::tuple{field("estimate", &Settings::estimate),
                                              field("smoothing", &Settings::smoothing),
                                              field("variance_floor", &Settings::variance_floor),
                                              field("added_variance", &Settings::added_variance),
                                              field("strict", &Settings::strict),
                                              field("covariance", &Settings::covariance),
                                              field("sharing", &Settings::sharing),
                                              field("groups", &Settings::groups),
                                              field("shrinkage", &Settings::shrinkage),
                                              field("shrinkage_amount", &Settings::shrinkage_amount),
                                              field("own_share", &Settings::own_share),
                                              field("identity_share", &Settings::identity_share),
                                              field("rank", &Settings::rank),
                                              field("gaussian_prior", &Settings::gaussian_prior),
                                              field("class_priors", &Settings::class_priors),
                                              field("given_priors", &Settings::given_priors),
                                              field("class_smoothing", &Settings::class_smoothing),
                                              field("column_priors", &Settings::column_priors),
                                              field("complement", &Settings::complement),
                                              field("normalize_weights", &Settings::normalize_weights),
                                              field("presence", &Settings::presence),
                                              field("min_documents", &Settings::min_documents),
                                              field("max_documents", &Settings::max_documents),
                                              field("max_words", &Settings::max_words),
                                              field("points", &Settings::points),
                                              field("idf", &Settings::idf),
                                              field("document_length", &Settings::document_length),
                                              field("ngram_smoothing", &Settings::ngram_smoothing)};
    bool operator==(const Settings&) const = default;

    // In themselves; what names classes is checked against the classes when they are known.
    Result<void> check() const;
};

// Own, shared and grouped covariances differ in this vector alone: the group of each class, numbered from zero.
Result<std::vector<std::uint32_t>> group_of_class(const Settings& settings, const std::vector<std::string>& classes);

// log p(class), from the weights of the classes or as given.
Result<std::vector<double>> log_class_priors(const Settings& settings, const std::vector<std::string>& classes,
                                             const std::vector<double>& class_weight);

}  // namespace suffice
