// Embeds rows, finds centres, and gathers the first statistics of EM.
#include "suffice/group/mixture_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/group/sample_groups.hpp"
#include "suffice/kernel/nearest.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/model/missing_patterns.hpp"

namespace suffice {
namespace {

struct StartScratch {
    std::vector<double> gathered, points, share;
    std::vector<std::int32_t> nearest;
};

// Each row counts for the component of its nearest centre.
struct NearestRows {
    using Statistic = ModelStatistic;
    const ModelStatistic& blank;
    const std::vector<std::uint32_t>& columns;
    const Embedding& embedding;
    const Matrix& centres;
    std::vector<double> origin;

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& scratch = workspace.of<StartScratch>();
        const std::size_t d = embedding.dimension(), rows = unit.size();
        embedding.write(rows_of(unit.rows, columns, scratch.gathered), scratch.points);
        scratch.nearest.resize(rows);
        kernel::nearest_centres({scratch.points.data(), rows, d, static_cast<std::ptrdiff_t>(d)}, nullptr,
                                origin.data(), centres.values.data(), centres.row_count, scratch.nearest.data(),
                                nullptr, nullptr, nullptr);
        into.observe(unit.rows, {blank.schema.classes.size(), scratch.nearest, unit.weight}, workspace);
        return {};
    }
};

// Each row counts for the component of its label.
struct LabelledRows {
    using Statistic = ModelStatistic;
    const ModelStatistic& blank;
    std::span<const std::int32_t> label_of;  // by row number
    bool every_row = true;                   // else those behind the last label have none

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        std::vector<std::int32_t> labels(unit.size(), -1);
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (unit.first_row + row < label_of.size())
                labels[row] = label_of[unit.first_row + row];
            else if (every_row)
                return Error(ErrorKind::usage, "the start has groups for " + std::to_string(label_of.size()) +
                                                   " rows, fewer than there are");
        }
        into.observe(unit.rows, {blank.schema.classes.size(), labels, unit.weight}, workspace);
        return {};
    }
};

// Each row counts for the components as far as it is said to belong to them.
struct StatedShares {
    using Statistic = ModelStatistic;
    const ModelStatistic& blank;
    std::span<const double> share_of;  // component-major, by row number

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        const std::size_t count = blank.schema.classes.size(), rows = unit.size(), total = share_of.size() / count;
        std::vector<double> share(count * rows);
        for (std::size_t row = 0; row < rows && unit.first_row + row < total; ++row)
            for (std::size_t c = 0; c < count; ++c)
                share[c * rows + row] = unit.weight_of(row) * share_of[c * total + unit.first_row + row];
        into.observe(unit.rows, {count, {}, {}, share.data(), rows}, workspace);
        return {};
    }
};

// Equal shares are a point that EM never leaves, so the shares are drawn.
struct RandomShares {
    using Statistic = ModelStatistic;
    const ModelStatistic& blank;
    Rng rng;

    ModelStatistic empty() const { return blank; }
    std::size_t footprint() const { return blank.footprint(); }
    Result<void> observe(ModelStatistic& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& share = workspace.of<StartScratch>().share;
        const std::size_t count = blank.schema.classes.size(), rows = unit.size();
        share.resize(count * rows);
        for (std::size_t row = 0; row < rows; ++row) {
            Rng own = rng.fork(unit.first_row + row);
            double total = 0;
            for (std::size_t c = 0; c < count; ++c) total += share[c * rows + row] = own.uniform_open();
            for (std::size_t c = 0; c < count; ++c) share[c * rows + row] *= unit.weight_of(row) / total;
        }
        into.observe(unit.rows, {count, {}, {}, share.data(), rows}, workspace);
        return {};
    }
};

Error too_few_distinct(std::size_t rows, std::size_t count) {
    return Error((rows == 1 ? "all rows are alike" : "there are only " + std::to_string(rows) + " distinct rows") +
                 std::string(", too few for ") + std::to_string(count) + " components");
}

Result<Matrix> drawn_rows(const Matrix& points, const std::vector<double>& weight, std::size_t count,
                          MixtureStart start, Rng& rng) {
    const auto rows =
        start == MixtureStart::random_rows ? random_rows(weight, count, rng) : spread_rows(points, weight, count, rng);
    if (rows.size() < count) return too_few_distinct(rows.size(), count);
    Matrix centres(count, points.column_count);
    for (std::size_t c = 0; c < count; ++c) std::ranges::copy(points.row(rows[c]), centres.row(c).begin());
    return centres;
}

Result<Matrix> k_means_centres(const Matrix& points, const std::vector<double>& weight, std::size_t count, Rng& rng,
                               const Context& context) {
    KMeansSettings settings;  // with its own choice among several starts: EM seldom mends a bad one
    settings.centre_count = count;
    settings.step_limit = 50;
    Context own = context;
    own.seed = rng();
    Schema schema;
    schema.columns.resize(points.column_count);
    const auto width = static_cast<std::ptrdiff_t>(points.column_count);
    MemoryStream stream(
        {DenseBlock{points.values.data(), Element::f64, points.row_count, points.column_count, width, 1},
         {},
         weight,
         0},
        schema);
    auto found = fit_k_means(stream, schema, settings, own);
    if (!found) return found.error();
    return std::move(found->centres);
}

template <class StartPass>
Result<Classifier> start_by(const StartPass& pass, const ModelState& recipe, Stream& stream, const Context& context) {
    if (auto again = stream.rewind(); !again) return again.error();
    auto gathered = fold(pass, stream, context);
    if (!gathered) return gathered.error();
    auto filled = fill_holes(std::move(*gathered), recipe.settings, nullptr);
    if (!filled) return filled.error();
    return Classifier::from({recipe.model, recipe.settings, std::move(*filled)});
}

struct StartKind {
    MixtureStart start;
    StartUnits units = StartUnits::standardized;
};

// What the attempts of `several` are. Whatever is drawn is drawn anew each time round.
StartKind kind_of(MixtureStart start, std::uint64_t attempt, const Schema& schema) {
    using enum MixtureStart;
    using enum StartUnits;
    if (start != several) return {start};
    static constexpr std::array in_one{StartKind{k_means},     StartKind{quantiles},         StartKind{hierarchical},
                                       StartKind{random_rows}, StartKind{k_means_plus_plus}, StartKind{random_shares},
                                       StartKind{random_rows}};
    static constexpr std::array numbers{StartKind{k_means},
                                        StartKind{hierarchical, whitened},
                                        StartKind{k_means, raw},
                                        StartKind{hierarchical},
                                        StartKind{quantiles},
                                        StartKind{k_means, whitened},
                                        StartKind{random_rows},
                                        StartKind{hierarchical, raw},
                                        StartKind{k_means_plus_plus},
                                        StartKind{random_shares},
                                        StartKind{random_rows, whitened},
                                        StartKind{k_means_plus_plus, raw},
                                        StartKind{random_rows, raw}};
    static constexpr std::array others{StartKind{k_means}, StartKind{hierarchical}, StartKind{random_rows},
                                       StartKind{k_means_plus_plus}, StartKind{random_shares}};
    const bool all_numbers = std::ranges::none_of(schema.columns, [](const Column& column) {
        return column.kind == ColumnKind::category || column.kind == ColumnKind::text;
    });
    if (!all_numbers) return others[attempt % others.size()];
    if (schema.columns.size() == 1) return in_one[attempt % in_one.size()];
    return numbers[attempt % numbers.size()];
}

// The mean of the points of each group.
Matrix means_of(const Matrix& points, const std::vector<double>& weight, const std::vector<std::int32_t>& group,
                std::size_t count) {
    Matrix means(count, points.column_count);
    std::vector<double> total(count);
    for (std::size_t row = 0; row < points.row_count; ++row) {
        const auto c = static_cast<std::size_t>(group[row]);
        total[c] += weight[row];
        for (std::size_t j = 0; j < points.column_count; ++j)
            means(c, j) += (points(row, j) - means(c, j)) * weight[row] / std::max(total[c], 1e-300);
    }
    return means;
}

// Groups of the rows in the sample, by Ward's method or by quantiles.
std::vector<std::int32_t> sample_groups(const Matrix& points, const std::vector<double>& weight, MixtureStart start,
                                        std::size_t count) {
    return start == MixtureStart::hierarchical ? ward_groups(points, weight, count)
                                               : quantile_groups(points, weight, count);
}

// What a look at a sample says of the start: centres, or the group of every row.
struct StartPlaces {
    Matrix centres = {};
    std::vector<double> group_of = {};  // by the row's number; -1: of none
    static constexpr auto fields =
        FieldTuple{field("centres", &StartPlaces::centres), field("group_of", &StartPlaces::group_of)};
};

Result<StartPlaces> places_on(const RowSample& sample, const Embedding& embedding, std::size_t count, StartKind kind,
                              Rng rng, const Context& context) {
    const Matrix points = embedding.points(sample);
    auto centres = drawn_rows(points, sample.row_weight, count, kind.start, rng);
    if (!centres) return centres.error();  // too few distinct rows, whatever the start
    if (kind.start == MixtureStart::k_means) centres = k_means_centres(points, sample.row_weight, count, rng, context);
    if (!centres) return centres.error();
    StartPlaces found;
    if (kind.start == MixtureStart::hierarchical || kind.start == MixtureStart::quantiles) {
        const auto groups = sample_groups(points, sample.row_weight, kind.start, count);
        const bool all_rows = sample.size() < sample.limit;
        if (!groups.empty() && all_rows) {
            found.group_of.assign(sample.number.back() + 1, -1);
            for (std::size_t at = 0; at < groups.size(); ++at) found.group_of[sample.number[at]] = groups[at];
            return found;
        }
        if (!groups.empty()) *centres = means_of(points, sample.row_weight, groups, count);
    }
    found.centres = std::move(*centres);
    return found;
}

}  // namespace

Embedding::Embedding(const Schema& schema, const LookedAt& looked, StartUnits units) {
    const RowSample& sample = looked.sample;
    for (std::size_t k = 0; k < looked.columns.size(); ++k) {
        const Column& column = schema.columns[looked.columns[k]];
        Piece piece;
        if (column.kind == ColumnKind::category) piece.width = column.levels.size();
        piece.mean.assign(piece.width, 0.0);
        double total = 0, scatter = 0;
        for (std::size_t row = 0; row < sample.size(); ++row) {
            const double x = sample.values[row * sample.width + k], w = sample.row_weight[row];
            if (std::isnan(x)) continue;
            total += w;
            if (column.kind == ColumnKind::category) {
                const auto level = static_cast<std::size_t>(x);
                if (x >= 0 && level < piece.width) piece.mean[level] += w;
            } else {
                const double way = x - piece.mean[0];
                piece.mean[0] += way * w / total;
                scatter += w * way * (x - piece.mean[0]);
            }
        }
        if (column.kind == ColumnKind::category) {
            for (double& m : piece.mean) m /= std::max(total, 1e-300);
        } else if (scatter > 0) {
            const double variance = scatter / total;
            if (units != StartUnits::raw) piece.scale = 1 / std::sqrt(variance);
            if (least_variance_ == 0 || variance < least_variance_) least_variance_ = variance;
        }
        dimension_ += piece.width;
        pieces_.push_back(std::move(piece));
    }
    if (units == StartUnits::whitened) whiten(sample);
}

// By the factor of the correlations: distances become Mahalanobis distances under the covariance of all rows.
void Embedding::whiten(const RowSample& sample) {
    const std::size_t d = dimension_;
    const Matrix all = points(sample);
    std::vector<double> scatter(d * d);
    double total = 0;
    for (std::size_t row = 0; row < all.row_count; ++row) {
        total += sample.row_weight[row];
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                scatter[i * d + j] += sample.row_weight[row] * all(row, i) * all(row, j);
    }
    for (double& each : scatter) each /= std::max(total, 1e-300);
    for (std::size_t i = 0; i < d; ++i) scatter[i * (d + 1)] += 1e-9;
    if (!factorize(scatter, d)) return;
    turn_.resize(d * d);
    inverse_lower(scatter, d, turn_);
}

Matrix Embedding::points(const RowSample& sample) const {
    Matrix made(sample.size(), dimension_);
    write({sample.values.data(), sample.size(), sample.width, static_cast<std::ptrdiff_t>(sample.width)}, made.values);
    return made;
}

void Embedding::write(kernel::Rows rows, std::vector<double>& points) const {
    points.assign(rows.row_count * dimension_, 0.0);
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        double* out = points.data() + row * dimension_;
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            const Piece& piece = pieces_[k];
            const double x = rows.row(row)[k];
            if (piece.width == 1 && !std::isnan(x)) {
                out[0] = (x - piece.mean[0]) * piece.scale;
            } else if (!std::isnan(x) && x >= 0 && x < static_cast<double>(piece.width)) {
                for (std::size_t level = 0; level < piece.width; ++level) out[level] = -piece.mean[level];
                out[static_cast<std::size_t>(x)] += 1;
            }
            out += piece.width;
        }
        if (turn_.empty()) continue;
        double* point = points.data() + row * dimension_;
        for (std::size_t i = dimension_; i-- > 0;)
            point[i] = std::inner_product(point, point + i + 1, &turn_[i * dimension_], 0.0);
    }
}

Result<void> check_distinct(const Schema& schema, const LookedAt& looked, std::size_t count) {
    const Embedding embedding(schema, looked);
    if (embedding.dimension() == 0) return {};
    Rng rng(0, "distinct");
    const auto rows = spread_rows(embedding.points(looked.sample), looked.sample.row_weight, count, rng);
    if (rows.size() < count) return too_few_distinct(rows.size(), count);
    return {};
}

Result<Classifier> start_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked, MixtureStart start,
                                 std::uint64_t attempt, const Context& context) {
    const ModelStatistic blank = recipe.statistic.blank();
    const std::size_t count = blank.schema.classes.size();
    const StartKind kind = kind_of(start, attempt, blank.schema);
    const Embedding embedding(blank.schema, looked, kind.units);
    if (kind.start == MixtureStart::random_shares || embedding.dimension() == 0)
        return start_by(RandomShares{blank, Rng(context.seed, "shares").fork(attempt)}, recipe, stream, context);
    const auto places = once<StartPlaces>(stream.rounds(), [&] {
        return places_on(looked.sample, embedding, count, kind, Rng(context.seed, "mixture").fork(attempt), context);
    });
    if (!places) return places.error();
    if (!places->group_of.empty()) {
        const std::vector<std::int32_t> label_of(places->group_of.begin(), places->group_of.end());
        return start_by(LabelledRows{blank, label_of, false}, recipe, stream, context);
    }
    return start_by(
        NearestRows{blank, looked.columns, embedding, places->centres, std::vector<double>(embedding.dimension())},
        recipe, stream, context);
}

Result<Classifier> start_from_shares(const ModelState& recipe, Stream& stream, std::span<const double> share,
                                     const Context& context) {
    const ModelStatistic blank = recipe.statistic.blank();
    return start_by(StatedShares{blank, share}, recipe, stream, context);
}

Result<Classifier> start_from_labels(const ModelState& recipe, Stream& stream, std::span<const std::int32_t> label_of,
                                     const Context& context) {
    const ModelStatistic blank = recipe.statistic.blank();
    return start_by(LabelledRows{blank, label_of}, recipe, stream, context);
}

}  // namespace suffice
