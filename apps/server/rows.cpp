// Bodies to rows to scores.
#include "server/rows.hpp"

#include <algorithm>
#include <charconv>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/mman.h>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/dates.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

constexpr std::size_t deepest = 32;  // arrays and records inside each other

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_number_float()) return value.dump();
    std::string text;
    append_number(text, value.get<double>());
    return text;
}

bool reads_as_number(const std::string& word) {
    double value = 0;
    return std::from_chars(word.data(), word.data() + word.size(), value).ptr == word.data() + word.size() &&
           !word.empty();
}

// A category may be named by a number where its levels are such.
Result<void> set_value(RowScorer& scorer, const Column& column, const Json& value) {
    if (value.is_null()) return {};
    const bool words = column.kind == ColumnKind::category;
    if (value.is_string()) return scorer.set(column.name, value.get_ref<const std::string&>());
    if (value.is_number() && !words) return scorer.set(column.name, value.get<double>());
    if (value.is_boolean() && !words) return scorer.set(column.name, value.get<bool>() ? 1.0 : 0.0);
    if (value.is_number() || value.is_boolean()) {
        const std::string word = text_of(value);
        if (std::ranges::find(column.levels, word) != column.levels.end() ||
            (value.is_number() && std::ranges::any_of(column.levels, reads_as_number)))
            return scorer.set(column.name, word);
        return Error("the model knows words here, and " + word + " was given").in_column(column.name);
    }
    return Error("a value is a number, a word or null, and a list or a record was given").in_column(column.name);
}

Error no_value(const std::string& column) {
    return Error("the row has no such member; null means missing").in_column(column);
}

Result<void> check_rows_are_records(const Json& rows) {
    if (!rows.is_array()) return Error("rows is a list of records such as {\"column\": value}");
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (!rows[row].is_object()) return Error("a row is a record such as {\"column\": value}").at_row(row + 1);
    return {};
}

void append_json_cell(std::string& text, const Json& value) {
    if (!value.is_null()) append_cell(text, text_of(value));
}

// The column of the sender that a column of the model is read from: its own, or the date that it is a part of.
std::string source_of(const Column& column, const Json& first) {
    const auto part = first.contains(column.name) ? std::nullopt : part_named(column.name);
    return part && first.contains(part->column) ? part->column : column.name;
}

}  // namespace

Result<MemoryFile> MemoryFile::of(std::string_view bytes) {
    MemoryFile file(::memfd_create("rows", MFD_CLOEXEC));
    if (file.number_ < 0) return Error(ErrorKind::io, "there is no memory for the rows");
    while (!bytes.empty()) {
        const auto written = ::write(file.number_, bytes.data(), bytes.size());
        if (written <= 0) return Error(ErrorKind::io, "there is no memory for the rows");
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return file;
}

MemoryFile::~MemoryFile() {
    if (number_ >= 0) ::close(number_);
}

Result<Json> parse_json(std::string_view text) {
    try {
        bool too_deep = false;
        const auto watch = [&](int depth, Json::parse_event_t, Json&) {
            return !(too_deep = too_deep || depth > static_cast<int>(deepest));
        };
        std::size_t depth = 0, most = 0;  // the callback slows usual bodies down, so it is for odd ones only
        for (const char letter : text) {
            depth += letter == '[' || letter == '{';
            most = std::max(most, depth);
            if (depth > 0) depth -= letter == ']' || letter == '}';
        }
        Json parsed = most <= deepest ? Json::parse(text) : Json::parse(text, watch);
        if (too_deep) return Error("the JSON is more than " + std::to_string(deepest) + " levels deep");
        return parsed;
    } catch (const Json::exception& problem) {
        std::string what = problem.what();
        if (const auto end = what.find("] "); end != std::string::npos) what = what.substr(end + 2);
        for (char& letter : what)
            if (static_cast<unsigned char>(letter) >= 0x80) letter = '?';  // what was read may be no UTF-8
        return Error("the body is not JSON: " + what);
    }
}

Result<Json> parse_lines(std::string_view text) {
    Json rows = Json::array();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.find_first_not_of(" \r\t") == std::string_view::npos) continue;
        auto row = parse_json(line);
        if (!row) return Error(row.error()).at_row(number);
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<std::string> csv_of(const Json& rows, const Schema& schema, bool target) {
    if (auto good = check_rows_are_records(rows); !good) return good.error();
    std::vector<std::string> names;
    for (const auto& column : schema.columns) {
        const std::string source = rows.empty() ? column.name : source_of(column, rows[0]);
        if (std::ranges::find(names, source) == names.end()) names.push_back(source);
    }
    if (target) names.push_back(schema.target);
    std::string text;
    for (const auto& name : names) {
        if (!text.empty()) text += ',';
        append_cell(text, name);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        text += '\n';
        const std::size_t start = text.size();
        for (std::size_t k = 0; k < names.size(); ++k) {
            const auto value = rows[row].find(names[k]);
            if (value == rows[row].end()) return no_value(names[k]).at_row(row + 1);
            if (value->is_structured())
                return Error("a value is a number, a word or null, and a list or a record was given")
                    .at_row(row + 1)
                    .in_column(names[k]);
            if (target && k + 1 == names.size() && (value->is_null() || *value == ""))
                return Error("a row to learn from has its class").at_row(row + 1).in_column(names[k]);
            if (k > 0) text += ',';
            append_json_cell(text, *value);
        }
        if (text.size() == start) text += "\"\"";  // a line with nothing on it is no row
    }
    return text + '\n';
}

Result<Scores> score_block(const Predictor& predictor, const Block& rows, bool evidence) {
    Scores scores{row_count(rows)};
    scores.posteriors.resize(scores.rows * predictor.class_count());
    ScoreSink sink;
    sink.scores = scores.posteriors.data();
    sink.stride = static_cast<std::ptrdiff_t>(predictor.class_count());
    if (evidence) {
        if (auto dense = predictor.check_density(); !dense) return dense.error();
        scores.log_evidence.resize(scores.rows);
        sink.log_evidence = scores.log_evidence.data();
    }
    Context alone;
    alone.thread_count = 1;
    if (scores.rows == 0) return scores;
    if (auto scored = predictor.score(rows, sink, alone); !scored)
        return named_column(scored.error(), predictor.schema());
    return scores;
}

Result<Scores> score_json(const Served& served, const std::shared_ptr<const Version>& version, const Json& rows,
                          bool evidence) {
    if (!version->dense) {
        const auto csv = csv_of(rows, version->model.schema(), false);
        if (!csv) return csv.error();
        if (rows.empty()) return Scores{};
        return score_bytes(served, version, *csv, evidence, {false});
    }
    if (auto good = check_rows_are_records(rows); !good) return good.error();
    RowScorer& scorer = scorer_of_thread(served, version);
    const auto& columns = version->model.schema().columns;
    std::vector<double> values;
    values.reserve(rows.size() * columns.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        scorer.clear();
        for (const auto& column : columns) {
            const auto value = rows[row].find(column.name);
            if (value == rows[row].end()) return no_value(column.name).at_row(row + 1);
            if (auto set = set_value(scorer, column, *value); !set) return Error(set.error()).at_row(row + 1);
        }
        values.insert(values.end(), scorer.row().begin(), scorer.row().end());
    }
    const Block block = suffice::rows(values.data(), rows.size(), columns.size());
    if (rows.size() != 1) {
        auto many = score_block(version->model.predictor(), block, evidence);
        if (many) note_asked(served, version, block);
        return many;
    }
    Scores scores{1, std::vector<double>(scorer.class_count())};
    if (evidence) {
        const auto found = scorer.log_evidence(values, scores.posteriors);
        if (!found) return named_column(found.error(), version->model.schema());
        scores.log_evidence.push_back(*found);
    } else if (auto scored = scorer.posteriors(values, scores.posteriors); !scored) {
        return named_column(scored.error(), version->model.schema());
    }
    note_asked(served, version, block);
    return scores;
}

Result<Scores> score_bytes(const Served& served, const std::shared_ptr<const Version>& version, std::string_view bytes,
                           bool evidence, BytesOptions options) {
    const auto file = MemoryFile::of(bytes);
    if (!file) return file.error();
    auto applied = open_for_model(version->model, {file->path()}, {});
    if (!applied) return about_body(applied.error(), options.sender_saw_header);
    const Predictor& predictor = version->model.predictor();
    Scores all;
    Context alone;
    alone.thread_count = 1;
    const auto done = map_in_order(
        *applied->data.stream, alone,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) {
            auto scores = score_block(predictor, block.rows, evidence);
            if (scores) note_asked(served, version, block.rows);
            return scores;
        },
        [&](const Scores& part) -> Result<void> {
            all.rows += part.rows;
            all.posteriors.insert(all.posteriors.end(), part.posteriors.begin(), part.posteriors.end());
            all.log_evidence.insert(all.log_evidence.end(), part.log_evidence.begin(), part.log_evidence.end());
            if (all.rows > options.most_rows) return Error(ErrorKind::cancelled, "there are more rows than allowed");
            return {};
        });
    if (!done && all.rows <= options.most_rows) return about_body(done.error(), options.sender_saw_header);
    return all;
}

Error about_body(Error error, bool sender_saw_header) {
    error.file.clear();
    if (!sender_saw_header && error.row && *error.row > 1) --*error.row;
    return error;
}

}  // namespace suffice::server
