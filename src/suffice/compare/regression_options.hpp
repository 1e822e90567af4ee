// What is asked of a logistic regression, before its penalty is chosen.
#pragma once
#include "suffice/base/setting_codec.hpp"
#include "suffice/compare/penalty_path.hpp"

namespace suffice {

// A strength, or what to choose it from by cross-validation.
struct Strength {
    bool searched = false;
    double amount = 0;
    std::vector<double> tried = {};  // empty: as many as suit the rows

    Strength() = default;
    Strength(double given) : amount(given) {}
    Strength(std::vector<double> from) : searched(true), tried(std::move(from)) {}
    bool operator==(const Strength&) const = default;
};
enum class PenaltyRule : std::uint8_t { strength, evidence, firth };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<PenaltyRule>{"strength", "evidence", "firth"};
struct Penalty : Strength {
    PenaltyRule rule = PenaltyRule::strength;

    using Strength::Strength;
    Penalty(PenaltyRule by) : rule(by) {}
    bool operator==(const Penalty&) const = default;
};
struct ClassWeight {
    std::string of_class;
    double weight = 1;
    static constexpr auto fields =
        FieldTuple{field("class", &ClassWeight::of_class), field("weight", &ClassWeight::weight)};
    bool operator==(const ClassWeight&) const = default;
};
struct ClassWeights {
    bool balanced = false;                // every class weighs the same in all
    std::vector<ClassWeight> given = {};  // one where not named
    bool operator==(const ClassWeights&) const = default;
};
// A column, or columns with commas between them; a column whose name is all of the text wins.
struct OffsetColumns {
    std::vector<std::string> names = {};
    bool operator==(const OffsetColumns&) const = default;
};
enum class PathChoice : std::uint8_t { best, simplest };  // simplest: the strongest within a standard error of the best
template <>
inline constexpr std::array<std::string_view, 2> enum_names<PathChoice>{"best", "simplest"};

// A coefficient to start from: of a class against the first one; feature "(intercept)" or as inspect names it.
struct StartingCoefficient {
    std::string of_class;  // empty: of two classes, the second
    std::string feature;
    double value = 0;
    bool operator==(const StartingCoefficient&) const = default;
};

// What becomes of missing values: the column's mean and a coefficient for being missing, an integral over what the
// columns are like, or an Error.
enum class MissingValues : std::uint8_t { indicator, refuse, integrate };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<MissingValues>{"indicator", "refuse", "integrate"};

struct RegressionOptions {
    std::vector<std::string> basis = {};  // "age=spline(5)", "age*income"
    Penalty penalty = {};                 // on half the squared length of the coefficients
    Strength lasso = {};                  // on the sum of their magnitudes
    std::uint32_t path = 25;
    PathChoice choose = PathChoice::best;
    std::uint32_t folds = 10;
    std::string folds_column = {};
    Link link = Link::logit;
    OffsetColumns offset = {};
    ClassWeights class_weight = {};
    CoefficientErrors errors = CoefficientErrors::likelihood;
    MissingValues missing_values = MissingValues::indicator;
    std::vector<std::string> columns_with_holes =
        {};                                       // known beforehand, so that folds agree; empty: as the rows have it
    std::vector<std::uint32_t> fold_of_row = {};  // as told, row by row; empty: stratified
    // Where Newton's method starts, coefficients that are not named at zero; none: from the linear discriminant.
    std::optional<std::vector<StartingCoefficient>> start = {};
    LogisticTrace* trace = nullptr;  // is told every step, and says of which kind they are
    std::uint32_t steps = 0;         // at most so many; 0: as many as it takes

    static constexpr auto fields = FieldTuple{
        setting("basis", &RegressionOptions::basis, "functions of columns, such as \"age=spline(5),a*b\""),
        setting("penalty", &RegressionOptions::penalty,
                "half of it times the squared coefficients; auto or a list: the best on folds", at_least(0)),
        setting("lasso", &RegressionOptions::lasso,
                "times the magnitudes of the coefficients; auto or a list: the best on folds", at_least(0)),
        setting("path", &RegressionOptions::path, "strengths that auto tries, each from where the last ended",
                between(1, 10'000)),
        setting("choose", &RegressionOptions::choose,
                "of these the best, or the simplest within a standard error of it"),
        setting("folds", &RegressionOptions::folds, "folds by which strengths are judged", between(2, 10'000)),
        setting("folds_column", &RegressionOptions::folds_column, "a column: rows of one value are one fold"),
        setting("link", &RegressionOptions::link, "from scores to probabilities; probit is of two classes"),
        setting("offset", &RegressionOptions::offset,
                "a column whose coefficient is one; of more than two classes one for each"),
        setting("class_weight", &RegressionOptions::class_weight, "factors on the weights of rows, by class"),
        setting("errors", &RegressionOptions::errors,
                "of coefficients: from the likelihood, or robust ones that hold where the model does not"),
        setting("missing_values", &RegressionOptions::missing_values,
                "indicator: the mean, and a coefficient for being missing; integrate: over a model of the columns")};

    bool searches() const { return penalty.searched || lasso.searched; }
    PenaltySearch search() const;
    Result<void> check() const;  // what needs a search without one, and two lists
};

template <>
struct SettingCodec<Strength> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "L";
    static std::string form(const Range& range);
    static std::optional<Strength> read(const SettingValue& value, const Range& range);
    static SettingValue write(const Strength& value);
    static std::vector<SettingValue> examples(const Range& range);
};
template <>
struct SettingCodec<Penalty> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "P";
    static std::string form(const Range& range);
    static std::optional<Penalty> read(const SettingValue& value, const Range& range);
    static SettingValue write(const Penalty& value);
    static std::vector<SettingValue> examples(const Range& range);
};
template <>
struct SettingCodec<ClassWeights> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "W";
    static std::string form(const Range& range);
    static std::optional<ClassWeights> read(const SettingValue& value, const Range& range);
    static SettingValue write(const ClassWeights& value);
    static std::vector<SettingValue> examples(const Range& range);
};
template <>
struct SettingCodec<OffsetColumns> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "COLUMNS";
    static std::string form(const Range&) { return "a column, or one for each class: a,b,c"; }
    static std::optional<OffsetColumns> read(const SettingValue& value, const Range& range);
    static SettingValue write(const OffsetColumns& value);
    static std::vector<SettingValue> examples(const Range&) { return {}; }
};

}  // namespace suffice
