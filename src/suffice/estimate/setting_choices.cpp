// Choices from what users give, and back.
#include "suffice/estimate/setting_choices.hpp"

#include "suffice/base/split_list.hpp"

namespace suffice {
namespace {

constexpr std::string_view dirichlet = "dirichlet(";

// "dirichlet(2)" or "dirichlet(2,1,3)".
std::optional<ClassPriors> read_dirichlet(const std::string& text) {
    if (!text.starts_with(dirichlet) || !text.ends_with(')')) return std::nullopt;
    ClassPriors priors(PriorRule::dirichlet);
    for (auto& piece :
         split_list(std::string_view(text).substr(dirichlet.size(), text.size() - dirichlet.size() - 1))) {
        const auto number = SettingValue{Written{std::move(piece)}}.number();
        if (!number || !(*number > 0)) return std::nullopt;
        priors.concentration.push_back(*number);
    }
    return priors;
}

}  // namespace

std::string SettingCodec<Shrinkage>::form(const Range&) {
    return "none, auto, oas, ledoit_wolf or a number from 0 to 1";
}

std::optional<Shrinkage> SettingCodec<Shrinkage>::read(const SettingValue& value, const Range&) {
    if (const auto amount = SettingCodec<double>::read(value, between(0, 1))) return Shrinkage(*amount);
    const auto rule = SettingCodec<ShrinkageRule>::read(value, {});
    return rule && *rule != ShrinkageRule::fixed ? std::optional<Shrinkage>(*rule) : std::nullopt;
}

SettingValue SettingCodec<Shrinkage>::write(const Shrinkage& value) {
    if (value.rule == ShrinkageRule::fixed) return {value.amount};
    return {std::string(name_of(value.rule))};
}

std::vector<SettingValue> SettingCodec<Shrinkage>::examples(const Range&) {
    return {{0.3}, {std::string("oas")}, {std::string("ledoit_wolf")}, {std::string("auto")}};
}

std::string SettingCodec<ClassPriors>::form(const Range&) { return "empirical, uniform, dirichlet(A) or CLASS=p,..."; }

std::optional<ClassPriors> SettingCodec<ClassPriors>::read(const SettingValue& value, const Range&) {
    if (auto given = MapCodec<GivenPrior>::read(value, {})) return ClassPriors(std::move(*given));
    if (const auto word = value.word(); word && word->starts_with(dirichlet)) return read_dirichlet(*word);
    const auto rule = SettingCodec<PriorRule>::read(value, {});
    const bool alone = rule == PriorRule::empirical || rule == PriorRule::uniform;
    return alone ? std::optional<ClassPriors>(*rule) : std::nullopt;
}

SettingValue SettingCodec<ClassPriors>::write(const ClassPriors& value) {
    if (value.rule == PriorRule::given) return MapCodec<GivenPrior>::write(value.given);
    if (value.rule == PriorRule::dirichlet) {
        std::string text(dirichlet);
        for (const double each : value.concentration)
            text += (text.size() == dirichlet.size() ? "" : ",") + number_spelled(each);
        return {text + ")"};
    }
    return {std::string(name_of(value.rule))};
}

std::vector<SettingValue> SettingCodec<ClassPriors>::examples(const Range&) {
    return {{std::string("uniform")}, {std::string("dirichlet(2)")}};
}

std::string SettingCodec<GaussianPrior>::form(const Range&) {
    return "vague, or mean, mean_weight, degrees and scatter";
}

std::optional<GaussianPrior> SettingCodec<GaussianPrior>::read(const SettingValue& value, const Range&) {
    if (value.word() == "vague") return GaussianPrior{};
    if (value.map() == nullptr || value.map()->size() != 4) return std::nullopt;
    GaussianPrior prior;
    prior.vague = false;
    bool good = true;
    for (const auto& [name, held] : *value.map()) {
        bool known = false;
        for_each_field(prior, [&, &given = held, &wanted = name](const auto& each, auto& member) {
            if (each.name != wanted || wanted == "vague") return;
            known = bool(read_setting(each.name, given, {}, member));
        });
        good = good && known;
    }
    return good ? std::optional(std::move(prior)) : std::nullopt;
}

SettingValue SettingCodec<GaussianPrior>::write(const GaussianPrior& value) {
    if (value.vague) return {std::string("vague")};
    SettingValue::Map map;
    for_each_field(value, [&](const auto& each, const auto& member) {
        if (each.name != "vague")
            map.emplace_back(std::string(each.name),
                             SettingCodec<std::remove_cvref_t<decltype(member)>>::write(member));
    });
    return {std::move(map)};
}

}  // namespace suffice
