// A generative classifier: class priors and a list of Parts. p(c | x) is proportional to
// p(c) times the product over Parts of p(x_part | c), taken in the log domain.
#pragma once
#include <optional>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/model/model_statistic.hpp"

namespace suffice {

struct ModelState {
    std::string model;  // canonical name of the recipe
    Settings settings;
    ModelStatistic statistic;
    static constexpr auto fields =
        std::tuple{field("model", &ModelState::model), field("settings", &ModelState::settings),
                   field("statistic", &ModelState::statistic)};
    bool operator==(const ModelState&) const = default;
    bool valid() const { return settings.check() && statistic.valid(); }
};

// What to write for each row. Pointers may be null; rows are `stride` apart.
struct ScoreSink {
    enum class Form : std::uint8_t { posterior, log_posterior, log_joint };
    Form form = Form::posterior;
    double* scores = nullptr;  // rows x classes
    std::ptrdiff_t stride = 0;
    double* log_evidence = nullptr;
    std::int32_t* best = nullptr;  // the most probable class
};

class Classifier {
public:
    static constexpr std::size_t tile_rows = 256;

    // A model is a function of its state. Estimating never changes the state.
    static Result<Classifier> from(ModelState state);

    const ModelState& state() const { return state_; }
    const Schema& schema() const { return state_.statistic.schema; }
    std::size_t class_count() const { return log_prior_.size(); }
    const std::vector<double>& log_prior() const { return log_prior_; }
    double log_likelihood() const { return log_likelihood_; }
    std::size_t parameter_count() const { return parameter_count_; }
    double weight() const { return state_.statistic.weight(); }
    double bic() const;
    double aic() const { return -2 * log_likelihood_ + 2 * static_cast<double>(parameter_count_); }
    const std::vector<std::string>& notes() const { return notes_; }
    const std::vector<std::uint32_t>& rank() const { return rank_; }
    bool operator==(const Classifier& other) const { return state_ == other.state_; }

    // The same densities under other class priors.
    Classifier with_priors(std::vector<double> log_prior) const;

    // `rows` in the order of the schema's columns. `first_row` counts for messages.
    Result<void> score(const Block& rows, const ScoreSink& sink, const Context& context,
                       std::uint64_t first_row = 0) const;
    Result<Matrix> posteriors(const Block& rows, const Context& context = {}) const;
    Result<std::vector<std::int32_t>> predict(const Block& rows, const Context& context = {}) const;

    // Visits tile after tile: visit(first row, tile of log joints). Nothing of size rows x classes is ever needed.
    template <class Visit>
    Result<void> for_each_tile(const Block& rows, Exactness exactness, Workspace& workspace, std::uint64_t first_row,
                               Visit&& visit) const {
        std::vector<double>& joint = workspace.of<JointScratch>().joint;
        joint.resize(tile_rows * class_count());
        for (std::size_t first = 0, end = row_count(rows); first < end; first += tile_rows) {
            const std::size_t count = std::min(tile_rows, end - first);
            const kernel::Tile tile{joint.data(), count, class_count(), tile_rows};
            const Block part = slice(rows, first, count);
            if (auto scored = score_tile(part, tile, exactness, workspace, first_row + first); !scored) return scored;
            visit(first, part, tile);
        }
        return {};
    }

    Explanation explain(const Block& rows, std::size_t row) const;
    SampledRow sample(std::size_t class_code, Rng& rng) const;
    // w and w0, or the quadrics; empty where the scores have no such form.
    std::optional<ScoreForm> form() const;
    Description describe() const;  // columns in the order of the schema

private:
    struct JointScratch {
        std::vector<double> joint;
    };
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const;
    Result<void> rescue(const Block& rows, kernel::Tile joint, std::uint64_t first_row) const;

    ModelState state_;
    std::vector<double> log_prior_;
    std::vector<std::shared_ptr<const Scorer>> scorers_;  // immutable, so copies of a model share them
    double log_likelihood_ = 0;
    std::size_t parameter_count_ = 0;
    std::vector<std::string> notes_;
    std::vector<std::uint32_t> rank_;
};

// Labels known: one pass. The state gains the rows of the stream.
Result<ModelState> feed(ModelState state, Stream& stream, const Context& context);
Result<Classifier> fit(const ModelState& recipe, Stream& stream, const Context& context = {});
Result<Classifier> merge(const Classifier& left, const Classifier& right);
// The model without those rows; `rows` is a model fitted to them.
Result<Classifier> subtract(const Classifier& model, const Classifier& rows);
Result<Classifier> decay(const Classifier& model, double factor);
// Another model from the same statistics; the data are not needed.
Result<Classifier> derive(const Classifier& model, std::string name, Settings settings);

}  // namespace suffice
