// Words a note of singular covariances.
#include "suffice/estimate/singular_groups.hpp"

#include <algorithm>

#include "suffice/base/setting_value.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_columns_told = 5;

std::string listed_columns(const SingularGroup& group) {
    if (group.columns.empty()) return "some columns";
    std::string list;
    for (std::size_t k = 0; k < std::min(group.columns.size(), most_columns_told); ++k)
        list += (k == 0 ? "" : ", ") + group.columns[k];
    if (group.columns.size() > most_columns_told)
        list += " and " + std::to_string(group.columns.size() - most_columns_told) + " more";
    return list;
}

std::string said_of(const SingularGroup& group) {
    return listed_columns(group) + (group.columns.size() == 1 ? " is " : " are ") + group.why;
}

// Columns that are independent given the class have variances and no covariance.
std::string sentence_of_columns(const std::vector<SingularGroup>& groups) {
    const SingularGroup& first = groups.front();
    const std::string where = first.classes.empty() ? "every class" : first.classes;
    if (groups.size() == 1) return said_of(first) + " in " + where;
    return "columns are constant in " + std::to_string(groups.size()) + " classes, such as " + listed_columns(first) +
           " in " + where;
}

std::string sentence_of_covariances(const std::vector<SingularGroup>& groups, std::size_t dimension) {
    const SingularGroup& first = groups.front();
    const std::string rank =
        first.rank < dimension ? " (rank " + std::to_string(first.rank) + " of " + std::to_string(dimension) + ")" : "";
    if (groups.size() > 1)
        return std::to_string(groups.size()) + " covariances are singular, such as that of " + first.classes + rank +
               ": " + said_of(first);
    const std::string which = first.classes.empty() ? "the shared covariance" : "the covariance of " + first.classes;
    return which + " is singular" + rank + ": " + said_of(first);
}

std::string cure_of(const std::vector<SingularGroup>& groups, double rows) {
    const auto pooled = [](const SingularGroup& group) { return group.cure == SingularCure::pooled; };
    if (!std::ranges::all_of(groups, pooled)) return "a floor was added to the variances";
    return std::string(groups.size() == 1 ? "it was" : "they were") +
           " drawn toward the pooled covariance, which counts for " + number_spelled(rows) + " rows";
}

}  // namespace

Result<void> tell_singular(std::vector<SingularGroup> groups, const Settings& settings, EstimatedGaussians& into) {
    if (groups.empty()) return {};
    if (settings.strict) groups.resize(1);  // it ends at the first
    const std::string sentence = into.parameters.diagonal ? sentence_of_columns(groups)
                                                          : sentence_of_covariances(groups, into.parameters.dimension);
    if (settings.strict)
        return Error(ErrorKind::singular,
                     sentence + (groups.front().columns.size() == 1 ? "; leave it out" : "; leave them out") +
                         ", or use shrinkage");
    Note& note = into.notes.emplace_back(sentence + "; " + cure_of(groups, settings.variance_rows));
    note.degenerate = true;
    return {};
}

}  // namespace suffice
