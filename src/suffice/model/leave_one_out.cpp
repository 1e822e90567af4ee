// Leaves each row out in turn: closed forms for covariances, else the Part's statistics less the row, estimated again.
#include "suffice/model/leave_one_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "suffice/data/rows_of.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/estimate/gaussian_leave_one_out.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/model/words_left_out.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

Error not_in_model() { return Error("this row was not among those that the model was fitted to"); }

Result<void> refuse_model(const Classifier& model) {
    const ModelState& state = model.state();
    if (!state.is_sum())
        return Error(ErrorKind::usage, why_no_sum(state) + ", so none can be left out; compare by folds instead");
    for (const Column& column : state.statistic.schema.columns)
        if (column.kind == ColumnKind::text && !WordsLeftOut::applies(state))
            return Error(ErrorKind::usage,
                         "single documents are left out of multinomial models of one text column that keep every word "
                         "and smooth; compare by folds instead");
    for (const Part& part : state.statistic.parts) {
        if (!part.removes())
            return Error(ErrorKind::usage, std::string(part.name()) + " cannot take rows out, so none can be left out");
        const auto* covariance = part.as<CovariancePart>();
        if (covariance == nullptr) continue;
        if (covariance->has_holes())
            return Error(ErrorKind::usage,
                         "with missing values in a covariance no row can be left out; compare by folds instead");
        if (!state.settings.shrinkage.is_known())
            return Error(ErrorKind::usage,
                         "with an estimated shrinkage no row can be left out; give the shrinkage as a number");
        if (state.settings.rank > 0)
            return Error(ErrorKind::usage,
                         "with a reduced rank no row can be left out, as the discriminant coordinates turn with every "
                         "row; compare by folds instead");
    }
    return {};
}

class RowsLeftOut {
public:
    explicit RowsLeftOut(const Classifier& model)
        : state_(model.state()),
          statistic_(state_.statistic),
          blank_(statistic_.blank()),
          model_prior_(model.log_prior()) {
        const Schema& schema = statistic_.schema;
        closed_.resize(statistic_.parts.size());
        for (std::size_t k = 0; k < closed_.size(); ++k)
            if (const auto* part = statistic_.parts[k].as<CovariancePart>();
                part != nullptr && GaussianLeaveOneOut::applies(state_.settings))
                closed_[k].emplace(part->complete, group_of_class(state_.settings, schema.classes).value(),
                                   state_.settings);
        if (WordsLeftOut::applies(state_)) words_.emplace(state_);
        level_weight_.resize(words_ ? 0 : schema.columns.size());
        for (std::uint32_t column = 0; column < level_weight_.size(); ++column)
            for (const Part& part : statistic_.parts)
                add_sums(level_weight_[column], part.level_weight(column, schema.columns[column].levels.size()));
        const auto estimated = log_class_priors(state_.settings, schema.classes, statistic_.class_weight);
        if (estimated && *estimated != model.log_prior()) replaced_prior_ = model.log_prior();
    }

    // Log joints of one row, which is the whole of `row`; class c had it with this weight.
    Result<void> score(const Block& row, std::int32_t code, double weight, std::span<long double> joint) {
        const auto c = static_cast<std::size_t>(code);
        const double rest = difference(statistic_.class_weight[c], weight);
        if (rest < 0) return not_in_model();
        if (words_ && rest == 0) return score_without_class(row, c, weight, joint);
        if (rest == 0 || ends_a_level(row, weight)) return refit(row, code, weight, joint);
        std::vector<double> class_weight = statistic_.class_weight;
        class_weight[c] = rest;
        auto prior = log_class_priors(state_.settings, statistic_.schema.classes, class_weight);
        if (!prior) return prior.error();
        std::ranges::copy(replaced_prior_.empty() ? *prior : replaced_prior_, joint.begin());
        if (words_) return words_->add(row, c, weight, joint);
        for (std::size_t k = 0; k < closed_.size(); ++k) {
            if (closed_[k] && add_closed(k, row, c, weight, joint)) continue;
            if (auto added = add_estimated(k, row, code, weight, joint); !added) return added;
        }
        return {};
    }

private:
    // The other classes' priors keep their proportions.
    Result<void> score_without_class(const Block& row, std::size_t c, double weight, std::span<long double> joint) {
        std::ranges::copy(model_prior_, joint.begin());
        if (auto added = words_->add(row, c, weight, joint); !added) return added;
        long double best = -std::numeric_limits<long double>::infinity();
        for (std::size_t k = 0; k < joint.size(); ++k)
            if (k != c) best = std::max(best, joint[k]);
        joint[c] = best + std::log(smallest_probability);
        return {};
    }
    bool ends_a_level(const Block& row, double weight) const {
        for (std::size_t column = 0; column < level_weight_.size(); ++column) {
            if (level_weight_[column].empty()) continue;
            const double level = value_at(row, 0, column);
            if (!(level >= statistic_.schema.columns[column].declared_levels)) continue;
            if (difference(level_weight_[column][static_cast<std::size_t>(level)], weight) == 0) return true;
        }
        return false;
    }
    bool add_closed(std::size_t k, const Block& row, std::size_t c, double weight, std::span<long double> joint) {
        const kernel::Rows rows = rows_of(row, statistic_.parts[k].columns(), gathered_);
        const std::span<const double> x(rows.row(0), rows.column_count);
        return std::ranges::all_of(x, [](double each) { return std::isfinite(each); }) &&
               closed_[k]->add(x, c, weight, joint);
    }
    // A Part, less the row, estimated again.
    Result<void> add_estimated(std::size_t k, const Block& row, std::int32_t code, double weight,
                               std::span<long double> joint) {
        Part gone = blank_.parts[k], rest = statistic_.parts[k];
        gone.observe(row, {joint.size(), {&code, 1}, {&weight, 1}}, workspace_);
        rest.remove(gone);
        if (!rest.valid(statistic_.schema)) return not_in_model();
        const auto estimated = rest.estimate(state_.settings, statistic_.schema);
        if (!estimated) return estimated.error();
        for (const auto& scorer : estimated->scorers)
            if (auto added = scorer->add_row(row, 0, joint); !added)
                return named_column(added.error(), statistic_.schema);
        return {};
    }
    // Without the row a class or a level is no more: another schema, so another model.
    Result<void> refit(const Block& row, std::int32_t code, double weight, std::span<long double> joint) {
        ModelState rest = state_;
        ModelStatistic gone = blank_;
        gone.observe(row, {joint.size(), {&code, 1}, {&weight, 1}}, workspace_);
        rest.statistic.remove(gone);
        if (!rest.statistic.valid()) return not_in_model();
        rest.statistic.tidy();
        const auto model = Classifier::from(std::move(rest));
        if (!model) return model.error();
        const Schema &old = statistic_.schema, &left = model->schema();
        std::vector<double> values(old.columns.size());
        for (std::size_t column = 0; column < values.size(); ++column) {
            values[column] = value_at(row, 0, column);
            if (old.columns[column].kind != ColumnKind::category || !(values[column] >= 0)) continue;
            const auto map = map_codes(old.columns[column].levels, left.columns[column].levels);
            const auto to = map.to[static_cast<std::size_t>(values[column])];
            values[column] = to == CodeMap::dropped ? unseen_level : to;
        }
        Matrix scores(1, model->class_count());
        const DenseBlock block{values.data(), Element::f64, 1, values.size(), 1, 1};
        const ScoreSink sink{ScoreSink::Form::log_joint, scores.values.data(), 0};
        if (auto scored = model->score(block, sink, {}); !scored) return scored;
        const auto classes = map_codes(old.classes, left.classes);
        const double best = std::ranges::max(scores.values);
        for (std::size_t c = 0; c < joint.size(); ++c)
            joint[c] =
                classes.to[c] == CodeMap::dropped ? best + std::log(smallest_probability) : scores(0, classes.to[c]);
        return {};
    }

    const ModelState& state_;
    const ModelStatistic& statistic_;
    ModelStatistic blank_;
    std::vector<std::optional<GaussianLeaveOneOut>> closed_;  // by Part
    std::vector<std::vector<double>> level_weight_;           // by column
    std::optional<WordsLeftOut> words_;                       // of a model of documents
    std::vector<double> model_prior_;
    std::vector<double> replaced_prior_;  // of a model whose priors were replaced
    Workspace workspace_;
    std::vector<double> gathered_;
};

}  // namespace

Result<Matrix> leave_one_out(const Classifier& model, const LabeledBlock& rows, const Context& context) {
    if (auto refused = refuse_model(model); !refused) return refused.error();
    const std::size_t classes = model.class_count();
    if (auto good = check_rows(model.schema(), rows); !good) return good.error();
    if (auto good = check_lesson(model.schema(), rows); !good) return good.error();
    Matrix all(rows.size(), classes);
    std::vector<std::size_t> order(rows.size());  // class after class, which spares preparations
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return rows.label_of(row); });
    RowsLeftOut left_out(model);
    std::vector<long double> joint(classes);
    for (const std::size_t row : order) {
        if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        const Block one = slice(rows.rows, row, 1);
        const std::int32_t code = rows.label_of(row);
        const double weight = rows.weight_of(row);
        if (code < 0 || weight == 0) {
            const ScoreSink sink{ScoreSink::Form::log_posterior, all.row(row).data(), 0};
            if (auto scored = model.score(one, sink, {}, rows.first_row + row); !scored) return scored.error();
            continue;
        }
        if (auto scored = left_out.score(one, code, weight, joint); !scored)
            return Error(scored.error()).at_row(rows.first_row + row + 1);
        const auto sum = log_sum_exp_parts(joint);
        for (std::size_t c = 0; c < classes; ++c) all(row, c) = static_cast<double>(sum.log_share(joint[c]));
    }
    return all;
}

}  // namespace suffice
