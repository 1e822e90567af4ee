// Embeds rows, finds centres, and gathers the first statistics of EM.
#include "suffice/model/mixture_start.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/fold.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/nearest.hpp"
#include "suffice/model/k_means.hpp"

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

Result<Matrix> find_centres(const Matrix& points, const std::vector<double>& weight, std::size_t count,
                            MixtureStart start, std::uint64_t attempt, const Context& context) {
    Rng rng = Rng(context.seed, "mixture").fork(attempt);
    const auto rows =
        start == MixtureStart::random_rows ? random_rows(weight, count, rng) : spread_rows(points, weight, count, rng);
    if (rows.size() < count)
        return Error("there are only " + std::to_string(rows.size()) + " distinct rows, too few for " +
                     std::to_string(count) + " components");
    if (start != MixtureStart::k_means) {
        Matrix centres(count, points.column_count);
        for (std::size_t c = 0; c < count; ++c) std::ranges::copy(points.row(rows[c]), centres.row(c).begin());
        return centres;
    }

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

}  // namespace

Embedding::Embedding(const Schema& schema, const LookedAt& looked) {
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
            piece.scale = 1 / std::sqrt(variance);
            if (least_variance_ == 0 || variance < least_variance_) least_variance_ = variance;
        }
        dimension_ += piece.width;
        pieces_.push_back(std::move(piece));
    }
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
    }
}

Result<Classifier> start_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked, MixtureStart start,
                                 std::uint64_t attempt, const Context& context) {
    const ModelStatistic blank = recipe.statistic.blank();
    const std::size_t count = blank.schema.classes.size();
    const auto begin = [&](const auto& pass) -> Result<Classifier> {
        if (auto again = stream.rewind(); !again) return again.error();
        auto gathered = fold(pass, stream, context);
        if (!gathered) return gathered.error();
        return Classifier::from({recipe.model, recipe.settings, std::move(*gathered)});
    };
    const Embedding embedding(blank.schema, looked);
    if (start == MixtureStart::random_shares || embedding.dimension() == 0)
        return begin(RandomShares{blank, Rng(context.seed, "shares").fork(attempt)});
    const RowSample& sample = looked.sample;
    Matrix points(sample.size(), embedding.dimension());
    embedding.write({sample.values.data(), sample.size(), sample.width, static_cast<std::ptrdiff_t>(sample.width)},
                    points.values);
    auto centres = find_centres(points, sample.row_weight, count, start, attempt, context);
    if (!centres) return centres.error();
    return begin(NearestRows{blank, looked.columns, embedding, *centres, std::vector<double>(embedding.dimension())});
}

}  // namespace suffice
