// Options of regressions from what users give, and what they mean to a search.
#include "suffice/compare/regression_options.hpp"

namespace suffice {

PenaltySearch RegressionOptions::search() const {
    PenaltySearch made;
    made.squares = penalty.searched;
    made.lasso = lasso.searched;
    made.strengths = penalty.tried.empty() ? lasso.tried : penalty.tried;
    made.count = path;
    made.fold_count = folds;
    made.fold_column = folds_column;
    made.fold_of_row = fold_of_row;
    made.simplest = choose == PathChoice::simplest;
    return made;
}

Result<void> RegressionOptions::check() const {
    const RegressionOptions usual;
    if (!penalty.tried.empty() && !lasso.tried.empty())
        return Error(ErrorKind::usage,
                     "one list of strengths is for penalty or for lasso; the other is a number or auto");
    if (searches() && penalty.rule == PenaltyRule::evidence)
        return Error(ErrorKind::usage, "the penalty is chosen by its evidence or along a path, not by both");
    if (missing_values == MissingValues::integrate && (searches() || penalty.rule != PenaltyRule::strength))
        return Error(ErrorKind::usage, "a regression that integrates over missing values takes a penalty that is given")
            .advise({"missing_values", "indicator"});
    if (searches()) return {};
    const char* idle = path != usual.path       ? "path"
                       : choose != usual.choose ? "choose"
                       : folds != usual.folds   ? "folds"
                       : !folds_column.empty()  ? "folds_column"
                                                : nullptr;
    if (idle == nullptr) return {};
    return Error(ErrorKind::usage, std::string(idle) + " goes with strengths to choose from")
        .advise({"penalty", "auto"})
        .advise({"lasso", "auto"});
}

std::string SettingCodec<Strength>::form(const Range&) { return "a number, zero or above, a list of them or auto"; }

std::optional<Strength> SettingCodec<Strength>::read(const SettingValue& value, const Range& range) {
    if (value.word() == "auto") return Strength(std::vector<double>{});
    if (const auto amount = SettingCodec<double>::read(value, range)) return Strength(*amount);
    if (value.list() == nullptr || value.list()->empty()) return std::nullopt;
    auto tried = SettingCodec<std::vector<double>>::read(value, range);
    return tried ? std::optional<Strength>(std::move(*tried)) : std::nullopt;
}

SettingValue SettingCodec<Strength>::write(const Strength& value) {
    if (!value.searched) return {value.amount};
    if (value.tried.empty()) return {std::string("auto")};
    return SettingCodec<std::vector<double>>::write(value.tried);
}

std::vector<SettingValue> SettingCodec<Strength>::examples(const Range&) {
    return {{0.5}, {SettingValue::List{{0.1}, {1.0}}}};
}

std::string SettingCodec<Penalty>::form(const Range&) {
    return "a number, zero or above, a list of them, auto, evidence or firth";
}

std::optional<Penalty> SettingCodec<Penalty>::read(const SettingValue& value, const Range& range) {
    const auto word = value.word();
    for (const PenaltyRule rule : {PenaltyRule::evidence, PenaltyRule::firth})
        if (word == name_of(rule)) return Penalty(rule);
    auto strength = SettingCodec<Strength>::read(value, range);
    if (!strength) return std::nullopt;
    Penalty penalty;
    static_cast<Strength&>(penalty) = std::move(*strength);
    return penalty;
}

SettingValue SettingCodec<Penalty>::write(const Penalty& value) {
    if (value.rule != PenaltyRule::strength) return {std::string(name_of(value.rule))};
    return SettingCodec<Strength>::write(value);
}

std::vector<SettingValue> SettingCodec<Penalty>::examples(const Range&) {
    return {{0.5}, {std::string("evidence")}, {SettingValue::List{{0.1}, {1.0}}}};
}

std::string SettingCodec<ClassWeights>::form(const Range&) { return "balanced or CLASS=NUMBER,..."; }

std::optional<ClassWeights> SettingCodec<ClassWeights>::read(const SettingValue& value, const Range&) {
    if (value.word() == "balanced") return ClassWeights{true, {}};
    auto given = MapCodec<ClassWeight>::read(value, at_least(0));
    return given ? std::optional(ClassWeights{false, std::move(*given)}) : std::nullopt;
}

SettingValue SettingCodec<ClassWeights>::write(const ClassWeights& value) {
    if (value.balanced) return {std::string("balanced")};
    return MapCodec<ClassWeight>::write(value.given);
}

std::vector<SettingValue> SettingCodec<ClassWeights>::examples(const Range&) { return {{std::string("balanced")}}; }

std::optional<OffsetColumns> SettingCodec<OffsetColumns>::read(const SettingValue& value, const Range& range) {
    auto names = SettingCodec<std::vector<std::string>>::read(value, range);
    return names ? std::optional(OffsetColumns{std::move(*names)}) : std::nullopt;
}

SettingValue SettingCodec<OffsetColumns>::write(const OffsetColumns& value) {
    return SettingCodec<std::vector<std::string>>::write(value.names);
}

}  // namespace suffice
