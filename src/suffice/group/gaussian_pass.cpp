// Folds shares and moments of Gaussian components over rows.
#include "suffice/group/gaussian_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/data/for_each_block.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/group/mixture.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scatter.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/model/first_columns.hpp"

namespace suffice {
namespace {

constexpr std::size_t pass_tile_rows = 256;
// So that an empty component divides by something; scikit-learn's trifle, that parameters agree.
constexpr double trifle = 10 * std::numeric_limits<double>::epsilon();
// A squared distance of means so many times the variance costs that many units in the last place of the scatter.
constexpr double far_apart = 1e6;

struct Sums {
    std::vector<double> weight_of, sum, square;  // by component; about the centre of each
    double total_weight = 0, log_likelihood = 0, negative_entropy = 0;
    static constexpr auto fields = FieldTuple{field("weight_of", &Sums::weight_of),
                                              field("sum", &Sums::sum),
                                              field("square", &Sums::square),
                                              field("total_weight", &Sums::total_weight),
                                              field("log_likelihood", &Sums::log_likelihood),
                                              field("negative_entropy", &Sums::negative_entropy)};
    bool operator==(const Sums&) const = default;

    double weight() const { return total_weight; }
    void merge(const Sums& from) {
        add_sums(weight_of, from.weight_of);
        add_sums(sum, from.sum);
        add_sums(square, from.square);
        total_weight += from.total_weight;
        log_likelihood += from.log_likelihood;
        negative_entropy += from.negative_entropy;
    }
};

// The row that comes first, to sum about.
struct FirstRow {
    std::uint64_t number = std::numeric_limits<std::uint64_t>::max();
    std::vector<double> values = {};
    static constexpr auto fields = FieldTuple{field("number", &FirstRow::number), field("values", &FirstRow::values)};
    void merge(const FirstRow& from) {
        if (from.number < number) *this = from;
    }
};

struct PassScratch {
    std::vector<double> gathered, joint, before, evidence, best_joint;
    std::vector<std::int32_t> best;
    kernel::ClassScatter scatter;
    Workspace scoring;
};

// Log scores of a tile of rows.
struct Scoring {
    std::unique_ptr<Scorer> scorer;
    const std::vector<double>& offset;

    explicit Scoring(const ScoredComponents& components)
        : scorer(gaussian_scorer(first_columns(components.gaussians.dimension), components.gaussians)),
          offset(components.offset) {}
    void write(const Block& rows, kernel::Tile joint, PassScratch& scratch) const {
        for (std::size_t c = 0; c < joint.class_count; ++c) std::fill_n(joint.of_class(c), joint.row_count, offset[c]);
        scorer->add(rows, joint, Exactness::density, scratch.scoring);
    }
};

// Soft or hard shares of rows in components, by their scores.
struct SharesByScore {
    const Scoring& scoring;
    Assignment assignment;
    bool wants_entropy;
    const Narrowing& narrowing;

    bool narrows(const LabeledBlock& rows) const { return !narrowing.class_of.empty() && !rows.label.empty(); }
    double weight_of(const LabeledBlock& rows, std::size_t row) const {
        const bool known = narrowing.class_of.empty() || rows.label_of(row) >= 0;
        return rows.weight_of(row) * (known ? 1 : narrowing.unlabeled_weight);
    }
    void operator()(Sums& into, const LabeledBlock& rows, kernel::Tile joint, PassScratch& scratch) const {
        scoring.write(rows.rows, joint, scratch);
        if (narrows(rows)) narrow_to_labels(rows, 0, narrowing.class_of, joint);
        const std::size_t count = joint.class_count;
        scratch.evidence.resize(joint.row_count);
        if (wants_entropy) scratch.before.assign(joint.values, joint.values + count * joint.stride);
        const bool hard = assignment == Assignment::hard;
        if (hard) {
            scratch.best.resize(joint.row_count);
            scratch.best_joint.resize(joint.row_count);
            kernel::argmax(joint, scratch.best.data());
        }
        // Classification EM raises the likelihood of rows and their best components together.
        if (hard)
            for (std::size_t row = 0; row < joint.row_count; ++row)
                scratch.best_joint[row] = joint.of_class(static_cast<std::size_t>(scratch.best[row]))[row];
        kernel::softmax(joint, scratch.evidence.data());
        if (wants_entropy)
            for (std::size_t c = 0; c < count; ++c)
                for (std::size_t row = 0; row < joint.row_count; ++row)
                    if (const double r = joint.of_class(c)[row]; r > 0)
                        into.negative_entropy +=
                            rows.weight_of(row) * r * (scratch.before[c * joint.stride + row] - scratch.evidence[row]);
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            const double weight = weight_of(rows, row);
            into.total_weight += weight;
            into.log_likelihood += weight * (hard ? scratch.best_joint[row] : scratch.evidence[row]);
        }
        for (std::size_t c = 0; c < count; ++c) {
            double* share = joint.of_class(c);
            if (hard)
                for (std::size_t row = 0; row < joint.row_count; ++row)
                    share[row] = static_cast<std::size_t>(scratch.best[row]) == c ? 1.0 : 0.0;
            if (!rows.weight.empty() || narrowing.unlabeled_weight != 1)
                for (std::size_t row = 0; row < joint.row_count; ++row) share[row] *= weight_of(rows, row);
        }
    }
};

struct SharesByLabel {
    std::span<const std::int32_t> labels;

    void operator()(Sums& into, const LabeledBlock& rows, kernel::Tile joint, PassScratch&) const {
        for (std::size_t c = 0; c < joint.class_count; ++c) std::fill_n(joint.of_class(c), joint.row_count, 0.0);
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            const double weight = rows.weight_of(row);
            into.total_weight += weight;
            if (const auto label = labels[rows.first_row + row]; label >= 0)
                joint.of_class(static_cast<std::size_t>(label))[row] = weight;
        }
    }
};

// Every row counts for the one component there is.
struct SharesOfAll {
    void operator()(Sums& into, const LabeledBlock& rows, kernel::Tile joint, PassScratch&) const {
        for (std::size_t row = 0; row < joint.row_count; ++row)
            into.total_weight += joint.of_class(0)[row] = rows.weight_of(row);
    }
};

template <class Share>
struct MomentPass {
    using Statistic = Sums;
    const Share& share;
    std::size_t count, dimension;
    ComponentShape shape;
    const std::vector<std::uint32_t>& columns;
    const double* centres;  // one for all components, or one each
    bool own_centres;

    std::size_t square_size() const {
        return shape == ComponentShape::tied   ? 0
               : shape == ComponentShape::full ? count * dimension * dimension
                                               : count * dimension;
    }
    Sums empty() const {
        return {std::vector<double>(count), std::vector<double>(count * dimension), std::vector<double>(square_size())};
    }
    std::size_t footprint() const { return (square_size() + count * dimension) * sizeof(double); }

    Result<void> observe(Sums& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& scratch = workspace.of<PassScratch>();
        scratch.joint.resize(pass_tile_rows * count);
        for (std::size_t first = 0, end = unit.size(); first < end; first += pass_tile_rows) {
            const LabeledBlock part = unit.slice(first, std::min(pass_tile_rows, end - first));
            const kernel::Tile joint{scratch.joint.data(), part.size(), count, pass_tile_rows};
            share(into, part, joint, scratch);
            add(into, rows_of(part.rows, columns, scratch.gathered), joint, scratch);
        }
        return {};
    }

private:
    void add(Sums& into, kernel::Rows rows, kernel::Tile share_of, PassScratch& scratch) const {
        const std::size_t cells = square_size() / count;
        const std::size_t step = own_centres ? 1 : count;
        for (std::size_t c = 0; c < count; c += step) {
            double* weight = into.weight_of.data() + c;
            double* sum = into.sum.data() + c * dimension;
            double* square = cells == 0 ? nullptr : into.square.data() + c * cells;
            const double* centre = centres + c * dimension;
            if (shape == ComponentShape::full)
                scratch.scatter.add_shared(rows, share_of.of_class(c), share_of.stride, step, centre, weight, sum,
                                           square);
            else
                kernel::shared_moments(rows, share_of.of_class(c), share_of.stride, step, centre, weight, sum, square);
        }
    }
};

// From sums about centres to moments about means. False: the means lie so far from the centres that the scatter is
// made of rounding.
class Finish {
public:
    Finish(const Sums& sums, std::size_t dimension, ComponentShape shape, const double* centres, bool own_centres)
        : sums_(sums), d_(dimension), shape_(shape), centres_(centres), own_(own_centres) {}

    ComponentMoments moments(const std::vector<double>& total_scatter) {
        const std::size_t count = sums_.weight_of.size();
        ComponentMoments out;
        out.mean = Matrix(count, d_);
        out.total_weight = sums_.total_weight;
        out.log_likelihood = sums_.log_likelihood;
        out.negative_entropy = sums_.negative_entropy;
        if (shape_ == ComponentShape::tied) out.covariance = total_scatter;
        for (std::size_t c = 0; c < count; ++c) {
            const double weight = sums_.weight_of[c];
            out.weight.push_back(weight + trifle);
            const double* centre = centres_ + (own_ ? c * d_ : 0);
            way_.assign(d_, 0.0);  // from the centre to the mean
            for (std::size_t j = 0; j < d_; ++j) {
                const double sum = sums_.sum[c * d_ + j];
                out.mean(c, j) = (sum + weight * centre[j]) / (weight + trifle);
                if (weight > 0) way_[j] = sum / weight;
            }
            add_covariance(out, c, weight);
        }
        if (shape_ == ComponentShape::tied) {
            const double all = std::accumulate(out.weight.begin(), out.weight.end(), 0.0);
            for (double& value : out.covariance) value /= all;
        }
        return out;
    }
    bool exact() const { return exact_; }

private:
    void look(double scatter, double weight, std::size_t j) {
        if (weight * way_[j] * way_[j] > far_apart * scatter) exact_ = false;
    }
    void add_covariance(ComponentMoments& out, std::size_t c, double weight) {
        const double* square = sums_.square.data();
        if (shape_ == ComponentShape::full) {
            const double* scatter = square + c * d_ * d_;
            const std::size_t first = out.covariance.size();
            out.covariance.resize(first + d_ * d_);
            for (std::size_t i = 0; i < d_; ++i) {
                for (std::size_t j = 0; j <= i; ++j) {
                    const double value = scatter[i * d_ + j] - weight * way_[i] * way_[j];
                    if (i == j) look(value, weight, j);
                    out.covariance[first + i * d_ + j] = out.covariance[first + j * d_ + i] = value / (weight + trifle);
                }
            }
            return;
        }
        if (shape_ == ComponentShape::tied) {
            for (std::size_t i = 0; i < d_; ++i)
                for (std::size_t j = 0; j < d_; ++j) out.covariance[i * d_ + j] -= weight * way_[i] * way_[j];
            return;
        }
        double trace = 0;
        for (std::size_t j = 0; j < d_; ++j) {
            const double value = square[c * d_ + j] - weight * way_[j] * way_[j];
            look(value, weight, j);
            trace += value / (weight + trifle);
            if (shape_ == ComponentShape::diagonal) out.covariance.push_back(std::max(value, 0.0) / (weight + trifle));
        }
        if (shape_ == ComponentShape::spherical)
            out.covariance.push_back(std::max(trace, 0.0) / static_cast<double>(d_));
    }

    const Sums& sums_;
    std::size_t d_;
    ComponentShape shape_;
    const double* centres_;
    bool own_, exact_ = true;
    std::vector<double> way_;
};

}  // namespace

Result<std::vector<double>> GaussianRows::first_row() {
    const auto look = [&]() -> Result<FirstRow> {
        if (auto again = stream_.rewind(); !again) return again.error();
        FirstRow row;
        const auto found = for_each_block(stream_, [&](const LabeledBlock& block, const Stream::Lane&) -> Result<bool> {
            if (block.size() == 0) return true;
            row.number = block.first_row;
            for (std::size_t j = 0; j < column_count_; ++j) row.values.push_back(value_at(block.rows, 0, j));
            return false;
        });
        if (!found) return found.error();
        return row;
    };
    Rounds* rounds = stream_.rounds();
    const auto of_part = [&]() -> Result<BlockTree<FirstRow>> {
        auto found = look();
        if (!found) return found.error();
        BlockTree<FirstRow> alone;
        BlockSum<FirstRow> sum{found->number, 0, std::move(*found)};
        alone.neighbour_of(sum);
        return alone;
    };
    auto first = rounds == nullptr ? look() : exchange(*rounds, FirstRow{}, of_part);
    if (!first) return first.error();
    if (first->values.empty()) return Error("there are no rows");
    return std::move(first->values);
}

Result<void> GaussianRows::find_centre(const Context& context) {
    if (!centre_.empty()) return {};
    const std::size_t d = column_count_;
    const auto columns = first_columns(d);
    const auto first = first_row();
    if (!first) return first.error();
    const SharesOfAll share;
    const auto go = [&](ComponentShape shape, const std::vector<double>& centre) -> Result<Sums> {
        if (auto again = stream_.rewind(); !again) return again.error();
        return fold(MomentPass<SharesOfAll>{share, 1, d, shape, columns, centre.data(), false}, stream_, context);
    };
    const auto sums = go(ComponentShape::tied, *first);
    if (!sums) return sums.error();
    total_weight_ = sums->total_weight;
    centre_ = *first;
    for (std::size_t j = 0; j < d; ++j) centre_[j] += sums->sum[j] / std::max(total_weight_, trifle);
    if (shape_ != ComponentShape::tied) return {};
    auto again = go(ComponentShape::full, centre_);
    if (!again) return again.error();
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < i; ++j) again->square[j * d + i] = again->square[i * d + j];
    total_scatter_ = std::move(again->square);
    return {};
}

Result<bool> GaussianRows::look(const Context& context) {
    if (auto found = find_centre(context); !found) return found.error();
    return std::ranges::all_of(centre_, [](double value) { return std::isfinite(value); });
}

template <class Share>
Result<ComponentMoments> GaussianRows::gather(std::size_t component_count, const Share& share, const Matrix* centres,
                                              const Context& context) {
    if (auto found = find_centre(context); !found) return found.error();
    const auto columns = first_columns(centre_.size());
    const auto attempt = [&](const double* around, bool own) -> Result<std::pair<ComponentMoments, bool>> {
        if (auto again = stream_.rewind(); !again) return again.error();
        const auto sums = fold(MomentPass<Share>{share, component_count, centre_.size(), shape_, columns, around, own},
                               stream_, context);
        if (!sums) return sums.error();
        Finish finish(*sums, centre_.size(), shape_, around, own);
        auto moments = finish.moments(total_scatter_);
        return std::pair{std::move(moments), finish.exact()};
    };
    const bool own = own_centres_ && centres != nullptr;
    auto first = attempt(own ? centres->values.data() : centre_.data(), own);
    if (!first) return first.error();
    if (first->second || own) return std::move(first->first);
    own_centres_ = true;
    auto second = attempt(first->first.mean.values.data(), true);
    if (!second) return second.error();
    return std::move(second->first);
}

Result<ComponentMoments> GaussianRows::step(const ScoredComponents& components, Assignment assignment,
                                            bool wants_entropy, const Context& context, const Narrowing& narrowing) {
    const GaussianClasses& gaussians = components.gaussians;
    if (gaussians.dimension != column_count_)
        return Error(ErrorKind::usage, "the rows do not have the columns that the components are for");
    const Scoring scoring(components);
    Matrix centres(gaussians.class_count(), gaussians.dimension);
    for (std::size_t c = 0; c < gaussians.class_count(); ++c)
        std::ranges::copy(gaussians.mean[c], centres.row(c).begin());
    return gather(gaussians.class_count(), SharesByScore{scoring, assignment, wants_entropy, narrowing}, &centres,
                  context);
}

Result<ComponentMoments> GaussianRows::of_labels(std::span<const std::int32_t> labels, std::size_t component_count,
                                                 const Context& context) {
    if (memory_ == nullptr || labels.size() != row_count_)
        return Error(ErrorKind::usage, "there must be one label for each row in memory");
    for (const auto label : labels)
        if (label >= static_cast<std::int32_t>(component_count))
            return Error(ErrorKind::usage, "a label names a component that is not there");
    return gather(component_count, SharesByLabel{labels}, nullptr, context);
}

Result<ComponentMoments> GaussianRows::all(const Context& context) {
    return gather(1, SharesOfAll{}, nullptr, context);
}

Result<void> score_rows(const Block& rows, const ScoredComponents& components, const ComponentScores& into,
                        const Context& context) {
    const std::size_t total = row_count(rows), count = components.gaussians.class_count();
    if (components.gaussians.dimension != column_count(rows))
        return Error(ErrorKind::usage, "the rows do not have the columns that the components are for");
    const Scoring scoring(components);
    const unsigned threads = useful_threads(context, total * column_count(rows) * sizeof(double));
    for_each_unit(
        (total + pass_tile_rows - 1) / pass_tile_rows, threads, context, [&](std::size_t unit, Workspace& workspace) {
            auto& scratch = workspace.of<PassScratch>();
            scratch.joint.resize(pass_tile_rows * count);
            const std::size_t first = unit * pass_tile_rows, size = std::min(pass_tile_rows, total - first);
            const kernel::Tile joint{scratch.joint.data(), size, count, pass_tile_rows};
            scoring.write(slice(rows, first, size), joint, scratch);
            if (into.best != nullptr) kernel::argmax(joint, into.best + first);
            if (into.log_evidence == nullptr && into.posterior == nullptr) return;
            kernel::softmax(joint, into.log_evidence == nullptr ? nullptr : into.log_evidence + first);
            if (into.posterior != nullptr)
                kernel::transpose_out(joint, into.posterior + first * count, static_cast<std::ptrdiff_t>(count));
        });
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    return {};
}

}  // namespace suffice
