// What a density without a form is made of: kernels and the rules of their bandwidths.
#pragma once
#include <cstdint>

#include "suffice/base/enum_names.hpp"
#include "suffice/base/setting_codec.hpp"

namespace suffice {

enum class KernelShape : std::uint8_t { gaussian, tophat, epanechnikov, exponential, linear, cosine };
template <>
inline constexpr std::array<std::string_view, 6> enum_names<KernelShape>{"gaussian",    "tophat", "epanechnikov",
                                                                         "exponential", "linear", "cosine"};

// Scott: n^(-1/(d+4)); Silverman: (n (d+2)/4)^(-1/(d+4)); nrd0, of one column: 0.9 min(1, IQR / (1.34 s)) n^(-1/5), as
// R's density. n is the number of rows: the sum of their weights, or (sum w)^2 / sum w^2 where weights are importances.
enum class BandwidthRule : std::uint8_t { given, scott, silverman, cross_validated, sheather_jones, nrd0 };
template <>
inline constexpr std::array<std::string_view, 6> enum_names<BandwidthRule>{"given", "scott",          "silverman",
                                                                           "cv",    "sheather_jones", "nrd0"};

// What a bandwidth of one means: one unit, a standard deviation of each column, or the covariance of the rows.
enum class BandwidthScale : std::uint8_t { unit, columns, covariance };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<BandwidthScale>{"unit", "columns", "covariance"};

struct DensitySettings {
    KernelShape kernel = KernelShape::gaussian;
    BandwidthRule rule = BandwidthRule::scott;
    double bandwidth = 1;  // for BandwidthRule::given
    BandwidthScale scale = BandwidthScale::columns;
    bool importance = false;  // weights say how much a row counts, not how often it was seen
    bool operator==(const DensitySettings&) const = default;
};

// A rule, or a number in the columns' own units.
struct Bandwidth {
    BandwidthRule rule = BandwidthRule::scott;
    double width = 1;  // for BandwidthRule::given
    BandwidthScale scale = BandwidthScale::columns;

    Bandwidth() = default;
    Bandwidth(BandwidthRule by) : rule(by) {}
    Bandwidth(double given) : rule(BandwidthRule::given), width(given), scale(BandwidthScale::unit) {}
    static constexpr auto fields = FieldTuple{field("rule", &Bandwidth::rule), field("width", &Bandwidth::width),
                                              field("scale", &Bandwidth::scale)};
    bool operator==(const Bandwidth&) const = default;
};
template <>
struct SettingCodec<Bandwidth> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "H";
    static std::string form(const Range& range);
    static std::optional<Bandwidth> read(const SettingValue& value, const Range& range);
    static SettingValue write(const Bandwidth& value);
    static std::vector<SettingValue> examples(const Range& range);
};

// Of a histogram: how many, by Freedman and Diaconis (0), or Bayesian blocks.
struct Bins {
    std::uint32_t count = 0;
    static constexpr std::uint32_t blocks = ~std::uint32_t{0};  // where densities change, as the data tell

    Bins() = default;
    Bins(std::uint32_t given) : count(given) {}
    static constexpr auto fields = FieldTuple{field("count", &Bins::count)};
    bool operator==(const Bins&) const = default;
};
template <>
struct SettingCodec<Bins> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "N";
    static std::string form(const Range& range);
    static std::optional<Bins> read(const SettingValue& value, const Range& range);
    static SettingValue write(const Bins& value);
    static std::vector<SettingValue> examples(const Range& range);
};

}  // namespace suffice
