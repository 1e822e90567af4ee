// Text options from what users give, and whether they make sense together.
#pragma once
#include "suffice/base/result.hpp"
#include "suffice/base/setting_codec.hpp"
#include "suffice/data/text_options.hpp"

namespace suffice {

// N, M-N, or both in a list.
template <>
struct SettingCodec<NgramRange> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "N";
    static std::string form(const Range& range);
    static std::optional<NgramRange> read(const SettingValue& value, const Range& range);
    static SettingValue write(const NgramRange& value);
    static std::vector<SettingValue> examples(const Range& range);
};

// A language, or words.
template <>
struct SettingCodec<StopWords> {
    static constexpr Cut cut = Cut::any;
    static constexpr std::string_view placeholder = "WORDS";
    static std::string form(const Range& range);
    static std::optional<StopWords> read(const SettingValue& value, const Range& range);
    static SettingValue write(const StopWords& value);
    static std::vector<SettingValue> examples(const Range& range);
};

Result<void> check(const TextOptions& options);

}  // namespace suffice
