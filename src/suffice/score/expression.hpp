// What a model computes, as a sum of a few kinds of terms that other programs can compute too. Scorers write it, export
// prints it as C, SQL and ONNX.
//
// Every term adds a number to the log joint of each class (of a mixture: of each component). What is the same for all
// of them cancels in the posterior and is left out.
#pragma once
#include <cstdint>
#include <vector>

namespace suffice {

// A function of one value, t = (x - shift) / scale.
struct ColumnFunction {
    enum class Kind : std::uint8_t {
        one,
        value,           // t
        logarithm,       // log x
        log_complement,  // log(1 - x)
        power,           // t^degree
        radial,          // exp(-t^2 / 2)
        sigmoid,         // 1 / (1 + exp(-t))
        sine,            // of 2 pi degree t
        cosine,
        product,  // x times the value of another column
    };
    Kind kind = Kind::value;
    double shift = 0, scale = 1;
    std::uint32_t degree = 1;
    std::uint32_t other = 0;  // column
};

// The weighted sum of functions of a column; nothing where the value is missing, or nothing at all known of the row
// where it is `needed`.
struct CurveTerm {
    std::uint32_t column = 0;
    std::vector<ColumnFunction> functions = {};
    std::vector<std::vector<double>> weight = {};  // by function, by class
    bool needed = false;
};

// peak - 1/2 ((u - mean) * scale)^2, or peak - power * log(1 + ((u - mean) * scale)^2) where there is a power; u = x or
// log x. Nothing where the value is missing.
struct BellTerm {
    std::uint32_t column = 0;
    bool of_logarithm = false;
    std::vector<double> mean = {}, scale = {}, peak = {};  // by class
    std::vector<double> power = {};                        // likewise; empty: Gaussian
};

// weight log Gamma(base + u) / Gamma(base), or weight log(1 + u / base); u is the sum of the columns, which are not
// negative. A missing one adds nothing to it.
struct RiseTerm {
    std::vector<std::uint32_t> columns = {};
    bool of_logarithm = false;
    std::vector<double> base = {}, weight = {};  // by class
};

// One line for each combination of the columns' codes, the last column's running fastest. Codes of a column with L
// levels: 0 to L - 1, L for a level never seen, L + 1 for a missing one.
struct TableTerm {
    std::vector<std::uint32_t> columns = {};
    std::vector<std::uint32_t> level_count = {};
    std::vector<std::vector<double>> lines = {};  // by class; NaN: nothing is known of the row
};

// A polynomial between edges: piece i holds from edge i - 1 (included) to edge i, the first below all, the last above.
struct PieceTerm {
    struct Piece {
        double origin = 0;
        std::vector<std::vector<double>> coefficient = {};  // by power of (x - origin), by class
    };
    std::uint32_t column = 0;
    std::vector<double> edges = {};
    std::vector<Piece> pieces = {};
    bool needed = false;
};

// Columns that are jointly Gaussian, or Student's t, given the class. Missing ones are integrated out: what remains of
// the precision P when column j goes is P - P_j P_j' / P_jj, and log|P| falls by log P_jj.
struct GaussianTerm {
    std::vector<std::uint32_t> columns = {};
    std::vector<double> centre = {};                   // where the numbers are small
    std::vector<std::vector<double>> mean = {};        // by class, from the centre
    std::vector<std::uint32_t> group = {};             // of each class; a group shares its precision
    std::vector<std::vector<double>> precision = {};   // by group, d x d
    std::vector<std::vector<double>> whitener = {};    // by group: inverse of the lower Cholesky factor, d x d
    std::vector<double> half_log_determinant = {};     // by group, of the precision
    std::vector<std::vector<double>> peak = {};        // by number of columns there, by class
    std::vector<double> power_base = {}, spread = {};  // by class, of Student's t: its degrees; degrees times stretch
    bool student() const { return !power_base.empty(); }
};

// Words of a text that was cut already: each adds its line, as often as it counts. A missing text adds nothing at all.
struct WordTerm {
    std::uint32_t column = 0;
    bool distinct = false;  // a word counts once, however often it occurs
    bool urn = false;       // one that counts n times adds log Gamma(line + n) / Gamma(line) in the place of n lines
    std::vector<std::uint32_t> words = {};         // codes of the vocabulary that have a line
    std::vector<std::vector<double>> weight = {};  // by word of `words`, by class
    std::vector<double> start = {};                // by class: of a text without words
    std::vector<double> norm = {};            // by word: the sum of lines is divided by the length of the counts times
                                              // these; empty: it stays as it is
    std::vector<double> length_weight = {};   // by class, times the number of words that count; empty: nothing
    std::vector<RiseTerm> length_rises = {};  // likewise, of that number; they have no columns
};

struct ScoreExpression {
    std::vector<double> constant = {};  // by class
    std::vector<CurveTerm> curves = {};
    std::vector<BellTerm> bells = {};
    std::vector<RiseTerm> rises = {};
    std::vector<TableTerm> tables = {};
    std::vector<PieceTerm> pieces = {};
    std::vector<GaussianTerm> gaussians = {};
    std::vector<WordTerm> words = {};
    std::vector<std::uint32_t> class_of = {};  // of each component, ascending; empty: classes have none

    std::size_t width() const { return constant.size(); }
};

}  // namespace suffice
