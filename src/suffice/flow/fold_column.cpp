// Reads one column of files, and numbers its values by first appearance.
#include "suffice/flow/fold_column.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/setting_value.hpp"
#include "suffice/encode/chosen_rows.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {

Result<ValuesByRow> read_values(TableReader& reader, const std::string& name, const Context& context) {
    const auto& found = reader.columns();
    const auto column = find_column(found, name);
    if (!column) return no_column(name, found, first_file(reader));
    for (std::uint32_t k = 0; k < found.size(); ++k) reader.want(k, k == *column, ColumnKind::category);
    ColumnPlan plan;
    plan.target = *column;
    TableStream stream(reader, plan, {});
    Vocabulary names;
    ValuesByRow values;
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
            for (const auto& word : words) {
                values.value_of_row.push_back(names.add(word));
                if (names.size() > values.names.size()) values.names.push_back(word);
            }
            return {};
        });
    if (!done) return in_data(done.error(), reader);
    return values;
}

Result<ValuesByRow> read_values(const Data& data, const ReadOptions& read, const std::string& name,
                                const Context& context) {
    auto reader = open_rows(data, read);
    if (!reader) return reader.error();
    return read_values(**reader, name, context);
}

std::vector<std::uint32_t> folds_in_order(const ValuesByRow& values, std::uint32_t fold_count) {
    const std::size_t count = values.names.size();
    std::vector<std::optional<double>> number;
    for (const auto& name : values.names) number.push_back(SettingValue{Written{name}}.number());
    const bool numbers = std::ranges::all_of(number, [](const auto& each) { return each.has_value(); });
    std::vector<std::uint32_t> order(count), fold_of_value(count);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(
        order, [&](auto a, auto b) { return numbers ? *number[a] < *number[b] : values.names[a] < values.names[b]; });
    std::vector<std::uint64_t> rows(count);
    for (const auto value : values.value_of_row) ++rows[value];
    std::uint64_t before = 0;
    for (const auto value : order) {
        fold_of_value[value] = static_cast<std::uint32_t>(before * fold_count / values.value_of_row.size());
        before += rows[value];
    }
    std::vector<std::uint32_t> fold;
    for (const auto value : values.value_of_row) fold.push_back(fold_of_value[value]);
    return fold;
}

Result<std::vector<std::uint32_t>> read_folds(TableReader& reader, const std::string& name, const Context& context) {
    auto values = read_values(reader, name, context);
    if (!values) return values.error();
    if (values->names.size() > 1000)
        return Error(ErrorKind::usage, "the column " + name + " has " + std::to_string(values->names.size()) +
                                           " different values, too many for a fold each");
    return std::move(values->value_of_row);
}

Result<std::vector<std::uint32_t>> read_folds(const Data& data, const ReadOptions& read, const std::string& name,
                                              const Context& context) {
    auto reader = open_rows(data, read);
    if (!reader) return reader.error();
    return read_folds(**reader, name, context);
}

}  // namespace suffice
