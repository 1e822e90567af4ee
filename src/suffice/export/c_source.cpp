// Prints a model as C99 without dependencies: no memory is asked for, loops have fixed bounds, and of the mathematical
// library only what the model needs is called.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "suffice/export/c_writer.hpp"

namespace suffice {
namespace {

std::string c_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 32 || byte > 126 || letter == '"' || letter == '\\' || letter == '?') {  // "??/" is a trigraph
            char code[8];
            std::snprintf(code, sizeof code, "\\%03o", byte);
            quoted += code;
        } else {
            quoted += letter;
        }
    }
    return quoted + '"';
}

// For a comment, which must not end early.
std::string c_comment(std::string_view text) {
    std::string safe;
    for (const char letter : text) safe += letter == '/' || letter == '\n' || letter == '?' ? ' ' : letter;
    return safe;
}

// Within the numbers that a float holds in full; zero, infinities and NaN as they are.
float narrowed(double value) {
    using Limits = std::numeric_limits<float>;
    const double size = std::abs(value);
    if (value == 0 || !std::isfinite(value)) return static_cast<float>(value);
    return static_cast<float>(std::copysign(std::clamp<double>(size, Limits::min(), Limits::max()), value));
}

}  // namespace

std::string c_number(double value, CNumber type) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value > 0 ? "HUGE_VAL" : "-HUGE_VAL";
    char text[64];
    if (type == CNumber::real_double) {
        std::string digits(text,  // without 0x
                           std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::hex).ptr);
        return (std::signbit(value) ? "-0x" : "0x") + digits;
    }
    std::string made(text, std::to_chars(text, text + sizeof text, narrowed(value)).ptr);
    if (made.find_first_of(".e") == std::string::npos) made += ".0";
    return made + "f";
}

// Components of a class add up.
void CWriter::components() {
    const auto& class_of = model_.score.class_of;
    if (class_of.empty()) {
        line("for (c = 0; c < CLASSES; ++c) score[c] = joint[c];");
        return;
    }
    line("{");
    line("static const int class_of[] = " + whole(class_of) + ";");
    line("real top[CLASSES];");
    line("for (k = 0; k < CLASSES; ++k) top[k] = -HUGE_VAL, score[k] = 0;");
    line("for (c = 0; c < WIDTH; ++c)");
    line("    if (joint[c] > top[class_of[c]]) top[class_of[c]] = joint[c];");
    line("for (c = 0; c < WIDTH; ++c)");
    line("    if (joint[c] > -HUGE_VAL) score[class_of[c]] += (real)exp((double)(joint[c] - top[class_of[c]]));");
    line("for (k = 0; k < CLASSES; ++k) score[k] = top[k] + (real)log((double)score[k]);");
    line("}");
}

void CWriter::softmax() {
    helpers_ +=
        "static void softmax(const real *score, double *posteriors) {\n"
        "    real top = score[0];\n"
        "    double sum = 0;\n"
        "    int c;\n"
        "    for (c = 1; c < CLASSES; ++c)\n"
        "        if (score[c] > top) top = score[c];\n"
        "    for (c = 0; c < CLASSES; ++c) sum += posteriors[c] = exp((double)(score[c] - top));\n"
        "    for (c = 0; c < CLASSES; ++c) posteriors[c] /= sum;\n"
        "}\n\n";
}

void CWriter::calibration() {
    if (model_.temperature != 1) line("for (c = 0; c < CLASSES; ++c) score[c] /= " + number(model_.temperature) + ";");
    line("softmax(score, posteriors);");
    if (!model_.sigmoids.empty()) {
        std::vector<std::vector<double>> curves;
        for (const SigmoidCurve& each : model_.sigmoids) curves.push_back({each.a, each.b, each.c});
        line("{");
        line("static const real curve[CLASSES][3] = " + table(curves) + ";");
        line("for (c = 0; c < CLASSES; ++c) {");
        line("    double rest = 0, own = posteriors[c] > DBL_MIN ? posteriors[c] : DBL_MIN, a;");
        line("    for (k = 0; k < CLASSES; ++k) rest += k == c ? 0 : posteriors[k];");
        line("    if (rest < DBL_MIN) rest = DBL_MIN;");
        line("    a = curve[c][0] * log(own) - curve[c][1] * log(rest) + curve[c][2];");
        line("    score[c] = (real)(a < 0 ? a - log1p(exp(a)) : -log1p(exp(-a)));");
        line("}");
        line("softmax(score, posteriors);");
        line("}");
    }
    if (model_.isotonic.empty()) return;
    line("{");
    line("double sum = 0;");
    for (std::size_t c = 0; c < model_.isotonic.size(); ++c) {
        const IsotonicCurve& curve = model_.isotonic[c];
        line("{");
        line("static const double x[] = " + doubles(curve.x) + ", y[] = " + doubles(curve.y) + ";");
        line("posteriors[" + std::to_string(c) + "] = along(x, y, " + std::to_string(curve.x.size()) + ", posteriors[" +
             std::to_string(c) + "]);");
        line("}");
    }
    line("for (c = 0; c < CLASSES; ++c) sum += posteriors[c];");
    line(
        "for (c = 0; c < CLASSES; ++c) posteriors[c] = posteriors[c] / sum > DBL_MIN ? posteriors[c] / sum : DBL_MIN;");
    line("}");
    helpers_ +=
        "static double along(const double *x, const double *y, int count, double at) {\n"
        "    int k = 0;\n"
        "    double value = y[0];\n"
        "    while (k < count && x[k] <= at) ++k;\n"
        "    if (k == count) value = y[count - 1];\n"
        "    else if (k > 0) value = y[k - 1] + (y[k] - y[k - 1]) * (at - x[k - 1]) / (x[k] - x[k - 1]);\n"
        "    return value > DBL_MIN ? value : DBL_MIN;\n"
        "}\n\n";
}

// Words in the order of their bytes, found by halving.
void CWriter::lookup(const std::string& name, const char* of, const std::vector<Words>& all) {
    const std::string function = prefix_ + "_" + name;
    after_ += "\nint " + function + "(int " + of + ", const char *word) {\n";
    if (all.empty()) {
        after_ += std::string("    (void)") + of + ";\n    (void)word;\n    return -1;\n}\n";
        return;
    }
    std::string cases;
    for (const auto& [key, words, codes] : all) {
        std::vector<std::uint32_t> order(words.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, [&](std::uint32_t at) { return words[at]; });
        std::string texts, sorted;
        for (const auto at : order) {
            texts += (texts.empty() ? "" : ", ") + c_text(words[at]);
            sorted += (sorted.empty() ? "" : ", ") + std::to_string(codes[at]);
        }
        const std::string place = std::to_string(key);
        after_ += "    static const char *const words_" + place + "[] = {" + texts + "};\n";
        after_ += "    static const int codes_" + place + "[] = {" + sorted + "};\n";
        cases += "        case " + place + ":\n            return find(words_" + place + ", codes_" + place + ", " +
                 std::to_string(order.size()) + ", word);\n";
    }
    after_ +=
        std::string("    switch (") + of + ") {\n" + cases + "        default:\n            return -1;\n    }\n}\n";
}

void CWriter::levels() {
    std::vector<Words> known, texts;
    const auto& columns = model_.schema.columns;
    for (std::uint32_t k = 0; k < columns.size(); ++k) {
        if (columns[k].kind != ColumnKind::category || columns[k].levels.empty()) continue;
        Words& all = known.emplace_back(k);
        for (const std::string& level : columns[k].levels) {
            all.codes.push_back(static_cast<std::uint32_t>(all.words.size()));
            all.words.push_back(level);
        }
    }
    for (const WordTerm& term : model_.score.words) {
        Words& all = texts.emplace_back(static_cast<std::uint32_t>(texts.size()));
        for (std::uint32_t k = 0; k < term.words.size(); ++k) {
            all.codes.push_back(term.column + k);
            all.words.push_back(columns[term.column + k].name);
        }
    }
    lookup("level", "column", known);
    if (!texts.empty()) lookup("word", "text", texts);
    if (!known.empty() || !texts.empty())
        helpers_ +=
            "static int find(const char *const *words, const int *codes, int count, const char *word) {\n"
            "    int first = 0, end = count;\n"
            "    while (first < end) {\n"
            "        const int middle = first + (end - first) / 2;\n"
            "        const int order = strcmp(words[middle], word);\n"
            "        if (order == 0) return codes[middle];\n"
            "        if (order < 0) first = middle + 1;\n"
            "        else end = middle;\n"
            "    }\n"
            "    return -1;\n"
            "}\n\n";
}

void CWriter::decision() {
    const DecisionRule& rule = model_.rule;
    after_ += "\nint " + prefix_ + "_decide(const double *posteriors) {\n    int c, best = 0;\n";
    after_ += "    for (c = 1; c < CLASSES; ++c)\n        if (posteriors[c] > posteriors[best]) best = c;\n";
    if (rule.reject_below > 0) after_ += "    if (posteriors[best] < " + c_number(rule.reject_below) + ") return -1;\n";
    if (rule.cost) {
        const std::size_t decisions = rule.cost->decision_count();
        std::vector<double> rows;
        for (std::size_t truth = 0; truth < rule.cost->class_count(); ++truth)
            for (std::size_t each = 0; each < decisions; ++each) rows.push_back(rule.cost->at(truth, each));
        const std::string count = std::to_string(decisions);
        after_ +=
            "    {\n        static const double cost[] = " + doubles(rows) + ";\n        double least = HUGE_VAL;\n";
        after_ += "        int decision;\n        for (decision = 0; decision < " + count + "; ++decision) {\n";
        after_ +=
            "            double sum = 0;\n            for (c = 0; c < CLASSES; ++c) sum += posteriors[c] * cost[c * " +
            count + " + decision];\n            if (sum < least) least = sum, best = decision;\n        }\n    }\n";
        after_ += "    return best < CLASSES ? best : -1;\n}\n";
        return;
    }
    if (!rule.thresholds.empty()) {
        std::vector<double> limits;
        for (const auto& each : rule.thresholds) limits.push_back(each.value_or(-1));
        after_ += "    {\n        static const double limit[] = " + doubles(limits) +
                  "; /* below 0: none */\n"
                  "        int reached = -1, other = -1;\n        double furthest = 0, largest = -1;\n"
                  "        for (c = 0; c < CLASSES; ++c) {\n"
                  "            if (limit[c] < 0) {\n"
                  "                if (posteriors[c] > largest) largest = posteriors[c], other = c;\n"
                  "            } else if (posteriors[c] >= limit[c]) {\n"
                  "                const double share = posteriors[c] / (limit[c] > 1e-300 ? limit[c] : 1e-300);\n"
                  "                if (reached < 0 || share > furthest) furthest = share, reached = c;\n"
                  "            }\n        }\n        return reached >= 0 ? reached : other;\n    }\n}\n";
        return;
    }
    after_ += "    return best;\n}\n";
}

std::string CWriter::header() const {
    const std::string guard = prefix_ + "_h", extern_names = "extern const char *const " + prefix_;
    std::string text = "/* " + c_comment(model_.origin) + ". */\n#ifndef " + guard + "\n#define " + guard +
                       "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nenum { " + prefix_ +
                       "_class_count = " + std::to_string(model_.class_count()) + ", " + prefix_ +
                       "_column_count = " + std::to_string(model_.schema.columns.size()) + " };\n" + extern_names +
                       "_classes[];\n" + extern_names + "_columns[];\n\n/* Columns in the order of " + prefix_ +
                       "_columns; NAN is missing, a category is the code of its level,\n   -1 for a level never seen. "
                       "*/\nvoid " +
                       prefix_ + "_posteriors(const double *values, double *posteriors);\n" +
                       "/* The code of a category's word; -1: unknown. */\nint " + prefix_ +
                       "_level(int column, const char *word);\n";
    if (!model_.score.words.empty())
        text +=
            "/* Texts are counts of words: where among the columns a word of text 0, 1, ... is counted; -1: it tells\n"
            "   nothing. NAN as the count of a text's first word: the text is missing. */\nint " +
            prefix_ + "_word(int text, const char *word);\n";
    return text + "/* The class decided for; -1: none. */\nint " + prefix_ +
           "_decide(const double *posteriors);\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

Result<CSource> CWriter::write(const std::string& header_name) {
    const ScoreExpression& score = model_.score;
    terms();
    components();
    if (!score.tables.empty())
        helpers_ +=
            "/* of a category: its level, or one past them for a level never seen, two for a missing one */\n"
            "static int code(double x, int levels) {\n"
            "    if (x != x) return levels + 1;\n"
            "    return x >= 0 && x < levels ? (int)x : levels;\n"
            "}\n\n";
    softmax();
    calibration();
    levels();
    decision();

    CSource made{header(), {}};
    std::string names, columns;
    for (const auto& each : model_.schema.classes) names += (names.empty() ? "" : ", ") + c_text(each);
    for (const auto& each : model_.schema.columns) columns += (columns.empty() ? "" : ", ") + c_text(each.name);
    made.source =
        "/* " + c_comment(model_.origin) + ". */\n#include \"" + header_name +
        "\"\n\n#include <float.h>\n#include <math.h>\n#include <string.h>\n\ntypedef " +
        (number_ == CNumber::real_float ? "float" : "double") +
        " real;\nenum { CLASSES = " + std::to_string(model_.class_count()) + ", WIDTH = " + std::to_string(width_) +
        " };\n\nconst char *const " + prefix_ + "_classes[] = {" + names + "};\nconst char *const " + prefix_ +
        "_columns[] = {" + columns + "};\n\n" + helpers_ + "void " + prefix_ +
        "_posteriors(const double *values, double *posteriors) {\n    real joint[WIDTH] = " + numbers(score.constant) +
        ";\n    real score[CLASSES];\n    int c, k = 0;\n    (void)values, (void)k;\n" + body_ + "}\n" + after_;
    if (beyond_float_)
        return Error(ErrorKind::usage, "the model has numbers beyond the range of float; export it with doubles");
    return made;
}

Result<CSource> c_source(const ExportedModel& model, const std::string& prefix, const std::string& header_name,
                         CNumber number) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (prefix.empty() || !letter(prefix[0]) ||
        !std::ranges::all_of(prefix, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); }))
        return Error(ErrorKind::usage, "a prefix is a name in C, not \"" + prefix + "\"");
    if (model.has_text()) return CWriter(with_counted_words(model), prefix, number).write(header_name);
    return CWriter(model, prefix, number).write(header_name);
}

}  // namespace suffice
