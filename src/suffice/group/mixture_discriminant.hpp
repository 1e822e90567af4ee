// Classes that are mixtures: each has components of its own, and p(x | c) is their weighted sum. Fitted by EM with the
// labels narrowing which components a row may belong to. Hastie and Tibshirani (1996), "Discriminant analysis by
// Gaussian mixtures".
#pragma once
#include "suffice/group/gaussian_mixture.hpp"

namespace suffice {

struct MixtureState {
    ModelState components;                // its classes are the components
    std::vector<std::uint32_t> class_of;  // of each component, ascending
    Schema schema;                        // the classes by name
    double log_likelihood = 0;            // of rows and classes together
    std::vector<Note> notes = {};
    static constexpr auto fields =
        std::tuple{field("components", &MixtureState::components), field("class_of", &MixtureState::class_of),
                   field("schema", &MixtureState::schema), field("log_likelihood", &MixtureState::log_likelihood),
                   field("notes", &MixtureState::notes)};
    bool operator==(const MixtureState&) const = default;
    bool valid() const;
};

class MixtureDiscriminant final : public Predictor {
public:
    static Result<MixtureDiscriminant> from(MixtureState state);

    const MixtureState& state() const { return state_; }
    const Classifier& components() const { return components_; }
    bool operator==(const MixtureDiscriminant& other) const { return state_ == other.state_; }

    std::string_view name() const override { return "mixture_discriminant"; }
    const Schema& schema() const override { return state_.schema; }
    const std::vector<double>& log_prior() const override { return log_prior_; }
    const std::vector<double>& class_weight() const override { return class_weight_; }
    double log_likelihood() const override { return state_.log_likelihood; }
    std::size_t parameter_count() const override { return components_.parameter_count(); }
    const std::vector<Note>& notes() const override { return state_.notes; }
    std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const override;
    // Each component's contributions count by how probable it is within the class; the intercept takes the rest.
    Explanation contributions(const Block& rows, std::size_t row) const override;
    SampledRow sample(std::size_t class_code, Rng& rng) const override;
    Description describe() const override { return components_.describe(); }  // by component
    Result<ScoreExpression> express() const override;
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const override;

private:
    MixtureDiscriminant(MixtureState state, Classifier components);
    void set_priors();

    MixtureState state_;
    Classifier components_;
    std::vector<double> log_prior_, class_weight_;
};

struct MixtureDiscriminantSettings {
    std::size_t components = 0;       // per class; 0: by BIC, up to most_components
    std::size_t most_components = 5;  // of a choice by BIC
    ComponentShape shape = ComponentShape::any;
    MixtureSettings steps = {.starts = 3};
    static constexpr auto fields = std::tuple{
        setting("components", &MixtureDiscriminantSettings::components, "mixture components of each class; 0: by BIC"),
        setting("covariance", &MixtureDiscriminantSettings::shape, "of the components of mixtures; any: by BIC")};
};

// Without a number of components each class has as many as BIC likes best for its rows; without a shape the one for all
// classes is that of the lowest BIC of rows and classes together, one component each (LDA, QDA) among the choices.
// Degenerate components are chosen only where there is nothing else, and are noted.
// Every column of the schema is a number; rows without a label are not looked at.
Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     const Context& context = {});
// EM over other rows, from where this model stands.
Result<MixtureDiscriminant> update(const MixtureDiscriminant& model, Stream& stream, const Context& context = {});

// Rows without a label take part in EM too, each counting `unlabeled_weight` (Nigam, McCallum, Thrun, Mitchell 2000).
// `recipe` is blank; the model starts as fitted to the labelled rows.
Result<Classifier> fit_semi_supervised(const ModelState& recipe, Stream& stream, double unlabeled_weight,
                                       const MixtureSettings& settings, const Context& context = {});
Result<Classifier> update_semi_supervised(const Classifier& model, Stream& stream, const Context& context = {});

}  // namespace suffice
