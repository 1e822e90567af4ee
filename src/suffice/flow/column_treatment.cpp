// Decides column by column.
#include "suffice/flow/column_treatment.hpp"

#include <algorithm>
#include <array>

namespace suffice {
namespace {

Error words_refused(const FoundColumn& column, const FitOptions& options) {
    const std::string start = "the column holds words, such as " + column.example;
    const Remedy exclude{"exclude", column.name, "leave it out with"};
    if (!options.has_classes) return Error(start + ", where numbers are needed").advise(exclude);
    return Error(start + ", which " + options.model + " does not take")
        .advise(exclude)
        .advise({"model", "naive_bayes"});
}

// id, patient_id, userId, row number, ...
bool is_named_identifier(const std::string& name) {
    std::string low;
    for (const char byte : name) {
        const bool new_word = byte >= 'A' && byte <= 'Z' && !low.empty() && name[low.size() - 1] >= 'a';
        if (new_word) return is_named_identifier(name.substr(low.size()));
        low += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
    }
    constexpr std::array<std::string_view, 6> words{"id", "uuid", "guid", "index", "rownames", "key"};
    const std::size_t cut = low.find_last_of(" _-.");
    const std::string_view last = std::string_view(low).substr(cut == std::string::npos ? 0 : cut + 1);
    return std::ranges::find(words, last) != words.end();
}

// Nearly every value of a first look is another word, or each another whole number: names of rows, which tell nothing
// of rows to come. What is called an identifier needs half as much.
bool is_identifier(const FoundColumn& column, const Treatment& how) {
    constexpr std::uint64_t fewest_rows = 20, many = 10'000;
    if (column.seen < fewest_rows || column.distinct == 0) return false;
    const bool half = 2 * column.distinct > column.seen;
    if (half && is_named_identifier(column.name)) return how.kind != ColumnKind::text;
    if (how.kind == ColumnKind::category)
        return (half && column.distinct > many) || 20 * column.distinct >= 19 * column.seen;
    return column.kind == ColumnKind::number && column.distinct == column.seen;
}

Error dates_refused(const FoundColumn& column) {
    return Error("the column holds dates, such as " + column.example + ", which are not numbers")
        .advise({"exclude", column.name, "leave it out with"})
        .advise({"families", column.name + "=categorical", "take it as words with"});
}

}  // namespace

Treatment treat(const FoundColumn& column, std::optional<std::string_view> said, const FitOptions& options) {
    if (said == "tokens" || said == "ngrams") return {ColumnKind::text, std::string(*said), ColumnReason::by_user};
    if (said) {
        const bool words = said == "categorical" || (said == "auto" && column.kind == ColumnKind::category);
        return {words ? ColumnKind::category : ColumnKind::number, std::string(*said), ColumnReason::by_user};
    }
    const ModelEntry& model = **model_entry(options.model);
    if (const auto family = model.family; !family.empty()) {
        const bool words = family == "categorical";
        if (column.kind == ColumnKind::text && family == "bernoulli")
            return {ColumnKind::text, "tokens", ColumnReason::words};
        return {words ? ColumnKind::category : ColumnKind::number, std::string(family), ColumnReason::by_model};
    }
    if (model.numbers == NumberForm::counted) {
        const bool words = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
        if (words) return {ColumnKind::text, "tokens", ColumnReason::words};
        return {ColumnKind::number, "counts", ColumnReason::by_model};
    }
    const bool number = column.kind == ColumnKind::number || column.kind == ColumnKind::flag;
    if (number && model.points) return {ColumnKind::number, std::string(name_of(*model.points)), ColumnReason::numbers};
    switch (column.kind) {
        case ColumnKind::number:
            return {ColumnKind::number, "gaussian", ColumnReason::numbers};
        case ColumnKind::flag:
            return {ColumnKind::flag, "bernoulli", ColumnReason::flags};
        case ColumnKind::category:
            return {ColumnKind::category, "categorical", ColumnReason::words};
        case ColumnKind::text:
            return {ColumnKind::text, model.sequences ? "ngrams" : "tokens", ColumnReason::longer_text};
    }
    return {};
}

TextOptions text_of(const FitOptions& options, const std::string& family) {
    TextOptions text = options.text;
    if (family != "ngrams") return text;
    text.in_order = true;
    text.minimum_length = 1;
    return text;
}

Result<void> check_sequences(const FitOptions& options, const std::vector<ColumnChoice>& choices) {
    const bool any = std::ranges::any_of(choices, [](const auto& each) { return each.family == "ngrams"; });
    if ((*model_entry(options.model))->sequences && !any)
        return Error(ErrorKind::usage, "no column holds longer text")
            .advise({"families", "COLUMN=ngrams", "name it with"});
    if (any && (options.text.ngrams.most > 1 || options.text.binary || options.text.hash_features > 0))
        return Error(ErrorKind::usage,
                     "n-gram models take the words one by one; ngrams, binary and hash are for counts of words")
            .advise({"order", "", "give the order of the model with"});
    return {};
}

Result<std::optional<ColumnReason>> reason_to_leave_out(const FoundColumn& column, const Treatment& how,
                                                        const FitOptions& options) {
    using Reason = std::optional<ColumnReason>;
    if (how.by_user()) return Reason{};
    const bool words = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
    if (words && how.kind == ColumnKind::number) return words_refused(column, options).in_column(column.name);
    if (column.looks_like_date) return dates_refused(column).in_column(column.name);
    if (is_identifier(column, how)) return Reason(ColumnReason::identifier);
    return column.all_missing ? Reason(ColumnReason::no_value) : Reason{};
}

}  // namespace suffice
