// Bandwidths and bins from what users give.
#include "suffice/density/density_settings.hpp"

#include <cmath>
#include <span>

namespace suffice {

std::string SettingCodec<Bandwidth>::form(const Range&) {
    return one_of(std::span(enum_names<BandwidthRule>).subspan(1), ", ") + " or a positive number";
}

std::optional<Bandwidth> SettingCodec<Bandwidth>::read(const SettingValue& value, const Range&) {
    if (const auto number = value.number())
        return *number > 0 && std::isfinite(*number) ? std::optional<Bandwidth>(*number) : std::nullopt;
    const auto rule = SettingCodec<BandwidthRule>::read(value, {});
    return rule && *rule != BandwidthRule::given ? std::optional<Bandwidth>(*rule) : std::nullopt;
}

SettingValue SettingCodec<Bandwidth>::write(const Bandwidth& value) {
    if (value.rule == BandwidthRule::given) return {value.width};
    return {std::string(name_of(value.rule))};
}

std::vector<SettingValue> SettingCodec<Bandwidth>::examples(const Range&) {
    return {{std::string("silverman")}, {0.7}};
}

std::string SettingCodec<Bins>::form(const Range&) { return "a whole number up to 10000, freedman_diaconis or blocks"; }

std::optional<Bins> SettingCodec<Bins>::read(const SettingValue& value, const Range&) {
    if (const auto count = SettingCodec<std::uint32_t>::read(value, between(0, 10'000))) return *count;
    const auto word = value.word();
    if (word && *word == "freedman_diaconis") return Bins(0);
    return word && *word == "blocks" ? std::optional<Bins>(Bins::blocks) : std::nullopt;
}

SettingValue SettingCodec<Bins>::write(const Bins& value) {
    if (value.count == 0) return {std::string("freedman_diaconis")};
    if (value.count == Bins::blocks) return {std::string("blocks")};
    return {static_cast<double>(value.count)};
}

std::vector<SettingValue> SettingCodec<Bins>::examples(const Range&) { return {{7.0}, {std::string("blocks")}}; }

}  // namespace suffice
