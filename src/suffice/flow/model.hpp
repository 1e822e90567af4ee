// A model as users hold it: a classifier, what it has seen, and what must be said about it. The public face of the
// library.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suffice/compare/penalty_path.hpp"
#include "suffice/model/component_shape.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/persist/model_file.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// Rows in memory, row-major unless strides say otherwise. NaN: missing.
DenseBlock rows(const double* values, std::size_t row_count, std::size_t column_count);
DenseBlock rows(const float* values, std::size_t row_count, std::size_t column_count);

struct FitOptions {
    std::string target = {};                // name of the label column in files
    std::string model = "naive_bayes";      // "auto": the one that compares best
    std::vector<std::string> columns = {};  // names of columns in memory; files name their own
    std::vector<FamilyChoice> families = {};
    std::vector<std::string> exclude = {};  // columns of files to leave out
    std::string weight = {};                // column of row weights in files
    std::optional<Estimate> estimate = {};
    double smoothing = 1;
    std::vector<ColumnPrior> column_priors = {};
    ClassPriors class_priors = ClassPriors::empirical;
    std::vector<GivenPrior> given_priors = {};
    std::vector<std::vector<std::string>> joint = {};
    Keep keep = Keep::automatic;
    std::vector<std::vector<std::string>> groups = {};
    double shrinkage = 0;                        // a number; automatic kinds below
    Shrinkage shrinkage_kind = Shrinkage::none;  // none with a shrinkage above 0: fixed
    double alpha = 1, gamma = 0;                 // of regularized_discriminant
    bool strict = false;
    TextOptions text = {};                                  // how text columns are cut into words
    double min_documents = 1;                               // words in fewer documents tell nothing; below 1: a share
    double max_documents = 1;                               // words in more documents tell nothing; up to 1: a share
    std::uint32_t max_words = 0;                            // the most frequent ones; 0: all
    bool normalize_weights = false;                         // of complement_nb
    PointsSettings points = {};                             // of kernel_density, kernel_nb, histogram_nb and nearest
    bool has_classes = true;                                // false: all rows are of one kind, and there is no target
    std::size_t components = 0;                             // per class of mixture_discriminant; 0: chosen by BIC
    ComponentShape component_shape = ComponentShape::full;  // of mixture_discriminant
    bool use_unlabeled = false;                             // rows without a class take part by EM
    double unlabeled_weight = 1;                            // how much each of them counts
    std::vector<std::string> basis = {};                    // of logistic_regression: "age=spline(5)", "age*income"
    double penalty = 0;         // of logistic_regression: on half the squared length of the coefficients
    double lasso = 0;           // of logistic_regression: on the sum of their magnitudes
    bool firth = false;         // of logistic_regression: Firth's penalty in place of the others
    bool evidence = false;      // of logistic_regression: the penalty of greatest evidence
    PenaltySearch search = {};  // of logistic_regression: the penalty chosen along a path by cross-validation
    Link link = Link::logit;    // of logistic_regression
    // Of logistic_regression: a column whose coefficient is one; of more than two classes one for each, in order.
    std::vector<std::string> offset = {};
    bool balanced = false;  // of logistic_regression: every class weighs the same in all
    std::vector<std::pair<std::string, double>> class_weights = {};  // of logistic_regression; one where not named
    bool idf = false;                                                // words weigh more the fewer documents have them
    bool unit_length = false;  // documents are scaled to length one, after idf; two passes, and no sum of rows
    DocumentLength document_length = DocumentLength::none;
    std::uint32_t ngram_order = 3;  // of columns of the family ngrams
    NgramSmoothing ngram_smoothing = NgramSmoothing::kneser_ney;
    ReadOptions read = {};

    Recipe recipe() const;
};

class Model {
public:
    static Result<Model> from(ModelFile file, std::vector<std::string> notes = {});

    const Predictor& predictor() const { return *predictor_; }  // calibrated where the model is
    const Calibration& calibration() const { return calibration_; }
    // Takes off the stage behind it, whose thresholds were chosen on other posteriors.
    Model with_calibration(Calibration calibration) const;
    const DecisionStage& decision() const { return decision_; }
    Result<Model> with_decision(DecisionStage decision) const;
    const Schema& schema() const { return predictor_->schema(); }
    std::shared_ptr<const Predictor> share() const { return predictor_; }
    // The same model with the table it was chosen from.
    Model with_comparison(std::vector<Compared> compared) const;
    // The model as one of its kinds, such as Classifier; null: it is another.
    template <class Kind>
    const Kind* as() const {
        return dynamic_cast<const Kind*>(plain_.get());
    }
    std::vector<std::string> columns() const;
    const std::vector<std::string>& classes() const { return schema().classes; }
    const Provenance& seen() const { return seen_; }
    const std::vector<std::string>& notes() const { return notes_; }
    const std::vector<ColumnChoice>& choices() const { return choices_; }
    ModelFile file() const;

    Result<Matrix> posteriors(const Block& x, const Context& context = {}) const {
        return predictor_->posteriors(x, context);
    }
    Result<std::vector<std::string>> predict(const Block& x, const Context& context = {}) const;

private:
    friend Result<Model> fit(const std::vector<std::string>& files, const FitOptions& options, const Context& context);
    std::shared_ptr<const Predictor> plain_, predictor_;  // never changed, so copies of a model share them
    Calibration calibration_;
    DecisionStage decision_;
    Provenance seen_;
    std::vector<std::string> notes_;
    std::vector<ColumnChoice> choices_;
};

// From files in constant memory, or from rows in memory with a class code or name for each row.
Result<Model> fit(const std::vector<std::string>& files, const FitOptions& options, const Context& context = {});
Result<Model> fit(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                  const Context& context = {});
Result<Model> fit(const Block& x, const std::vector<std::string>& labels, std::span<const double> weights,
                  const FitOptions& options, const Context& context = {});

// The model as a sum over its rows, which can be merged, taken apart and derived from; an Error names what it is
// instead.
Result<const Classifier*> as_sum(const Model& model);
Result<Model> merge(const Model& left, const Model& right);           // as if trained together
Result<Model> derive(const Model& model, const FitOptions& options);  // another model, no data needed
// Keeps only what predicting needs: smaller where statistics were kept by class, and no longer a sum of its rows.
Result<Model> strip(const Model& model);
Result<void> save(const Model& model, const std::string& path);
Result<Model> load(const std::string& path);

}  // namespace suffice
