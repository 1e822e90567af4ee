// A model that answers with posteriors p(c | x), however it came to them: all that predicting, evaluating, explaining
// and drawing need to know of it. Generative classifiers, mixtures of them and logistic regression are its kinds.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/data/check_rows.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/math/information_criteria.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

// What to write for each row. Pointers may be null; rows are `stride` apart.
struct ScoreSink {
    enum class Form : std::uint8_t { posterior, log_posterior, log_joint };
    Form form = Form::posterior;
    double* scores = nullptr;  // rows x classes
    std::ptrdiff_t stride = 0;
    double* log_evidence = nullptr;
    std::int32_t* best = nullptr;  // the most probable class
    bool* odd = nullptr;           // set where a row has a hole or a number too large for the quick way
    bool plain = false;            // log joints leave out what all classes share
};

// Whether a thread met a row that had to be scored slowly.
struct RescuedRows {
    bool any = false;
};

class Predictor {
public:
    static constexpr std::size_t tile_rows = 256;
    // Between the lines of a tile's classes: no power of two, or all of them would share a set of the cache.
    static constexpr std::size_t tile_stride = tile_rows + 8;

    virtual ~Predictor() = default;
    virtual std::string_view name() const = 0;  // canonical, of the model
    virtual const Schema& schema() const = 0;
    virtual const std::vector<double>& log_prior() const = 0;     // by class
    virtual const std::vector<double>& class_weight() const = 0;  // of the rows it was fitted to
    virtual double log_likelihood() const = 0;                    // of those rows
    virtual std::size_t parameter_count() const = 0;
    virtual const std::vector<Note>& notes() const = 0;
    // The same model under other class priors.
    virtual std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const = 0;
    // How to draw a row of a class.
    virtual SampledRow sample(std::size_t class_code, Rng& rng) const = 0;  // only where check_density() is good
    // log p(x) and samples exist; an Error says why not.
    virtual Result<void> check_density() const { return {}; }
    // w and w0, or the quadrics, in the columns; empty where the scores have no such form.
    virtual std::optional<ScoreForm> form() const { return std::nullopt; }
    virtual Description describe() const { return {}; }  // columns in the order of the schema
    // The log joint as a formula that other programs compute; an Error says why there is none.
    virtual Result<ScoreExpression> express() const = 0;
    // The log joint of a few rows. `first_row` counts for messages.
    virtual Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                                    std::uint64_t first_row) const = 0;

    std::size_t class_count() const { return schema().classes.size(); }
    double weight() const;
    double aic() const { return akaike_criterion(log_likelihood(), static_cast<double>(parameter_count())); }
    double bic() const;

    // `rows` in the order of the schema's columns.
    Result<void> score(const Block& rows, const ScoreSink& sink, const Context& context,
                       std::uint64_t first_row = 0) const;
    Result<Matrix> posteriors(const Block& rows, const Context& context = {}) const;
    Result<std::vector<std::int32_t>> predict(const Block& rows, const Context& context = {}) const;
    // What each column adds to each class's log joint, of a row that can be scored.
    Result<Explanation> explain(const Block& rows, std::size_t row, std::uint64_t first_row = 0) const;
    virtual Explanation contributions(const Block& rows, std::size_t row) const = 0;  // of rows that were checked

    // Visits tile after tile: visit(first row, rows, tile of log joints). Nothing of size rows x classes is ever
    // needed.
    template <class Visit>
    Result<void> for_each_tile(const Block& rows, Exactness exactness, Workspace& workspace, std::uint64_t first_row,
                               Visit&& visit) const {
        if (auto good = check_rows(schema(), rows); !good) return good;
        std::vector<double>& joint = workspace.of<JointScratch>().joint;
        const std::size_t classes = class_count();
        joint.resize(tile_stride * classes);
        for (std::size_t first = 0, end = row_count(rows); first < end; first += tile_rows) {
            const std::size_t count = std::min(tile_rows, end - first);
            const kernel::Tile tile{joint.data(), count, classes, tile_stride};
            const Block part = slice(rows, first, count);
            if (auto scored = score_tile(part, tile, exactness, workspace, first_row + first); !scored) return scored;
            visit(first, part, tile);
        }
        return {};
    }

protected:
    Predictor() = default;
    Predictor(const Predictor&) = default;
    Predictor(Predictor&&) = default;
    Predictor& operator=(const Predictor&) = default;
    Predictor& operator=(Predictor&&) = default;

private:
    struct JointScratch {
        std::vector<double> joint;
    };
};

}  // namespace suffice
