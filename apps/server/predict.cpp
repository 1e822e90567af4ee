// Rows in, labels and what else was asked for out.
#include "server/predict.hpp"

#include <deque>
#include <optional>

#include "server/table.hpp"
#include "server/wanted.hpp"
#include <nlohmann/json.hpp>

#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

// All that is told of the rows, as codes and numbers.
struct Answer {
    Scores scores;
    std::vector<std::int32_t> labels = {}, decisions = {}, top = {};
};

Result<Answer> decide_all(Scores scores, const Wanted& wanted, std::size_t classes) {
    Answer answer{std::move(scores)};
    auto labels = decide(answer.scores.posteriors, classes, wanted.label);
    if (!labels) return labels.error();
    answer.labels = std::move(*labels);
    if (wanted.decision || wanted.novelty) {
        auto decided = decide(answer.scores.posteriors, classes, wanted.rule, answer.scores.log_evidence);
        if (!decided) return decided.error();
        answer.decisions = std::move(*decided);
    }
    if (wanted.top > 0) {
        auto top = top_classes(answer.scores.posteriors, classes, wanted.top);
        if (!top) return top.error();
        answer.top = std::move(*top);
    }
    return answer;
}

bool is_novel(double evidence, const Wanted& wanted) { return !(evidence >= *wanted.rule.novelty_below); }

void append_json_number(std::string& text, double value) {
    const std::size_t before = text.size();
    if (std::isfinite(value)) append_number(text, value);
    if (text.size() == before) text += "null";
}

// Names are escaped once, not for every row.
class RecordWriter {
public:
    RecordWriter(const Schema& schema, const Wanted& wanted) : wanted_(wanted) {
        for (std::size_t c = 0; c < schema.classes.size(); ++c) {
            names_.push_back(Json(schema.classes[c]).dump(-1, ' ', false, Json::error_handler_t::replace));
            labels_.push_back(schema.integer_classes ? schema.classes[c] : names_.back());
        }
    }

    void append(std::string& text, const Answer& answer, std::size_t row) const {
        const double* posteriors = answer.scores.posteriors.data() + row * names_.size();
        text += "{\"label\":" + label(answer.labels[row]);
        if (wanted_.probabilities) {
            text += ",\"probabilities\":{";
            for (std::size_t c = 0; c < names_.size(); ++c) {
                text += (c > 0 ? "," : "") + names_[c] + ':';
                append_json_number(text, posteriors[c]);
            }
            text += '}';
        }
        if (wanted_.top > 0) append_top(text, answer, row, posteriors);
        if (wanted_.decision) text += ",\"decision\":" + label(answer.decisions[row]);
        if (wanted_.log_evidence) {
            text += ",\"log_evidence\":";
            append_json_number(text, answer.scores.log_evidence[row]);
        }
        if (wanted_.novelty)
            text += is_novel(answer.scores.log_evidence[row], wanted_) ? ",\"novel\":true" : ",\"novel\":false";
        text += '}';
    }

private:
    std::string label(std::int32_t code) const { return code < 0 ? "null" : labels_[static_cast<std::size_t>(code)]; }

    void append_top(std::string& text, const Answer& answer, std::size_t row, const double* posteriors) const {
        text += ",\"top\":[";
        for (std::size_t k = 0; k < wanted_.top; ++k) {
            const auto code = answer.top[row * wanted_.top + k];
            text += (k > 0 ? ",{\"label\":" : "{\"label\":") + label(code) + ",\"probability\":";
            append_json_number(text, posteriors[code]);
            text += '}';
        }
        text += ']';
    }

    const Wanted& wanted_;
    std::vector<std::string> names_, labels_;
};

// Columns as `predict` names them: those of `--proba` unless others were asked for.
class PredictedTable {
public:
    PredictedTable(const Answer& answer, const Schema& schema, const Wanted& wanted) : answer_(answer) {
        const auto words = [&](std::span<const std::int32_t> codes) {
            return ArrowWords{codes, schema.classes, schema.integer_classes};
        };
        columns_.push_back({"prediction", words(answer.labels)});
        for (std::size_t k = 0; k < wanted.top; ++k) add_choice(k, wanted.top, schema);
        const std::size_t classes = schema.classes.size();
        for (std::size_t c = 0; wanted.probabilities && c < classes; ++c)
            columns_.push_back(
                {"p(" + schema.classes[c] + ")", ArrowNumbers{answer.scores.posteriors.data() + c, classes}});
        if (wanted.decision) columns_.push_back({"decision", words(answer.decisions)});
        if (wanted.log_evidence || wanted.novelty)
            columns_.push_back({"log_evidence", ArrowNumbers{answer.scores.log_evidence.data()}});
        if (!wanted.novelty) return;
        for (const double evidence : answer.scores.log_evidence) novel_.push_back(is_novel(evidence, wanted));
        columns_.push_back({"novel", ArrowWords{novel_, flags_, true}});
    }
    std::string text(std::string_view type) const { return table_text(type, columns_, answer_.scores.rows); }

private:
    // The k-th most probable class and its posterior.
    void add_choice(std::size_t k, std::size_t of, const Schema& schema) {
        auto& codes = codes_.emplace_back();
        auto& shares = shares_.emplace_back();
        for (std::size_t row = 0; row < answer_.scores.rows; ++row) {
            codes.push_back(answer_.top[row * of + k]);
            shares.push_back(
                answer_.scores.posteriors[row * schema.classes.size() + static_cast<std::size_t>(codes.back())]);
        }
        const std::string number = std::to_string(k + 1);
        columns_.push_back({"choice_" + number, ArrowWords{codes, schema.classes, schema.integer_classes}});
        columns_.push_back({"p_" + number, ArrowNumbers{shares.data()}});
    }

    const Answer& answer_;
    std::vector<ArrowColumn> columns_ = {};
    std::deque<std::vector<std::int32_t>> codes_ = {};
    std::deque<std::vector<double>> shares_ = {};
    std::vector<std::int32_t> novel_ = {};
    const std::vector<std::string> flags_{"0", "1"};
};

std::string as_json(const Answer& answer, const Schema& schema, const Wanted& wanted, const Served& served,
                    bool by_lines) {
    const RecordWriter writer(schema, wanted);
    std::string text = by_lines ? "" : "{\"model\":" + Json(served.name()).dump() + ",\"predictions\":[";
    for (std::size_t row = 0; row < answer.scores.rows; ++row) {
        if (row > 0 && !by_lines) text += ',';
        writer.append(text, answer, row);
        if (by_lines) text += '\n';
    }
    return by_lines ? text : text + "]}";
}

std::string rendered(std::string_view type, const Answer& answer, const Version& version, const Wanted& wanted,
                     const Served& served) {
    const Schema& schema = version.model.schema();
    if (type == csv_type || type == arrow_type) return PredictedTable(answer, schema, wanted).text(type);
    return as_json(answer, schema, wanted, served, type == lines_type);
}

// What stands in the body stands above what the address says.
Result<Wanted> wanted_of(const Request& request, const Body& body, std::string_view type, const Model& model) {
    static const Json nothing = Json::object();
    const Json& told = body.asked ? *body.asked : nothing;
    std::optional<Json> both;
    if (!request.query.empty()) {
        auto wishes = wishes_of_query(request.query);
        if (!wishes) return wishes.error();
        for (const auto& [name, value] : told.items())
            if (name != "rows") (*wishes)[name] = value;
        both = std::move(*wishes);
    }
    const Json& asked = both ? *both : told;
    auto wanted = read_wanted(asked, model);
    if (!wanted || asked.contains("outputs")) return wanted;
    const auto sent = media_type(request.content_type);
    const bool table = type == csv_type || type == arrow_type;
    wanted->probabilities = table || (sent != json_type && !sent.empty());
    return wanted;
}

}  // namespace

Response predict_route(const Served& served, const Request& request, std::size_t most_rows) {
    const auto version = served.now();
    const auto type = answer_type(request);
    if (type.empty()) return no_such_answer();
    Stopwatch watch;
    const auto body = read_body(request);
    if (!body) return problem(body.error());
    const auto wanted = wanted_of(request, *body, type, version->model);
    if (!wanted) return problem(wanted.error());
    if (body->asked && (*body->asked)["rows"].size() > most_rows) return too_many_rows(most_rows);
    Response made{200, std::string(type)};
    made.phases.push_back(watch.lap(Phase::parse));
    const bool evidence = wanted->log_evidence || wanted->novelty;
    auto scores = body->asked ? score_json(served, version, (*body->asked)["rows"], evidence)
                              : score_bytes(served, version, request.body, evidence, {body->is_csv, most_rows});
    if (!scores) return problem(scores.error());
    if (scores->rows > most_rows) return too_many_rows(most_rows);
    const auto answer = decide_all(std::move(*scores), *wanted, version->model.classes().size());
    if (!answer) return problem(answer.error());
    made.phases.push_back(watch.lap(Phase::score));
    made.rows = answer->scores.rows;
    made.body = rendered(type, *answer, *version, *wanted, served);
    made.phases.push_back(watch.lap(Phase::render));
    return made;
}

}  // namespace suffice::server
