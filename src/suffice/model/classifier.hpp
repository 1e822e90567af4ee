// A generative classifier: class priors and a list of Parts. p(c | x) is proportional to
// p(c) times the product over Parts of p(x_part | c), taken in the log domain.
#pragma once
#include <limits>

#include "suffice/data/stream.hpp"
#include "suffice/model/model_statistic.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

// Over its rows. A state of one pass is the sum of its rows; the others say why they are none and cannot be merged.
enum class Passes : std::uint8_t {
    one,
    weighed_documents,   // scaled to length one
    missing_patterns,    // too many to be kept, so EM read the rows again
    unsettled_patterns,  // and stopped before it had settled
    mixture,
    unlabeled_rows,
};
template <>
inline constexpr std::array<std::string_view, 6> enum_names<Passes>{
    "one", "weighed_documents", "missing_patterns", "unsettled_patterns", "mixture", "unlabeled_rows"};
std::string passes_text(Passes passes);  // "a mixture takes repeated passes over its rows"

struct ModelState {
    std::string model;  // canonical name of the recipe
    Settings settings;
    ModelStatistic statistic;
    Passes passes = Passes::one;
    bool stripped = false;  // to what predicting needs
    static constexpr auto fields =
        FieldTuple{field("model", &ModelState::model), field("settings", &ModelState::settings),
                   field("statistic", &ModelState::statistic), field("passes", &ModelState::passes),
                   field("stripped", &ModelState::stripped)};
    bool operator==(const ModelState&) const = default;
    bool is_sum() const { return passes == Passes::one && !stripped; }
    bool valid() const { return settings.check() && statistic.valid(); }
};

class Classifier final : public Predictor {
public:
    // A model is a function of its state. Estimating never changes the state.
    static Result<Classifier> from(ModelState state);
    // From parameters that somebody states, made ready to score; its state knows names and settings alone.
    static Classifier stated(ModelState names, std::vector<double> log_prior,
                             std::vector<std::shared_ptr<const Scorer>> scorers);

    const ModelState& state() const { return state_; }
    std::string_view name() const override { return state_.model; }
    const Schema& schema() const override { return state_.statistic.schema; }
    const std::vector<double>& log_prior() const override { return log_prior_; }
    const std::vector<double>& class_weight() const override { return state_.statistic.class_weight; }
    double log_likelihood() const override { return log_likelihood_; }
    std::size_t parameter_count() const override { return parameter_count_; }
    const std::vector<Note>& notes() const override { return notes_; }
    const std::vector<std::uint32_t>& rank() const { return rank_; }
    const std::vector<std::shared_ptr<const Scorer>>& scorers() const { return scorers_; }
    bool operator==(const Classifier& other) const { return state_ == other.state_; }

    Classifier with_priors(std::vector<double> log_prior) const;
    std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const override;
    Explanation contributions(const Block& rows, std::size_t row) const override;
    SampledRow sample(std::size_t class_code, Rng& rng) const override;
    Result<void> check_density() const override;
    std::optional<ScoreForm> form() const override;
    // The form of those Parts that have one, and the parameters of the others.
    struct PartialForm {
        ScoreForm form;
        Description rest;
        bool told = true;  // false: some of the others have no parameters to tell
    };
    PartialForm partial_form() const;
    Description describe() const override;
    Result<ScoreExpression> express() const override;
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const override;

private:
    bool impossible(std::size_t c) const { return log_prior_[c] == -std::numeric_limits<double>::infinity(); }
    Result<void> rescue(const Block& rows, kernel::Tile joint, std::uint64_t first_row) const;

    ModelState state_;
    std::vector<double> log_prior_;
    std::vector<std::shared_ptr<const Scorer>> scorers_;  // immutable, so copies of a model share them
    double log_likelihood_ = 0;
    std::size_t parameter_count_ = 0;
    std::vector<Note> notes_;
    std::vector<std::uint32_t> rank_;
};

// Labels known: one pass. The state gains the rows of the stream.
Result<ModelState> feed(ModelState state, Stream& stream, const Context& context);
// The sums of the stream's blocks, each by itself; of a stream without blocks, one.
Result<BlockTree<ModelStatistic>> feed_blocks(const ModelState& recipe, Stream& stream, const Context& context);
Result<Classifier> fit(const ModelState& recipe, Stream& stream, const Context& context = {});

}  // namespace suffice
