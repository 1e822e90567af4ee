// Names and numbers to what is told.
#include "server/wanted.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/router.hpp"
#include <nlohmann/json.hpp>

#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

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

constexpr std::array<std::string_view, 5> wish_names{"outputs", "top", "reject", "cost", "novelty"};

// A number where it is one; what is none stays a word, which is then refused by the sentence that JSON gets.
Json number_or_word(const std::string& word) {
    const char *first = word.data(), *last = first + word.size();
    std::uint64_t whole = 0;
    if (const auto read = std::from_chars(first, last, whole);
        read.ec == std::errc() && read.ptr == last && first != last)
        return whole;
    double value = 0;
    if (const auto read = std::from_chars(first, last, value);
        read.ec == std::errc() && read.ptr == last && first != last)
        return value;
    return word;
}

std::string word_of_query(std::string_view text) {
    std::string spaced(text);
    std::ranges::replace(spaced, '+', ' ');
    return decoded(spaced);
}

Result<void> add_wish(Json& made, const std::string& name, const std::string& word) {
    if (name != "outputs") {
        if (made.contains(name)) return Error("the address says " + name + " twice");
        made[name] = name == "cost" ? Json(word) : number_or_word(word);
        return {};
    }
    Json& names = made["outputs"];
    for (std::size_t at = 0; at <= word.size();) {
        const auto end = std::min(word.find(',', at), word.size());
        names.push_back(word.substr(at, end - at));
        at = end + 1;
    }
    return {};
}

}  // namespace

Result<Json> wishes_of_query(std::string_view query) {
    Json made = Json::object();
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        if (pair.empty()) continue;
        const auto equals = std::min(pair.find('='), pair.size());
        const std::string name = word_of_query(pair.substr(0, equals));
        if (std::ranges::find(wish_names, name) == wish_names.end())
            return Error("the address asks for \"" + name +
                         "\"; it may ask for outputs, top, reject, cost and novelty");
        if (auto added = add_wish(made, name, word_of_query(pair.substr(std::min(equals + 1, pair.size())))); !added)
            return added.error();
    }
    return made;
}

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

}  // namespace suffice::server
