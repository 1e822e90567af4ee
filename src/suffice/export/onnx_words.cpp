// Texts as operators: from words, or texts of words with blanks between, to what they add.
#include <algorithm>
#include <utility>

#include "suffice/export/onnx_writer.hpp"

namespace suffice {

namespace {

// A run of words has blanks itself, and so do runs of letters: their texts come cut.
bool has_blanks(const ExportedModel& model) {
    return std::ranges::any_of(model.score.words, [&](const WordTerm& term) {
        const auto& levels = model.schema.columns[term.column].levels;
        return std::ranges::any_of(term.words, [&](std::uint32_t word) {
            return levels[word].find_first_of(" \t\n\v\f\r") != std::string::npos;
        });
    });
}

}  // namespace

OnnxWriter::OnnxWriter(const ExportedModel& model)
    : model_(model),
      width_(static_cast<std::int64_t>(model.score.width())),
      opset_(model.has_text() && !has_blanks(model) ? texts_divided : 17) {}

// The line of each word, or one behind the last where it has none: rows x words.
std::string OnnxWriter::place_of_words(const WordTerm& term) {
    std::string given = values_[term.column];
    if (opset_ >= texts_divided) given = graph_.node("Flatten", {graph_.divided(given)}, {OnnxGraph::whole("axis", 1)});
    const auto& levels = model_.schema.columns[term.column].levels;
    std::vector<std::string> words;
    std::vector<std::int64_t> lines;
    for (const auto word : term.words) {
        lines.push_back(static_cast<std::int64_t>(words.size()));
        words.push_back(levels[word]);
    }
    return graph_.node("LabelEncoder", {given},
                       {OnnxGraph::words("keys_strings", words), OnnxGraph::wholes("values_int64s", lines),
                        OnnxGraph::whole("default_int64", static_cast<std::int64_t>(words.size()))},
                       "ai.onnx.ml");
}

// What each word adds, by class: rows x words x classes. `before`: how often it stood before; empty: nobody asked.
std::string OnnxWriter::lines_of_words(const WordTerm& term, const std::string& place, const std::string& before) {
    std::vector<std::vector<double>> weight = term.weight;
    weight.emplace_back(static_cast<std::size_t>(width_), term.urn ? 1.0 : 0.0);
    const std::string line = graph_.node("Gather", {graph_.constant(weight), place});
    return term.urn ? graph_.node("Log", {sum_of(line, unsqueeze(graph_, before, 2))}) : line;
}

// n counts of w have the square n^2 w^2 = (1 + 3 + ... + (2 n - 1)) w^2.
std::string OnnxWriter::without_length(const WordTerm& term, const std::string& value, const std::string& place,
                                       const std::string& before, const std::string& counts) {
    std::vector<double> squares;
    for (const double each : term.norm) squares.push_back(each * each);
    squares.push_back(0);
    const auto lines = static_cast<std::int64_t>(squares.size());
    std::string each = product(graph_.node("Gather", {graph_.constant(squares, {lines}), place}), counts);
    if (!term.distinct) each = product(each, sum_of(product(before, graph_.constant(2)), graph_.constant(1)));
    const std::string square = sum(graph_, each, 1, true);
    const std::string any = graph_.node("Greater", {square, zero()});
    return ratio(value, graph_.node("Sqrt", {graph_.node("Where", {any, square, graph_.constant(1)})}));
}

// count: rows x 1.
void OnnxWriter::add_length(const WordTerm& term, const std::string& count) {
    if (!term.length_weight.empty()) add(product(count, graph_.constant({term.length_weight})));
    for (const RiseTerm& rise : term.length_rises)
        put_rises(count, {{}, {rise.base}, {rise.weight}}, rise.of_logarithm);
}

void OnnxWriter::add_words(const WordTerm& term) {
    const std::string place = place_of_words(term);
    const bool simple = !term.distinct && !term.urn;
    const bool by_length = !term.length_weight.empty() || !term.length_rises.empty();
    std::string before, counts;
    if (!simple || !term.norm.empty() || by_length) {
        const std::string lines = graph_.integers({static_cast<std::int64_t>(term.words.size())}, true);
        counts = as_number(graph_, graph_.node("Less", {place, lines}));
    }
    if (!simple || !term.norm.empty()) {
        const std::string same = graph_.node("Equal", {unsqueeze(graph_, place, 2), unsqueeze(graph_, place, 1)});
        const std::string earlier =
            graph_.node("Trilu", {as_whole(graph_, same), graph_.integers({-1}, true)}, {OnnxGraph::whole("upper", 0)});
        before = as_number(graph_, sum(graph_, earlier, 2));
    }
    if (term.distinct) counts = or_nothing(graph_.node("Greater", {before, zero()}), counts);
    std::string value = lines_of_words(term, place, before);
    if (!simple) value = product(value, unsqueeze(graph_, counts, 2));
    value = sum(graph_, value, 1);
    if (!term.norm.empty()) value = without_length(term, value, place, before, counts);
    const std::string others = std::exchange(joint_, sum_of(value, graph_.constant(term.start, {width_})));
    if (by_length) add_length(term, sum(graph_, counts, 1, true));
    const std::string there =
        graph_.node("LabelEncoder", {values_[term.column]},
                    {OnnxGraph::words("keys_strings", {""}), OnnxGraph::wholes("values_int64s", {0}),
                     OnnxGraph::whole("default_int64", 1)},
                    "ai.onnx.ml");
    const std::string missing = graph_.node("Equal", {sum(graph_, there, 1, true), graph_.integers({0}, true)});
    joint_ = or_nothing(missing, joint_);
    if (!others.empty()) joint_ = sum_of(others, joint_);
}

}  // namespace suffice
