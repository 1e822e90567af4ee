// Opens the files of a regression again.
#include "suffice/flow/likelihood_ratios.hpp"

#include "suffice/flow/where.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {

Result<LikelihoodRatios> likelihood_ratios(const Model& model, const std::vector<std::string>& files,
                                           const ApplyOptions& options, const AskedRatios& asked,
                                           const Context& context) {
    const auto* regression = model.as<LogisticRegression>();
    if (regression == nullptr)
        return Error(ErrorKind::usage, "likelihood ratios are of logistic regression, and this is " +
                                           std::string(model.predictor().name()));
    if (!regression->state().columns.empty())
        return Error(ErrorKind::usage,
                     "likelihood ratios are not told of a regression that integrates over missing values")
            .advise({"missing_values", "indicator"});
    ApplyOptions own = options;
    own.need_target = true;
    own.many_passes = true;
    auto applied = open_for_model(model, files, own);
    if (!applied) return applied.error();
    const LogisticState& state = regression->state();
    auto told = likelihood_ratios(state.schema, state.features, *applied->data.stream, state.settings, state.parameter,
                                  state.log_likelihood, asked, context);
    if (!told) return in_data(told.error(), *applied->data.reader);
    return told;
}

}  // namespace suffice
