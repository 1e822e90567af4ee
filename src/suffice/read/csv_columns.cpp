// Looks ahead at the headers of later files, so that the order of the files does not decide which columns there are.
#include "suffice/read/csv_columns.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suffice/read/csv_bytes.hpp"
#include "suffice/read/csv_look.hpp"
#include "suffice/read/csv_reader.hpp"

namespace suffice {
namespace {

// The names in the header, which may be longer than the first bytes looked at.
Result<std::vector<std::string>> header_of(CsvBytes& bytes, const CsvDialect& dialect) {
    constexpr std::size_t first_bytes = std::size_t{1} << 14;
    for (std::size_t wanted = first_bytes;; wanted *= 2) {
        if (auto read = bytes.look(wanted); !read) return read.error();
        if (wanted == first_bytes && bytes.start().starts_with("\xEF\xBB\xBF")) bytes.skip(3);
        CsvStart start = start_of_csv(bytes.start(), bytes.start_is_all(), dialect);
        if (!start.names.empty() || bytes.start_is_all() || wanted >= csv_row_limit) return std::move(start.names);
    }
}

}  // namespace

Result<void> add_columns_of_later_files(const std::vector<std::string>& files, const CsvDialect& dialect,
                                        const ReadOptions& options, const MissingMarks& marks,
                                        std::vector<FoundColumn>& columns) {
    ReadOptions alike = options;
    alike.delimiter = dialect.delimiter;
    alike.header = true;
    alike.quoting = dialect.quote != 0;
    alike.decimal = dialect.decimal;
    std::map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < columns.size(); ++k) places.emplace(columns[k].name, k);
    for (std::size_t file = 1; file < files.size(); ++file) {
        if (!regular_size(files[file])) continue;
        CsvBytes bytes(false, options.latin1, options.query);
        if (auto opened = bytes.open(file, files[file], files[file]); !opened) return opened;
        const auto names = header_of(bytes, dialect);
        if (!names) return names.error();
        const std::set<std::string> here(names->begin(), names->end());
        for (FoundColumn& column : columns)
            if (column.lacked_by.empty() && !here.contains(column.name)) column.lacked_by = files[file];
        if (std::ranges::all_of(here, [&](const std::string& name) { return places.contains(name); })) continue;
        if (auto read = bytes.look(csv_look_bytes); !read) return read;
        for (FoundColumn& column : look_at_csv(bytes.start(), bytes.start_is_all(), alike, marks).columns) {
            if (!places.emplace(column.name, columns.size()).second) continue;
            column.lacked_by = files[0];
            columns.push_back(std::move(column));
        }
    }
    return {};
}

}  // namespace suffice
