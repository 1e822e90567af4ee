// Files folded into the statistics of one family: of each column, or of all columns together; in constant memory.
#pragma once
#include <string>
#include <vector>

#include "suffice/family/handle.hpp"
#include "suffice/flow/open_data.hpp"

namespace suffice {

// Statistics and what the codes of their levels mean. Pieces of any files go together by the names of levels.
struct FamilyRows {
    Schema names;
    std::vector<FamilyStatistic> of;  // a column each, or one of all
    double missing_rows = 0;          // of all columns together: weight of the rows that lack a value
    bool operator==(const FamilyRows&) const = default;

    double weight() const;
    void merge(const FamilyRows& from);
    // Levels in their order of names; those that no row has are left out.
    void tidy();
};

struct OpenedFamily {
    OpenedData data;
    bool is_joint = false;
};

// Files opened for the family: words as levels where it takes these, else numbers.
Result<OpenedFamily> open_for_family(const std::vector<std::string>& files, const std::string& family,
                                     const FitOptions& options);

Result<FamilyRows> fold_family(OpenedFamily& opened, const std::string& family, const Context& context);

}  // namespace suffice
