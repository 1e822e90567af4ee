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
    // Where each class has a structure of its own: its name by class, and the parameters that all of them have. The
    // components then hold the covariances that came of it as if each were free.
    std::vector<std::string> structures = {};
    std::uint64_t parameters = 0;
    static constexpr auto fields = FieldTuple{
        field("components", &MixtureState::components), field("class_of", &MixtureState::class_of),
        field("schema", &MixtureState::schema),         field("log_likelihood", &MixtureState::log_likelihood),
        field("notes", &MixtureState::notes),           field("structures", &MixtureState::structures),
        field("parameters", &MixtureState::parameters)};
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
    std::size_t parameter_count() const override {
        return state_.structures.empty() ? components_.parameter_count() : state_.parameters;
    }
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

// One structure of covariances for the components of all classes, or for each class its own (MclustDA; Fraley, Raftery,
// "Model-based clustering, discriminant analysis, and density estimation", 2002).
enum class Structures : std::uint8_t { shared, per_class };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<Structures>{"shared", "per_class"};

struct MixtureDiscriminantSettings {
    std::size_t components = 0;       // per class; 0: by BIC, up to most_components
    std::size_t most_components = 5;  // of a choice by BIC
    ComponentShape shape = ComponentShape::any;
    Structures structures = Structures::shared;
    MixtureSettings steps = {.starts = 3};
    static constexpr auto fields = FieldTuple{
        setting("components", &MixtureDiscriminantSettings::components, "mixture components of each class; 0: by BIC"),
        setting("covariance", &MixtureDiscriminantSettings::shape, "of the components of mixtures; any: by BIC"),
        setting("structures", &MixtureDiscriminantSettings::structures,
                "of covariances: one for all classes, or each class the best of fourteen for its rows, as MclustDA")};
};

// Without a number of components each class has as many as BIC likes best for its rows; without a shape the one for all
// classes is that of the lowest BIC of rows and classes together, one component each (LDA, QDA) among the choices.
// With structures per class each class has the number and structure that BIC likes best for its rows alone.
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
