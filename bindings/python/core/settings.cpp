// Reads settings that Python gives by name.
#include <array>
#include <string>

#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/estimate/histogram.hpp"

namespace suffice::python {
namespace {

template <class Choice, std::size_t count>
Choice choice(const char* what, const std::string& name, const std::array<std::pair<const char*, Choice>, count>& all) {
    std::string known;
    for (const auto& [each, value] : all) {
        if (name == each) return value;
        known += (known.empty() ? "" : ", ") + std::string(each);
    }
    throw Exception(Error(std::string(what) + " must be one of " + known + ", not " + name));
}

constexpr std::array estimates{std::pair{"likelihood", Estimate::likelihood}, std::pair{"unbiased", Estimate::unbiased},
                               std::pair{"map", Estimate::map}, std::pair{"predictive", Estimate::predictive}};
constexpr std::array covariances{std::pair{"full", Covariance::full}, std::pair{"diagonal", Covariance::diagonal},
                                 std::pair{"spherical", Covariance::spherical}};
constexpr std::array sharings{std::pair{"own", Sharing::own}, std::pair{"all", Sharing::all},
                              std::pair{"groups", Sharing::groups}};
constexpr std::array shrinkages{std::pair{"none", Shrinkage::none}, std::pair{"fixed", Shrinkage::fixed},
                                std::pair{"oas", Shrinkage::oas}, std::pair{"ledoit_wolf", Shrinkage::ledoit_wolf},
                                std::pair{"auto", Shrinkage::automatic}};
constexpr std::array priors{std::pair{"empirical", ClassPriors::empirical}, std::pair{"uniform", ClassPriors::uniform},
                            std::pair{"given", ClassPriors::given}};
constexpr std::array lengths{std::pair{"none", DocumentLength::none}, std::pair{"poisson", DocumentLength::poisson},
                             std::pair{"negative_binomial", DocumentLength::negative_binomial}};
constexpr std::array ngram_smoothings{std::pair{"witten_bell", NgramSmoothing::witten_bell},
                                      std::pair{"kneser_ney", NgramSmoothing::kneser_ney}};

constexpr std::array kernels{std::pair{"gaussian", KernelShape::gaussian},
                             std::pair{"tophat", KernelShape::tophat},
                             std::pair{"epanechnikov", KernelShape::epanechnikov},
                             std::pair{"exponential", KernelShape::exponential},
                             std::pair{"linear", KernelShape::linear},
                             std::pair{"cosine", KernelShape::cosine}};
constexpr std::array bandwidth_rules{
    std::pair{"scott", BandwidthRule::scott}, std::pair{"silverman", BandwidthRule::silverman},
    std::pair{"cv", BandwidthRule::cross_validated}, std::pair{"sheather_jones", BandwidthRule::sheather_jones}};

constexpr std::array bin_rules{std::pair{"freedman_diaconis", std::uint32_t{0}}, std::pair{"blocks", block_bins}};

// A rule by its name, or a number in the columns' own units.
void set_bandwidth(nb::handle given, PointsSettings& points) {
    if (nb::isinstance<nb::str>(given)) {
        points.rule = choice("bandwidth", nb::cast<std::string>(given), bandwidth_rules);
        return;
    }
    points.rule = BandwidthRule::given;
    points.scale = BandwidthScale::unit;
    points.bandwidth = nb::cast<double>(given);
}

GaussianPrior gaussian_prior(const nb::dict& given) {
    GaussianPrior prior;
    prior.vague = false;
    prior.mean = nb::cast<std::vector<double>>(given["mean"]);
    prior.mean_weight = nb::cast<double>(given["mean_weight"]);
    prior.degrees = nb::cast<double>(given["degrees"]);
    prior.scatter = nb::cast<std::vector<double>>(given["scatter"]);
    return prior;
}

}  // namespace

void apply_structure(const nb::dict& given, Settings& settings) {
    if (given.contains("covariance"))
        settings.covariance = choice("covariance", nb::cast<std::string>(given["covariance"]), covariances);
    if (given.contains("sharing"))
        settings.sharing = choice("shared", nb::cast<std::string>(given["sharing"]), sharings);
}

Settings settings_from(const nb::dict& given) {
    Settings settings;
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        const auto text = [&] { return nb::cast<std::string>(value); };
        if (name == "estimate") {
            settings.estimate = choice("estimate", text(), estimates);
        } else if (name == "smoothing") {
            settings.smoothing = nb::cast<double>(value);
        } else if (name == "variance_floor") {
            settings.variance_floor = nb::cast<double>(value);
        } else if (name == "strict") {
            settings.strict = nb::cast<bool>(value);
        } else if (name == "shrinkage") {
            settings.shrinkage = choice("shrinkage", text(), shrinkages);
        } else if (name == "shrinkage_amount") {
            settings.shrinkage_amount = nb::cast<double>(value);
        } else if (name == "own_share") {
            settings.own_share = nb::cast<double>(value);
        } else if (name == "identity_share") {
            settings.identity_share = nb::cast<double>(value);
        } else if (name == "class_priors") {
            settings.class_priors = choice("priors", text(), priors);
        } else if (name == "given_priors") {
            for (const auto& [of_class, probability] : nb::cast<nb::dict>(value))
                settings.given_priors.push_back({nb::cast<std::string>(of_class), nb::cast<double>(probability)});
        } else if (name == "class_smoothing") {
            settings.class_smoothing = nb::cast<double>(value);
        } else if (name == "column_priors") {
            for (const auto& [column, prior] : nb::cast<nb::dict>(value))
                settings.column_priors.push_back({nb::cast<std::string>(column), nb::cast<std::string>(prior)});
        } else if (name == "gaussian_prior") {
            settings.gaussian_prior = gaussian_prior(nb::cast<nb::dict>(value));
        } else if (name == "complement") {
            settings.complement = nb::cast<bool>(value);
        } else if (name == "normalize_weights") {
            settings.normalize_weights = nb::cast<bool>(value);
        } else if (name == "min_documents") {
            settings.min_documents = nb::cast<double>(value);
        } else if (name == "max_documents") {
            settings.max_documents = nb::cast<double>(value);
        } else if (name == "max_words") {
            settings.max_words = nb::cast<std::uint32_t>(value);
        } else if (name == "idf") {
            settings.idf = nb::cast<bool>(value);
        } else if (name == "document_length") {
            settings.document_length = choice("length", text(), lengths);
        } else if (name == "ngram_smoothing") {
            settings.ngram_smoothing = choice("backoff", text(), ngram_smoothings);
        } else if (name == "kernel") {
            settings.points.kernel = choice("kernel", text(), kernels);
        } else if (name == "bandwidth") {
            set_bandwidth(value, settings.points);
        } else if (name == "bins") {
            settings.points.bins =
                nb::isinstance<nb::str>(value) ? choice("bins", text(), bin_rules) : nb::cast<std::uint32_t>(value);
        } else if (name == "neighbors") {
            settings.points.neighbours = nb::cast<std::uint32_t>(value);
        } else if (name == "groups") {
            settings.groups = nb::cast<std::vector<std::vector<std::string>>>(value);
        } else if (name != "covariance" && name != "sharing") {
            throw Exception(Error(ErrorKind::usage, "there is no setting " + name));
        }
    }
    return settings;
}

}  // namespace suffice::python
