// Scores Gaussian class-conditionals by the kernels: affine where classes share a covariance, quadratic where not.
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <optional>

#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {
namespace {

struct GaussianScratch {
    std::vector<double> gathered;
    std::vector<double> partial;  // a tile of scores on their way
};

class GaussianScorer final : public Scorer {
public:
    GaussianScorer(std::vector<std::uint32_t> columns, GaussianClasses parameters)
        : columns_(std::move(columns)), parameters_(std::move(parameters)) {
        find_centre();
        if (parameters_.diagonal) {
            prepare_diagonal();
        } else {
            prepare_full();
        }
    }

    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        const auto floats = rows_in_place<float>(tile, columns_);
        if (floats && add_by_kernel(*floats, joint, exactness)) return;
        auto& scratch = workspace.of<GaussianScratch>();
        const kernel::Rows rows = rows_of(tile, columns_, scratch.gathered);
        if (add_by_kernel(rows, joint, exactness)) return;
        if (student()) {
            add_student(rows, joint, scratch.partial);
        } else {
            add_grouped(rows, joint, scratch.partial);
        }
    }

    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        const Present present(*this, block, row);
        if (present.infinite) return infinite_value(*present.infinite);
        if (present.which.empty()) return {};
        const auto part = marginal(present.which);
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += part->log_density(c, present.values);
        return {};
    }

    // -1/2 z_j (S^-1 z)_j for each column; the constant is the column's own where columns are independent, else it goes
    // to the intercept, and Student's t shares out its logarithm in the same proportions.
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        const Present present(*this, block, row);
        const std::size_t first = into.terms.size(), classes = parameters_.class_count();
        for (auto column : columns_)
            into.terms.emplace_back(column, Explanation::no_level, std::vector<double>(classes));
        if (present.which.empty()) return;
        const auto part = marginal(present.which);
        for (std::size_t c = 0; c < classes; ++c) {
            const auto pull = part->pulls(c, present.values);
            const double log_determinant = part->log_determinant(part->group[c]);
            double sum = 0;
            for (double p : pull) sum += p;
            const auto top = static_cast<double>(part->log_density_at(c, 0, log_determinant));
            const auto whole = static_cast<double>(part->log_density_at(c, -2 * sum, log_determinant));
            const double ratio = sum != 0 ? (whole - top) / sum : 1;
            double shared_out = 0;
            for (std::size_t k = 0; k < pull.size(); ++k) {
                auto& term = into.terms[first + present.which[k]].by_class[c] = pull[k] * ratio;
                if (part->diagonal && !student())
                    term -= std::log(2 * std::numbers::pi * part->shape[part->group[c]][k]) / 2;
                shared_out += term;
            }
            into.intercept[c] += whole - shared_out;
        }
    }

    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        const std::size_t d = parameters_.dimension;
        const auto& factor = parameters_.shape[parameters_.group[c]];
        double spread = 1;
        if (student()) {
            const double nu = parameters_.degrees[c];
            spread = std::sqrt(parameters_.stretch[c] * nu / (2 * sample_gamma(nu / 2, rng)));
        }
        std::vector<double> z(d);
        for (double& v : z) v = sample_normal(rng);
        for (std::size_t i = 0; i < d; ++i) {
            double x = 0;
            if (parameters_.diagonal) {
                x = std::sqrt(factor[i]) * z[i];
            } else {
                for (std::size_t k = 0; k <= i; ++k) x += factor[i * d + k] * z[k];
            }
            into.values[columns_[i]] = parameters_.mean[c][i] + spread * x;
        }
    }

    bool write_form(ScoreForm& form) const override {
        if (student()) return false;
        parameters_.diagonal ? write_squares(form) : write_products(form);
        return true;
    }

    void describe(Description& into) const override {
        const std::size_t d = parameters_.dimension;
        std::vector<std::vector<double>> covariance;
        for (std::size_t g = 0; g < parameters_.group_count(); ++g)
            covariance.push_back(parameters_.diagonal ? parameters_.shape[g] : parameters_.covariance(g));
        for (std::size_t k = 0; k < d; ++k) {
            auto& column = into.columns.emplace_back(columns_[k], "gaussian");
            const std::size_t at = parameters_.diagonal ? k : k * d + k;
            for (std::size_t c = 0; c < parameters_.class_count(); ++c)
                column.by_class.push_back(
                    {{{"mean", parameters_.mean[c][k]}, {"variance", covariance[parameters_.group[c]][at]}}});
        }
        if (parameters_.diagonal) return;
        for (std::uint32_t g = 0; g < parameters_.group_count(); ++g) {
            auto& shared = into.covariances.emplace_back(columns_, std::vector<std::uint32_t>{}, covariance[g]);
            for (std::uint32_t c = 0; c < parameters_.class_count(); ++c)
                if (parameters_.group[c] == g) shared.classes.push_back(c);
        }
    }

    Result<void> express(ScoreExpression& into) const override {
        if (parameters_.diagonal && !student())
            express_columns(into);
        else
            into.gaussians.push_back(joint_term());
        return {};
    }

    std::vector<std::uint32_t> columns_;
    GaussianClasses parameters_;

private:
    void write_squares(ScoreForm& form) const {
        const std::size_t width = form.linear[0].size();
        for (std::size_t c = 0; c < parameters_.class_count(); ++c) {
            const auto& m = parameters_.mean[c];
            const auto& variance = parameters_.shape[parameters_.group[c]];
            auto& quadratic = form.quadratic[c];
            if (quadratic.empty()) quadratic.resize(width);
            const std::size_t step = quadratic.size() == width ? 1 : width + 1;
            double bend = 0;
            for (std::size_t i = 0; i < parameters_.dimension; ++i) {
                const double p = 1 / variance[i], pm = p * m[i];
                quadratic[columns_[i] * step] -= 0.5 * p;
                form.linear[c][columns_[i]] += pm;
                bend += m[i] * pm;
            }
            form.constant[c] += constant_[c] - 0.5 * bend;
        }
    }

    void write_products(ScoreForm& form) const {
        const std::size_t d = parameters_.dimension, width = form.linear[0].size();
        std::vector<std::vector<double>> precision;
        for (std::size_t g = 0; g < parameters_.group_count(); ++g) precision.push_back(parameters_.precision(g));
        for (std::size_t c = 0; c < parameters_.class_count(); ++c) {
            const auto& p = precision[parameters_.group[c]];
            const auto& m = parameters_.mean[c];
            auto& quadratic = form.quadratic[c];
            make_room_for_products(quadratic, width);
            double bend = 0;
            for (std::size_t i = 0; i < d; ++i) {
                double pm = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    pm += p[i * d + j] * m[j];
                    quadratic[columns_[i] * width + columns_[j]] -= 0.5 * p[i * d + j];
                }
                form.linear[c][columns_[i]] += pm;
                bend += m[i] * pm;
            }
            form.constant[c] += constant_[c] - 0.5 * bend;
        }
    }

    // Where there were squares at most.
    static void make_room_for_products(std::vector<double>& quadratic, std::size_t width) {
        if (quadratic.size() == width * width) return;
        std::vector<double> full(width * width);
        for (std::size_t i = 0; i < quadratic.size(); ++i) full[i * (width + 1)] = quadratic[i];
        quadratic = std::move(full);
    }

    void express_columns(ScoreExpression& into) const {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            BellTerm& term = into.bells.emplace_back(BellTerm{.column = columns_[k]});
            for (std::size_t c = 0; c < parameters_.class_count(); ++c) {
                const double variance = parameters_.shape[parameters_.group[c]][k];
                term.mean.push_back(parameters_.mean[c][k]);
                term.scale.push_back(1 / std::sqrt(variance));
                term.peak.push_back(-0.5 * std::log(variance));
            }
        }
    }
    GaussianTerm joint_term() const {
        const std::size_t d = parameters_.dimension, classes = parameters_.class_count();
        GaussianTerm term{.columns = columns_, .centre = centre_, .group = parameters_.group};
        for (std::size_t c = 0; c < classes; ++c) term.mean.push_back(from_centre(c));
        for (std::size_t g = 0; g < parameters_.group_count(); ++g) {
            term.precision.push_back(parameters_.precision(g));
            term.half_log_determinant.push_back(-0.5 * parameters_.log_determinant(g));
            auto& whitener = term.whitener.emplace_back(d * d);
            if (parameters_.diagonal) {
                for (std::size_t i = 0; i < d; ++i) whitener[i * (d + 1)] = 1 / std::sqrt(parameters_.shape[g][i]);
            } else {
                inverse_lower(parameters_.shape[g], d, whitener);
            }
        }
        term.peak.assign(d + 1, std::vector<double>(classes));
        if (!student()) return term;
        for (std::size_t c = 0; c < classes; ++c) {
            const double nu = parameters_.degrees[c], spread = nu * parameters_.stretch[c];
            term.power_base.push_back(nu);
            term.spread.push_back(spread);
            for (std::size_t n = 0; n <= d; ++n) {
                const double there = static_cast<double>(n);
                term.peak[n][c] =
                    log_gamma((nu + there) / 2) - log_gamma(nu / 2) - there / 2 * std::log(spread * std::numbers::pi);
            }
        }
        return term;
    }

    // The columns of a row that are there, by position among this scorer's.
    struct Present {
        std::vector<std::uint32_t> which;
        std::vector<double> values;
        std::optional<std::uint32_t> infinite;
        Present(const GaussianScorer& scorer, const Block& block, std::size_t row) {
            for (std::uint32_t k = 0; k < scorer.columns_.size(); ++k) {
                const double x = value_at(block, row, scorer.columns_[k]);
                if (std::isnan(x)) continue;
                if (std::isinf(x)) infinite = scorer.columns_[k];
                which.push_back(k);
                values.push_back(x);
            }
        }
    };

    bool student() const { return !parameters_.degrees.empty(); }

    // False, and nothing added: no kernel gives these scores by itself.
    template <class AnyRows>
    bool add_by_kernel(const AnyRows& rows, kernel::Tile joint, Exactness exactness) const {
        if (exactness == Exactness::posterior && parameters_.group_count() == 1 && !student()) {
            kernel::affine_scores(rows, centre_.data(), weight_.data(), bias_.data(), joint);
        } else if (parameters_.diagonal) {
            kernel::diagonal_scores(rows, centre_.data(), scale_.data(), offset_.data(), constant_.data(), joint);
        } else if (!student() && parameters_.group_count() == parameters_.class_count()) {
            kernel::quadratic_scores(rows, centre_.data(), factors_, joint);
        } else {
            return false;
        }
        return true;
    }

    void find_centre() {
        centre_.assign(parameters_.dimension, 0.0);
        for (const auto& m : parameters_.mean)
            for (std::size_t i = 0; i < m.size(); ++i)
                centre_[i] += m[i] / static_cast<double>(parameters_.class_count());
        for (std::size_t c = 0; c < parameters_.class_count(); ++c) {
            const double log_determinant = parameters_.log_determinant(parameters_.group[c]);
            constant_.push_back(static_cast<double>(parameters_.log_density_at(c, 0, log_determinant)));
        }
    }
    std::vector<double> from_centre(std::size_t c) const {
        std::vector<double> way(parameters_.dimension);
        for (std::size_t i = 0; i < way.size(); ++i) way[i] = parameters_.mean[c][i] - centre_[i];
        return way;
    }
    void prepare_diagonal() {
        for (std::size_t c = 0; c < parameters_.class_count(); ++c) {
            const auto& variance = parameters_.shape[parameters_.group[c]];
            const auto way = from_centre(c);
            double bend = 0;
            for (std::size_t i = 0; i < way.size(); ++i) {
                const double scale = 1 / std::sqrt(variance[i]);
                scale_.push_back(scale);
                offset_.push_back(way[i] * scale);
                weight_.push_back(way[i] / variance[i]);
                bend += way[i] * way[i] / variance[i];
            }
            bias_.push_back(constant_[c] - 0.5 * bend);
        }
    }
    void prepare_full() {
        const std::size_t d = parameters_.dimension, classes = parameters_.class_count();
        std::vector<double> inverses(parameters_.group_count() * d * d);
        for (std::size_t g = 0; g < parameters_.group_count(); ++g)
            inverse_lower(parameters_.shape[g], d, std::span(inverses).subspan(g * d * d, d * d));
        for (std::size_t c = 0; c < classes; ++c) {
            auto way = from_centre(c);
            solve_lower(parameters_.shape[parameters_.group[c]], way);
            offset_.insert(offset_.end(), way.begin(), way.end());
            double bend = 0;
            for (double v : way) bend += v * v;
            bias_.push_back(constant_[c] - 0.5 * bend);
            solve_upper(parameters_.shape[parameters_.group[c]], way);
            weight_.insert(weight_.end(), way.begin(), way.end());
        }
        if (student() || parameters_.group_count() == classes) {
            std::vector<double> factor;
            for (std::size_t c = 0; c < classes; ++c) {
                const double* first = &inverses[parameters_.group[c] * d * d];
                factor.insert(factor.end(), first, first + d * d);
            }
            const std::vector<double> none(classes);
            factors_ = {classes, d, factor.data(), offset_.data(), student() ? none.data() : constant_.data()};
        } else {
            const std::size_t groups = parameters_.group_count();
            const std::vector<double> none(std::max(groups, groups * d));
            factors_ = {groups, d, inverses.data(), none.data(), none.data()};
        }
    }
    // The quadratic term once per group, the rest of it affine.
    void add_grouped(kernel::Rows rows, kernel::Tile joint, std::vector<double>& partial) const {
        const std::size_t groups = parameters_.group_count(), n = rows.row_count;
        partial.assign(groups * n, 0.0);
        kernel::quadratic_scores(rows, centre_.data(), factors_, {partial.data(), n, groups, n});
        kernel::affine_scores(rows, centre_.data(), weight_.data(), bias_.data(), joint);
        for (std::size_t c = 0; c < joint.class_count; ++c) {
            const double* common = partial.data() + parameters_.group[c] * n;
            double* out = joint.of_class(c);
            for (std::size_t row = 0; row < n; ++row) out[row] += common[row];
        }
    }
    void add_student(kernel::Rows rows, kernel::Tile joint, std::vector<double>& partial) const {
        const std::size_t classes = joint.class_count, n = rows.row_count;
        partial.assign(classes * n, 0.0);
        kernel::quadratic_scores(rows, centre_.data(), factors_, {partial.data(), n, classes, n});
        const double d = static_cast<double>(parameters_.dimension);
        for (std::size_t c = 0; c < classes; ++c) {
            const double nu = parameters_.degrees[c], scale = -2 / (nu * parameters_.stretch[c]);
            double* bent = partial.data() + c * n;
            for (std::size_t row = 0; row < n; ++row) bent[row] = 1 + bent[row] * scale;
            kernel::log_in_place(bent, n);
            double* out = joint.of_class(c);
            for (std::size_t row = 0; row < n; ++row) out[row] += constant_[c] - (nu + d) / 2 * bent[row];
        }
    }
    // One factorisation per pattern of presence, kept: the same holes come again.
    std::shared_ptr<const GaussianClasses> marginal(const std::vector<std::uint32_t>& present) const {
        constexpr std::size_t most_kept = 4096;
        const std::scoped_lock lock(guard_);
        if (auto found = marginals_.find(present); found != marginals_.end()) return found->second;
        auto made = std::make_shared<const GaussianClasses>(
            present.size() == parameters_.dimension ? parameters_ : parameters_.marginal(present));
        if (marginals_.size() >= most_kept) marginals_.clear();
        return marginals_[present] = made;
    }

    std::vector<double> centre_;    // where the numbers are small
    std::vector<double> constant_;  // log density at the mean, by class
    std::vector<double> scale_, offset_;
    std::vector<double> weight_, bias_;  // of the affine form around the centre
    kernel::PackedFactors factors_;
    mutable std::mutex guard_;
    mutable std::map<std::vector<std::uint32_t>, std::shared_ptr<const GaussianClasses>> marginals_;
};

}  // namespace

std::unique_ptr<Scorer> gaussian_scorer(std::vector<std::uint32_t> columns, GaussianClasses parameters) {
    return std::make_unique<GaussianScorer>(std::move(columns), std::move(parameters));
}

}  // namespace suffice
