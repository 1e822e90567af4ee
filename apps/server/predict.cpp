// Rows in, labels and what else was asked for out.
#include "server/predict.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "suffice/decide/decision.hpp"
#include "suffice/report/arrow_stream.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

struct Wanted {
    bool probabilities = false, log_evidence = false, decision = false, novelty = false;
    std::size_t top = 0;
    DecisionRule label = {}, rule = {};
};

Result<double> number_member(const Json& asked, const char* name, double otherwise, double most) {
    const auto found = asked.find(name);
    if (found == asked.end()) return otherwise;
    if (!found->is_number() || !(found->get<double>() >= 0 && found->get<double>() <= most))
        return Error(std::string(name) + " is a number from 0 to " + short_number(most));
    return found->get<double>();
}

Result<void> read_outputs(const Json& asked, Wanted& wanted) {
    const auto outputs = asked.find("outputs");
    if (outputs == asked.end()) return {};
    if (!outputs->is_array()) return Error("outputs is a list of names");
    for (const auto& each : *outputs) {
        const std::string name = each.is_string() ? each.get<std::string>() : each.dump();
        if (name == "probabilities" || name == "posteriors")
            wanted.probabilities = true;
        else if (name == "log_evidence")
            wanted.log_evidence = true;
        else if (name == "top")
            wanted.top = std::max<std::size_t>(wanted.top, 3);
        else if (name == "decision")
            wanted.decision = true;
        else if (name == "novelty")
            wanted.novelty = true;
        else if (name != "label")
            return Error("outputs are label, probabilities, log_evidence, top, decision and novelty, not \"" + name +
                         "\"");
    }
    return {};
}

// As the verb predict: thresholds saved with the model decide the label; what the request says decides `decision`.
Result<Wanted> read_wanted(const Json& asked, const Model& model) {
    Wanted wanted;
    if (auto read = read_outputs(asked, wanted); !read) return read.error();
    auto thresholds = thresholds_by_class(model.decision().thresholds, model.classes());
    if (!thresholds) return thresholds.error();
    wanted.label.thresholds = *thresholds;
    if (const auto top = asked.find("top"); top != asked.end()) {
        if (!top->is_number_integer() || *top < 1) return Error("top is a whole number above 0");
        wanted.top = top->get<std::size_t>();
    }
    wanted.top = std::min(wanted.top, model.classes().size());
    const auto reject = number_member(asked, "reject", 0, 1);
    if (!reject) return reject.error();
    wanted.rule.reject_below = *reject;
    if (const auto cost = asked.find("cost"); cost != asked.end()) {
        if (!cost->is_string()) return Error("cost is a text such as \"fraud:ok=50, ok:fraud=1\"");
        auto matrix = parse_cost_matrix(model.classes(), cost->get_ref<const std::string&>());
        if (!matrix) return matrix.error();
        wanted.rule.cost = std::move(*matrix);
    } else {
        wanted.rule.thresholds = std::move(*thresholds);
    }
    wanted.decision = wanted.decision || asked.contains("reject") || asked.contains("cost");
    if (wanted.novelty || asked.contains("novelty")) {
        const auto share = number_member(asked, "novelty", 0.01, 0.999);
        if (!share) return share.error();
        if (model.decision().usual_evidence.empty())
            return Error("the model does not know which rows are usual; calibrate --novelty saves them with it");
        auto below = novelty_threshold(model.decision().usual_evidence, *share);
        if (!below) return below.error();
        wanted.rule.novelty_below = *below;
        wanted.novelty = true;
    }
    return wanted;
}

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
            text +=
                answer.scores.log_evidence[row] < *wanted_.rule.novelty_below ? ",\"novel\":true" : ",\"novel\":false";
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

// The columns of `predict --proba`.
std::string as_csv(const Answer& answer, const Schema& schema, bool evidence) {
    std::string text = "prediction";
    for (const auto& name : schema.classes) {
        text += ',';
        append_cell(text, "p(" + name + ")");
    }
    text += evidence ? ",log_evidence\n" : "\n";
    const std::size_t classes = schema.classes.size();
    for (std::size_t row = 0; row < answer.scores.rows; ++row) {
        if (answer.labels[row] >= 0) append_cell(text, schema.classes[static_cast<std::size_t>(answer.labels[row])]);
        for (std::size_t c = 0; c < classes; ++c) {
            text += ',';
            append_number(text, answer.scores.posteriors[row * classes + c]);
        }
        if (evidence) {
            text += ',';
            append_number(text, answer.scores.log_evidence[row]);
        }
        text += '\n';
    }
    return text;
}

// The same columns.
std::string as_arrow(const Answer& answer, const Schema& schema, bool evidence) {
    std::vector<ArrowColumn> columns{{"prediction", ArrowWords{answer.labels, schema.classes, schema.integer_classes}}};
    const std::size_t classes = schema.classes.size();
    for (std::size_t c = 0; c < classes; ++c)
        columns.push_back({"p(" + schema.classes[c] + ")", ArrowNumbers{answer.scores.posteriors.data() + c, classes}});
    if (evidence) columns.push_back({"log_evidence", ArrowNumbers{answer.scores.log_evidence.data()}});
    return arrow_stream(columns, answer.scores.rows);
}

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
    const bool evidence = wanted.log_evidence || wanted.novelty;
    if (type == csv_type) return as_csv(answer, schema, evidence);
    if (type == arrow_type) return as_arrow(answer, schema, evidence);
    return as_json(answer, schema, wanted, served, type == lines_type);
}

}  // namespace

Response predict_route(const Served& served, const Request& request, std::size_t most_rows) {
    const auto version = served.now();
    const auto type = answer_type(request);
    if (type.empty()) return no_such_answer();
    Stopwatch watch;
    const auto body = read_body(request);
    if (!body) return problem(body.error());
    static const Json nothing = Json::object();
    auto wanted = read_wanted(body->asked ? *body->asked : nothing, version->model);
    if (!wanted) return problem(wanted.error());
    const auto sent = media_type(request.content_type);
    if (sent != json_type && !sent.empty()) wanted->probabilities = true;
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
