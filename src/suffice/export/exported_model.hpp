// A model on its way out: the formula of its scores, and the stages behind them, for C, SQL and ONNX to print.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/decide/decision.hpp"
#include "suffice/decide/isotonic.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/score/expression.hpp"

namespace suffice {

struct ExportOptions {
    std::optional<ClassPriors> priors = {};  // instead of the model's
    DecisionRule rule = {};                  // thresholds: those saved with the model where there are none
};

// Of one class against the rest: p' is proportional to the sigmoid of a log p - b log(1 - p) + c.
struct SigmoidCurve {
    double a = 1, b = 1, c = 0;
};

struct ExportedModel {
    Schema schema;
    ScoreExpression score;
    // At most one of these calibrations.
    double temperature = 1;               // posteriors to the power 1/T
    std::vector<SigmoidCurve> sigmoids;   // by class
    std::vector<IsotonicCurve> isotonic;  // by class
    DecisionRule rule;                    // without novelty
    std::string origin;                   // what it is, for a comment
    Provenance seen;

    std::size_t class_count() const { return schema.classes.size(); }
    // The places in the list of its columns of those whose words must be cut before they are scored.
    bool has_text() const { return !score.words.empty(); }
    bool looks_at_rows() const {
        return !(score.curves.empty() && score.bells.empty() && score.rises.empty() && score.tables.empty() &&
                 score.pieces.empty() && score.gaussians.empty() && score.words.empty());
    }
};

// Terms of one shape side by side, each a row of numbers by class.
struct LineTable {
    std::vector<std::uint32_t> columns;
    std::vector<std::vector<double>> weight, constant;
};
bool is_line(const CurveTerm& term);  // of the value as it is
// Whether one of its functions is of this kind: where that has no value, the term tells nothing.
bool has_kind(const CurveTerm& term, ColumnFunction::Kind kind);
LineTable lines_of(const ScoreExpression& score);
struct BellTable {
    std::vector<std::uint32_t> columns;
    std::vector<std::vector<double>> mean, scale, peak, power;  // power 1/2 where the bell is Gaussian
};
// Terms of one column each, side by side, and those of sums of columns.
struct RiseTable {
    std::vector<std::uint32_t> columns;
    std::vector<std::vector<double>> base, weight;
};
RiseTable rises_of(const ScoreExpression& score, bool of_logarithm);
std::vector<RiseTerm> summed_rises(const ScoreExpression& score);
// log Gamma(a + u) / Gamma(a) = (w - 1/2) log(1 + u/w) + u (log(w + u) - 1) + S(w + u) - S(w) - the logarithm of
// (1 + u/a) (1 + u/(a + 1)) ... (1 + u/(w - 1)) with w = a + rise_steps, where Stirling's series S(w) = s0/w + s1/w^3 +
// s2/w^5 ... is short. Nothing large cancels, and a logarithm is all it needs.
inline constexpr int rise_steps = 8;
inline constexpr std::array<double, 7> stirling{1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                                1.0 / 1188, -691.0 / 360360, 1.0 / 156};
double stirling_series(double w);
BellTable bells_of(const ScoreExpression& score, bool of_logarithm, bool student);

Result<ExportedModel> exported(const Model& model, const ExportOptions& options = {});

// Each text column becomes a column for each of its words that has a line, which counts it: for programs that cut texts
// themselves. A WordTerm's column is then that of its first word.
ExportedModel with_counted_words(ExportedModel model);

// A C99 source and its header; functions and constants begin with the prefix.
struct CSource {
    std::string header, source;
};
enum class CNumber : std::uint8_t { real_double, real_float };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<CNumber>{"double", "float"};
// `header_name`: what the source includes.
Result<CSource> c_source(const ExportedModel& model, const std::string& prefix, const std::string& header_name,
                         CNumber number = CNumber::real_double);

enum class SqlDialect : std::uint8_t { duckdb, sqlite, postgresql };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<SqlDialect>{"duckdb", "sqlite", "postgresql"};
// One SELECT: every column of the table, then prediction and p(CLASS).
Result<std::string> sql_query(const ExportedModel& model, SqlDialect dialect, const std::string& table = "data");

// The bytes of an ONNX file: one input for each column, outputs label and probabilities.
Result<std::string> onnx_model(const ExportedModel& model);

}  // namespace suffice
