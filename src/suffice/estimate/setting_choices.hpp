// Settings that are one choice of several forms: a rule by name, a number, or a table.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/setting_codec.hpp"

namespace suffice {

// Toward trace/d times the identity. oas needs the scatter only; ledoit_wolf takes raw columns and automatic
// columns standardised within the class (as scikit-learn), both with moments gathered for the purpose.
enum class ShrinkageRule : std::uint8_t { none, fixed, oas, ledoit_wolf, automatic };
template <>
inline constexpr std::array<std::string_view, 5> enum_names<ShrinkageRule>{"none", "fixed", "oas", "ledoit_wolf",
                                                                           "auto"};
// What covariances are shrunk toward, the scale of columns being as the units say: the mean of the variances for each
// column; the class's own variances, so that correlations alone shrink; or these with every correlation at its mean.
enum class ShrinkageTarget : std::uint8_t { sphere, diagonal, correlation };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<ShrinkageTarget>{"sphere", "diagonal", "correlation"};

struct Shrinkage {
    ShrinkageRule rule = ShrinkageRule::none;
    double amount = 0;  // for ShrinkageRule::fixed, in [0, 1]

    Shrinkage() = default;
    Shrinkage(ShrinkageRule by) : rule(by) {}
    Shrinkage(double given) : rule(given == 0 ? ShrinkageRule::none : ShrinkageRule::fixed), amount(given) {}
    bool needs_fourth_moments() const { return rule == ShrinkageRule::ledoit_wolf || rule == ShrinkageRule::automatic; }
    bool is_known() const { return rule == ShrinkageRule::none || rule == ShrinkageRule::fixed; }  // before any row
    static constexpr auto fields = FieldTuple{field("rule", &Shrinkage::rule), field("amount", &Shrinkage::amount)};
    bool operator==(const Shrinkage&) const = default;
};
template <>
struct SettingCodec<Shrinkage> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "S";
    static std::string form(const Range& range);
    static std::optional<Shrinkage> read(const SettingValue& value, const Range& range);
    static SettingValue write(const Shrinkage& value);
    static std::vector<SettingValue> examples(const Range& range);
};

struct GivenPrior {
    std::string of_class;
    double probability = 0;
    static constexpr auto fields =
        FieldTuple{field("class", &GivenPrior::of_class), field("probability", &GivenPrior::probability)};
    bool operator==(const GivenPrior&) const = default;
};
// dirichlet: the mode of a Dirichlet posterior, or its mean where the estimate is predictive.
enum class PriorRule : std::uint8_t { empirical, uniform, given, dirichlet };
template <>
inline constexpr std::array<std::string_view, 4> enum_names<PriorRule>{"empirical", "uniform", "given", "dirichlet"};
struct ClassPriors {
    PriorRule rule = PriorRule::empirical;
    std::vector<GivenPrior> given = {};
    double smoothing = 0;                    // pseudo-count of each class, of empirical ones
    std::vector<double> concentration = {};  // of dirichlet: one number for all classes, or one for each

    ClassPriors() = default;
    ClassPriors(PriorRule by) : rule(by) {}
    ClassPriors(std::vector<GivenPrior> as) : rule(PriorRule::given), given(std::move(as)) {}
    static constexpr auto fields =
        FieldTuple{field("rule", &ClassPriors::rule), field("given", &ClassPriors::given),
                   field("smoothing", &ClassPriors::smoothing), field("concentration", &ClassPriors::concentration)};
    bool operator==(const ClassPriors&) const = default;
};
template <>
struct SettingCodec<ClassPriors> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "P";
    static std::string form(const Range& range);
    static std::optional<ClassPriors> read(const SettingValue& value, const Range& range);
    static SettingValue write(const ClassPriors& value);
    static std::vector<SettingValue> examples(const Range& range);
};

// Normal-Wishart of a full or diagonal covariance. Vague: p(mean, S) ~ |S|^-(d+1)/2, as R's MASS takes it.
struct GaussianPrior {
    bool vague = true;
    std::vector<double> mean = {};  // d
    double mean_weight = 0;
    double degrees = 0;
    std::vector<double> scatter = {};  // d x d
    static constexpr auto fields =
        FieldTuple{field("vague", &GaussianPrior::vague), field("mean", &GaussianPrior::mean),
                   field("mean_weight", &GaussianPrior::mean_weight), field("degrees", &GaussianPrior::degrees),
                   field("scatter", &GaussianPrior::scatter)};
    bool operator==(const GaussianPrior&) const = default;
};
template <>
struct SettingCodec<GaussianPrior> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "PRIOR";
    static std::string form(const Range& range);
    static std::optional<GaussianPrior> read(const SettingValue& value, const Range& range);
    static SettingValue write(const GaussianPrior& value);
    static std::vector<SettingValue> examples(const Range&) { return {}; }  // depend on the columns
};

}  // namespace suffice
