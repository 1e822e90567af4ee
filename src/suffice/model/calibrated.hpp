// A model whose posteriors pass a calibration: the same density of rows, other probabilities of classes.
#pragma once
#include "suffice/decide/calibration.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

class CalibratedPredictor final : public Predictor {
public:
    CalibratedPredictor(std::shared_ptr<const Predictor> model, Calibration calibration)
        : model_(std::move(model)), calibration_(std::move(calibration)) {}

    const std::shared_ptr<const Predictor>& model() const { return model_; }
    const Calibration& calibration() const { return calibration_; }

    std::string_view name() const override { return model_->name(); }
    const Schema& schema() const override { return model_->schema(); }
    const std::vector<double>& log_prior() const override { return model_->log_prior(); }
    const std::vector<double>& class_weight() const override { return model_->class_weight(); }
    double log_likelihood() const override { return model_->log_likelihood(); }
    std::size_t parameter_count() const override { return model_->parameter_count(); }
    const std::vector<Note>& notes() const override { return model_->notes(); }
    std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const override;
    // As the model explains it; what the calibration changes goes to the intercept.
    Explanation contributions(const Block& rows, std::size_t row) const override;
    SampledRow sample(std::size_t class_code, Rng& rng) const override { return model_->sample(class_code, rng); }
    Result<void> check_density() const override { return model_->check_density(); }
    Description describe() const override { return model_->describe(); }
    Result<ScoreExpression> express() const override { return model_->express(); }  // before the calibration
    // log of the calibrated posterior plus the log evidence of the model.
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const override;

private:
    std::shared_ptr<const Predictor> model_;
    Calibration calibration_;
};

}  // namespace suffice
