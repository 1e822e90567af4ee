// Writes options of reading down, and takes them up again.
#include "suffice/flow/reading.hpp"

namespace suffice {

std::vector<std::string> reading_record(const ReadOptions& options) {
    const ReadOptions usual;
    std::vector<std::string> record;
    if (options.delimiter != 0) record.push_back(std::string("delimiter=") + options.delimiter);
    if (options.header) record.emplace_back(*options.header ? "header=yes" : "header=no");
    if (options.quoting) record.emplace_back(*options.quoting ? "quoting=yes" : "quoting=no");
    if (options.latin1) record.emplace_back("encoding=latin-1");
    if (options.comment != 0) record.push_back(std::string("comment=") + options.comment);
    if (options.decimal != 0) record.push_back(std::string("decimal=") + options.decimal);
    if (options.missing != usual.missing)
        for (const std::string& mark : options.missing) record.push_back("missing=" + mark);
    for (const auto& [column, first] : options.day_first)
        record.push_back((first ? "day_first=" : "month_first=") + column);
    return record;
}

ReadOptions remembered(ReadOptions given, const std::vector<std::string>& record) {
    const ReadOptions usual;
    std::vector<std::string> missing;
    for (const std::string& each : record) {
        const std::size_t cut = each.find('=');
        if (cut == std::string::npos) continue;
        const std::string name = each.substr(0, cut), value = each.substr(cut + 1);
        if (name == "missing") missing.push_back(value);
        if (name == "day_first" || name == "month_first") given.day_first.try_emplace(value, name == "day_first");
        if (name == "encoding" && value == "latin-1") given.latin1 = true;
        if (name == "header" && !given.header) given.header = value == "yes";
        if (name == "quoting" && !given.quoting) given.quoting = value == "yes";
        if (name == "delimiter" && given.delimiter == 0 && !value.empty()) given.delimiter = value[0];
        if (name == "decimal" && given.decimal == 0 && !value.empty())
            given.decimal = value[0], given.decimal_remembered = true;
        if (name == "comment" && given.comment == 0 && !value.empty()) given.comment = value[0];
    }
    if (!missing.empty() && given.missing == usual.missing) given.missing = std::move(missing);
    return given;
}

}  // namespace suffice
