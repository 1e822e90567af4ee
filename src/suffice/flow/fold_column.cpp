// Reads one column of files, and numbers its values by first appearance.
#include "suffice/flow/fold_column.hpp"

#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {

Result<std::vector<std::uint32_t>> read_folds(const std::vector<std::string>& files, const ReadOptions& read,
                                              const std::string& name, const Context& context) {
    auto reader = open_table(files, read);
    if (!reader) return reader.error();
    const auto& found = (*reader)->columns();
    const auto column = find_column(found, name);
    if (!column) return no_column(name, found, (*reader)->files().front());
    for (std::uint32_t k = 0; k < found.size(); ++k) (*reader)->want(k, k == *column, ColumnKind::category);
    ColumnPlan plan;
    plan.target = *column;
    TableStream stream(**reader, plan, {});
    Vocabulary names;
    std::vector<std::uint32_t> fold_of_row;
    const auto done = map_in_order(
        stream, context,
        [](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane& lane,
           Workspace&) -> Result<std::vector<std::string>> {
            std::vector<std::string> words;
            for (std::size_t row = 0; row < unit.size(); ++row) {
                const auto code = unit.label_of(row);
                words.push_back(code < 0 ? std::string{} : lane.names.classes[static_cast<std::size_t>(code)]);
            }
            return words;
        },
        [&](const std::vector<std::string>& words) -> Result<void> {
            for (const auto& word : words) fold_of_row.push_back(names.add(word));
            return {};
        });
    if (!done) return in_data(done.error(), **reader);
    if (names.size() > 1000)
        return Error(ErrorKind::usage, "the column " + name + " has " + std::to_string(names.size()) +
                                           " different values, too many for a fold each");
    return fold_of_row;
}

}  // namespace suffice
