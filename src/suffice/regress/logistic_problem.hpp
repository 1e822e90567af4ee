// The loss of softmax regression on the rows of a stream, as the searches for its minimum see it: centre, scale and
// rank of the features, places to start from, and value, gradient and curvature at a point.
#pragma once
#include <optional>

#include "suffice/regress/class_contrasts.hpp"
#include "suffice/regress/logistic.hpp"
#include "suffice/regress/logistic_curvature.hpp"
#include "suffice/regress/two_class_pass.hpp"

namespace suffice {

// phi: contrast by contrast, features first, bias last.
struct LogisticPoint {
    std::vector<double> phi, gradient;
    double value = 0;  // of the loss and the squared part of the penalty
    double loss = 0;
    LogisticSums sums;  // with the curvature, where it was asked for
};

class LogisticProblem {
public:
    static constexpr std::size_t most_squared = 2000;  // features whose scatter is kept

    LogisticProblem(const Schema& schema, const Features& features, Stream& stream, const LogisticSettings& settings,
                    const Context& context);
    // The same problem on some of the rows, as they lie in `stream`: centre, space and scatter stay.
    LogisticProblem(const LogisticProblem& whole, const Schema& schema, const Features& features, Stream& stream,
                    const LogisticSettings& settings, double share);

    std::size_t class_count() const { return contrasts.class_count(); }
    std::size_t parameter_count() const { return contrasts.count() * width; }
    double total() const { return total_; }  // weight of all rows
    // A pass costs more than the work in it: parts are asked, or a stream is read again.
    bool costly_passes() const { return stream_.rounds() != nullptr || stream_.blocks().rows != 0; }
    const std::vector<double>& class_weight() const { return class_weight_; }
    const std::vector<double>& scatter() const { return scatter_; }  // of the features about the centre
    double null_loss() const;                                        // with intercepts alone

    // The first pass: refuses rows that cannot be regressed on, finds weights, centre, scatter and rank.
    Result<void> look_at_rows();
    std::vector<double> discriminant_start() const;
    std::vector<double> null_start() const;
    std::vector<double> given_start(const LogisticParameter& start) const;

    Result<LogisticPoint> evaluate(std::vector<double> phi, bool with_curvature);
    // In logistic_two_classes.cpp: the sums of a probit.
    Result<LogisticSums> gather_probit(std::span<const double> phi, Information information);
    // In logistic_scores.cpp: what Firth's penalty adds to value and gradient, and the squares of the rows' scores.
    Result<void> add_firth(LogisticPoint& at);
    Result<std::vector<double>> gather_scores(std::span<const double> phi);
    // Of coefficients that the data leave undetermined those that are told; and a linear function of them as one of
    // any.
    void determine(std::span<double> coefficient) const;
    void determine_function(std::span<double> weight) const;
    // The gathered curvature with the penalty's; without one, directions that the data leave undetermined are pinned.
    std::vector<double> hessian(const LogisticPoint& at) const;
    void add_penalty(double* block, std::size_t stride) const;
    double ridge_of(std::size_t j) const { return j == feature_count ? bias_ridge : ridge * unit[j] * unit[j]; }
    double lasso_of(std::size_t j) const { return j == feature_count ? bias_lasso : lasso * unit[j]; }
    // What the largest entry of a gradient by class is.
    double largest(std::span<const double> gradient) const;
    // Coefficients by class, biases about the centre.
    void spread(std::span<const double> phi, std::vector<double>& coefficient, std::vector<double>& bias) const;
    LogisticParameter parameter(std::span<const double> phi) const;

    // Views of all rows, where they stay in memory; else none.
    Result<std::vector<LabeledBlock>> units_in_memory();

    template <class P>
    Result<typename P::Statistic> pass_over(const P& pass) {
        if (auto again = stream_.rewind(); !again) return again.error();
        ++passes;
        return fold(pass, stream_, context_);
    }

    const LogisticSettings& settings;
    ClassContrasts contrasts;
    std::size_t feature_count, width;  // width: with the bias
    double ridge, bias_ridge;          // on the contrasts
    double lasso, bias_lasso;
    std::vector<double> unit;  // of each feature: a penalty is on its coefficient times this
    LogisticRows rows;
    std::vector<std::string> feature_names;
    FixedParameters fixed;
    std::vector<OffsetFeature> offsets;
    FeatureSpace space;
    FeatureMoments moments;
    std::size_t passes = 0;
    std::vector<Note> notes;

private:
    Result<void> take_weights();
    void shape_of_features();
    void note_collinear();
    void place_offsets(std::vector<double>& theta) const;
    double best_scale(const std::vector<double>& theta) const;

    Stream& stream_;
    const Context& context_;
    std::vector<double> class_weight_, scatter_;
    double total_ = 0;
};

}  // namespace suffice
