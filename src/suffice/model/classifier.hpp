// A generative classifier: class priors and a list of Parts. p(c | x) is proportional to
// p(c) times the product over Parts of p(x_part | c), taken in the log domain.
#pragma once
#include "suffice/data/stream.hpp"
#include "suffice/model/model_statistic.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

struct ModelState {
    std::string model;  // canonical name of the recipe
    Settings settings;
    ModelStatistic statistic;
    // Why it is no sum of its rows, so that it cannot be merged: it took repeated passes, or was stripped. Empty: it
    // is one.
    std::string passes = {};
    static constexpr auto fields =
        std::tuple{field("model", &ModelState::model), field("settings", &ModelState::settings),
                   field("statistic", &ModelState::statistic), field("passes", &ModelState::passes)};
    bool operator==(const ModelState&) const = default;
    bool valid() const { return settings.check() && statistic.valid(); }
};

// What ModelState::passes says of a model that kept only what predicting needs.
inline constexpr std::string_view stripped = "the model was stripped to what predicting needs";

// Good where the model can be merged, taken apart and derived from; an Error says why not.
Result<void> check_is_sum(const ModelState& state);

class Classifier final : public Predictor {
public:
    // A model is a function of its state. Estimating never changes the state.
    static Result<Classifier> from(ModelState state);

    const ModelState& state() const { return state_; }
    std::string_view name() const override { return state_.model; }
    const Schema& schema() const override { return state_.statistic.schema; }
    const std::vector<double>& log_prior() const override { return log_prior_; }
    const std::vector<double>& class_weight() const override { return state_.statistic.class_weight; }
    double log_likelihood() const override { return log_likelihood_; }
    std::size_t parameter_count() const override { return parameter_count_; }
    const std::vector<std::string>& notes() const override { return notes_; }
    const std::vector<std::uint32_t>& rank() const { return rank_; }
    bool operator==(const Classifier& other) const { return state_ == other.state_; }

    Classifier with_priors(std::vector<double> log_prior) const;
    std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const override;
    Explanation explain(const Block& rows, std::size_t row) const override;
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
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const override;

private:
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
