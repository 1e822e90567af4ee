// Parameters made ready to score. Every kind of Part ends in one of these; a model adds them up.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suffice/base/random.hpp"
#include "suffice/base/record.hpp"
#include "suffice/base/result.hpp"
#include "suffice/base/workspace.hpp"
#include "suffice/data/block.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

struct ScoreExpression;

// What each column (and in text each token) of one row adds to each class's log joint. Contributions
// and intercept sum to it exactly; the intercept takes what belongs to no single column.
struct Explanation {
    static constexpr std::uint32_t no_level = ~std::uint32_t{0};
    struct Term {
        std::uint32_t column = 0, level = no_level;
        std::vector<double> by_class;
    };
    std::vector<double> intercept;
    std::vector<Term> terms;
};

struct SampledRow {
    std::vector<double> values;                      // one per column of the schema
    std::vector<std::vector<std::uint32_t>> tokens;  // per column: the words of text, in the order drawn
};

// A term that is the same for all classes cancels in posteriors and may be left out there.
enum class Exactness : std::uint8_t { density, posterior };

// A straight line or a quadric in the columns: score_c(x) = x' quadratic_c x + linear_c . x + constant_c.
struct ScoreForm {
    std::vector<double> constant;                // by class
    std::vector<std::vector<double>> linear;     // by class, one per column of the schema
    std::vector<std::vector<double>> quadratic;  // by class: columns x columns, or the squares alone; empty: none
};

// The parameters behind the scores, by the names they have in the family: for people, never for computing.
struct Description {
    struct OfColumn {
        std::uint32_t column = 0;
        std::string family = {};
        std::vector<Record> by_class = {};
    };
    struct Covariance {
        std::vector<std::uint32_t> columns, classes;  // of the schema; the classes share it
        std::vector<double> values;                   // columns x columns
    };
    std::vector<OfColumn> columns;
    std::vector<Covariance> covariances;
};

// Immutable and without state of its own: threads share one.
class Scorer {
public:
    virtual ~Scorer() = default;
    // Adds log p(these columns | class) to every entry of the joint tile. Fast; a row with a missing or an enormous
    // value may come out as NaN or infinite, and is then taken by add_row.
    virtual void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const = 0;
    // One row, exactly: missing columns integrated out, no overflow (a squared distance may be 1e600). A value that no
    // row of the model can have is an Error with its column's place.
    virtual Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const = 0;
    virtual void explain(const Block& block, std::size_t row, Explanation& into) const = 0;
    virtual void sample(std::size_t class_code, Rng& rng, SampledRow& into) const = 0;
    // Adds this Part's coefficients; false: its scores are of no such form.
    virtual bool write_form(ScoreForm&) const { return false; }
    virtual void describe(Description&) const {}
    // Adds this Part's terms; an Error says why other programs cannot compute them.
    virtual Result<void> express(ScoreExpression&) const {
        return Error(ErrorKind::usage, "its scores are no formula that other programs compute");
    }
    // Text as a language model sees it. Adds log p(words in their order | class) of a row to every class and returns
    // how many words (and ends) that were; 0: no text, or scores without probabilities.
    virtual double add_sequence(const Block&, std::size_t, std::span<double>) const { return 0; }
    // p(word | history, class) of every word of a text column's vocabulary; false: as above, or another column.
    virtual bool next_words(std::uint32_t, std::span<const std::uint32_t>, std::size_t, std::vector<double>&) const {
        return false;
    }
};

// What estimating one Part gives beside its scorers: the terms of BIC, and what must be said once.
struct Estimated {
    std::vector<std::unique_ptr<Scorer>> scorers;
    double log_likelihood = 0;  // of the rows in the statistic; log evidence under predictive
    std::size_t parameter_count = 0;
    std::vector<Note> notes;
    std::vector<std::uint32_t> rank = {};  // of each covariance matrix, where they are full
};

// The value of one entry is infinite: says which, for Classifier to put names to.
inline Error infinite_value(std::uint32_t column) {
    return Error(ErrorKind::input, "infinity is not a value").in_place(column);
}

}  // namespace suffice
