// What a column of a file is taken for: from what was found in it, and from what the user and the model say.
#pragma once
#include <optional>
#include <string_view>

#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

struct Treatment {
    ColumnKind kind = ColumnKind::number;
    std::string family;
    ColumnReason why = ColumnReason::numbers;
    bool by_user() const { return why == ColumnReason::by_user; }
};

// From the kind found, or from the family that the user said of it or that the model names.
Treatment treat(const FoundColumn& column, std::optional<std::string_view> said, const FitOptions& options);

// Why a column is left out that nobody excluded; none: it is not. An Error where it cannot be taken so.
Result<std::optional<ColumnReason>> reason_to_leave_out(const FoundColumn& column, const Treatment& how,
                                                        const FitOptions& options);

// How text is cut: sequences are of single words, short ones too; counts may be of runs of them.
TextOptions text_of(const FitOptions& options, const std::string& family);
Result<void> check_sequences(const FitOptions& options, const std::vector<ColumnChoice>& choices);

}  // namespace suffice
