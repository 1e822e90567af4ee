// Lloyd's steps over a stream.
#include "suffice/group/k_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/row_sample.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/group/group_step.hpp"
#include "suffice/group/k_means_swap.hpp"
#include "suffice/group/step_limit_note.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/nearest.hpp"
#include "suffice/model/first_columns.hpp"

namespace suffice {
namespace {

// Rounding of a sum of squares that is made from larger ones.
constexpr double rounding_of_sums = 1e-11;
// Moves of a centre tried on the sample after the starts: so many of the most promising before it counts as settled.
constexpr std::size_t swaps_at_once = 4, most_swaps = 24;

// A row worth moving an empty centre to.
struct FarRow {
    double cost = 0;  // weight times squared distance
    std::uint64_t number = 0;
    std::vector<double> values = {};
    static constexpr auto fields =
        FieldTuple{field("cost", &FarRow::cost), field("number", &FarRow::number), field("values", &FarRow::values)};
    bool operator==(const FarRow&) const = default;
    bool beats(const FarRow& other) const { return cost != other.cost ? cost > other.cost : number < other.number; }
};

struct Assigned {
    std::vector<double> centre_weight, sum;  // sum: of w (x - origin)
    double square = 0;                       // of w |x - origin|^2, in the first pass
    double inertia = 0;                      // where distances are taken
    FarRow farthest = {};
    static constexpr auto fields =
        FieldTuple{field("centre_weight", &Assigned::centre_weight), field("sum", &Assigned::sum),
                   field("square", &Assigned::square), field("inertia", &Assigned::inertia),
                   field("farthest", &Assigned::farthest)};
    bool operator==(const Assigned&) const = default;

    double weight() const {
        double all = 0;
        for (double w : centre_weight) all += w;
        return all;
    }
    void merge(const Assigned& from) {
        add_sums(centre_weight, from.centre_weight);
        add_sums(sum, from.sum);
        square += from.square;
        inertia += from.inertia;
        if (from.farthest.beats(farthest)) farthest = from.farthest;
    }
};

struct AssignScratch {
    std::vector<double> gathered, distance, square;
    std::vector<std::int32_t> nearest;
};

struct AssignRows {
    using Statistic = Assigned;
    std::vector<std::uint32_t> columns;
    std::vector<double> origin;
    const std::vector<double>& centres;  // relative to the origin
    bool squares = false;
    bool distances = false;
    std::int32_t* nearest_of = nullptr;  // of all rows, or none
    double* distance_of = nullptr;

    std::size_t centre_count() const { return centres.size() / columns.size(); }
    Assigned empty() const { return {std::vector<double>(centre_count()), std::vector<double>(centres.size())}; }
    std::size_t footprint() const { return centres.size() * sizeof(double); }

    Result<void> observe(Assigned& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& scratch = workspace.of<AssignScratch>();
        const kernel::Rows rows = rows_of(unit.rows, columns, scratch.gathered);
        const double* weight = unit.weight.empty() ? nullptr : unit.weight.data();
        scratch.nearest.resize(rows.row_count);
        if (distances) scratch.distance.resize(rows.row_count);
        kernel::nearest_centres(rows, weight, origin.data(), centres.data(), centre_count(), scratch.nearest.data(),
                                into.centre_weight.data(), into.sum.data(),
                                distances ? scratch.distance.data() : nullptr);
        if (squares) add_squares(into, rows, weight, scratch);
        for (std::size_t row = 0; distances && row < rows.row_count; ++row) {
            const FarRow seen{unit.weight_of(row) * scratch.distance[row], unit.first_row + row};
            into.inertia += seen.cost;
            if (!seen.beats(into.farthest)) continue;
            into.farthest = seen;
            into.farthest.values.assign(rows.row(row), rows.row(row) + columns.size());
        }
        const auto first = static_cast<std::ptrdiff_t>(unit.first_row);
        if (nearest_of != nullptr) std::ranges::copy(scratch.nearest, nearest_of + first);
        if (distance_of != nullptr) std::ranges::copy(scratch.distance, distance_of + first);
        return {};
    }

private:
    void add_squares(Assigned& into, kernel::Rows rows, const double* weight, AssignScratch& scratch) const {
        std::vector<double> sum(columns.size());
        double total = 0;
        scratch.square.assign(columns.size(), 0.0);
        kernel::class_moments(rows, nullptr, weight, 1, origin.data(), &total, sum.data(), scratch.square.data());
        for (double s : scratch.square) into.square += s;
    }
};

class Lloyd {
public:
    Lloyd(Stream& stream, std::vector<double> origin, const KMeansSettings& settings, const Context& context)
        : stream_(stream), origin_(std::move(origin)), settings_(settings), context_(context) {}

    // `centres` are in the columns' own units.
    Result<KMeans> run(const Matrix& centres) {
        KMeans done;
        const std::size_t d = origin_.size();
        std::vector<double> current(centres.values);
        for (std::size_t at = 0; at < current.size(); ++at) current[at] -= origin_[at % d];
        double limit = 0;
        for (; done.steps < settings_.step_limit && !done.settled; ++done.steps) {
            auto seen = pass(current, done.steps == 0, false);
            if (!seen) return seen.error();
            if (done.steps == 0) {
                square_ = seen->square;
                if (!std::isfinite(square_)) return Error("the values are too large for squared distances");
                limit = settings_.tolerance * square_ / std::max(seen->weight(), 1e-300) / static_cast<double>(d);
            }
            done.path.push_back(inertia_of(current, *seen));
            if (settings_.follow) done.followed.push_back(with_weight(in_columns(current), seen->centre_weight));
            if (done.steps > 0 && done.path.back() > done.path[done.steps - 1] + rounding_of_sums * square_)
                return Error(ErrorKind::internal, "the sum of squared distances rose in a step of k-means");
            auto next = means(current, *seen);
            if (!next) return next.error();
            double moved = 0;
            for (std::size_t at = 0; at < current.size(); ++at)
                moved += ((*next)[at] - current[at]) * ((*next)[at] - current[at]);
            current = std::move(*next);
            done.settled = moved <= limit;
        }
        auto last = pass(current, false, true);
        if (!last) return last.error();
        done.inertia = last->inertia;
        done.weight = std::move(last->centre_weight);
        done.centres = in_columns(current);
        if (settings_.follow) done.followed.push_back(with_weight(done.centres, done.weight));
        return done;
    }

private:
    Result<Assigned> pass(const std::vector<double>& centres, bool squares, bool distances) {
        if (auto again = stream_.rewind(); !again) return again.error();
        return fold(AssignRows{first_columns(origin_.size()), origin_, centres, squares, distances}, stream_, context_);
    }
    // Centres relative to the origin in the columns' own units.
    Matrix in_columns(const std::vector<double>& relative) const {
        const std::size_t d = origin_.size();
        Matrix centres(relative.size() / d, d);
        for (std::size_t at = 0; at < relative.size(); ++at) centres.values[at] = relative[at] + origin_[at % d];
        return centres;
    }
    // sum of w |x - c|^2 = sum of w |x|^2 - sum over centres of (2 c.s - W |c|^2): no distance is ever taken.
    double inertia_of(const std::vector<double>& centres, const Assigned& seen) const {
        double saved = 0;
        const std::size_t d = origin_.size();
        for (std::size_t at = 0; at < centres.size(); ++at)
            saved += centres[at] * (2 * seen.sum[at] - seen.centre_weight[at / d] * centres[at]);
        return std::max(square_ - saved, 0.0);
    }
    // One empty centre at a time goes to the costliest row: each such move lowers the sum, so this ends.
    Result<std::vector<double>> means(const std::vector<double>& centres, const Assigned& seen) {
        std::vector<double> next(centres);
        std::optional<std::size_t> empty;
        const std::size_t d = origin_.size();
        for (std::size_t c = 0; c < seen.centre_weight.size(); ++c) {
            if (!(seen.centre_weight[c] > 0)) {
                if (!empty) empty = c;
                continue;
            }
            for (std::size_t j = 0; j < d; ++j) next[c * d + j] = seen.sum[c * d + j] / seen.centre_weight[c];
        }
        if (!empty) return next;
        auto far = pass(next, false, true);
        if (!far) return far.error();
        for (std::size_t j = 0; far->farthest.cost > 0 && j < d; ++j)
            next[*empty * d + j] = far->farthest.values[j] - origin_[j];
        return next;
    }

    Stream& stream_;
    std::vector<double> origin_;
    const KMeansSettings& settings_;
    const Context& context_;
    double square_ = 0;
};

std::vector<double> weighted_mean(const RowSample& sample) {
    std::vector<double> mean(sample.width);
    double total = 0;
    for (std::size_t row = 0; row < sample.size(); ++row) {
        total += sample.row_weight[row];
        for (std::size_t j = 0; j < mean.size(); ++j)
            mean[j] += (sample.values[row * mean.size() + j] - mean[j]) * sample.row_weight[row] / total;
    }
    return mean;
}

Matrix rows_at(const Matrix& points, const std::vector<std::size_t>& which) {
    Matrix some(which.size(), points.column_count);
    for (std::size_t k = 0; k < which.size(); ++k) std::ranges::copy(points.row(which[k]), some.row(k).begin());
    return some;
}

// Centres to begin with, how the sum of squares fell on the way to them, and the steps of all that was tried.
struct FoundStart {
    Matrix centres = {};
    std::vector<double> path = {};
    std::vector<Matrix> followed = {};
    std::uint64_t steps = 0;
    static constexpr auto fields =
        FieldTuple{field("centres", &FoundStart::centres), field("path", &FoundStart::path),
                   field("followed", &FoundStart::followed), field("steps", &FoundStart::steps)};

    void take(KMeans& tried) {
        centres = std::move(tried.centres);
        path = std::move(tried.path);
        followed = std::move(tried.followed);
        if (!followed.empty()) followed.pop_back();  // the next search begins there
    }
};

// The best of several starts on a sample of the rows, and of moves of single centres from there.
Result<FoundStart> start_on(const RowSample& sample, const std::vector<double>& origin, const Schema& schema,
                            const KMeansSettings& settings, const Context& context) {
    FoundStart found{.centres = settings.given};
    if (settings.start == CentreStart::given) return found;
    const std::size_t k = settings.centre_count;
    Matrix points(sample.size(), sample.width);
    points.values = sample.values;
    const auto width = static_cast<std::ptrdiff_t>(sample.width);
    MemoryStream some({DenseBlock{points.values.data(), Element::f64, sample.size(), sample.width, width, 1},
                       {},
                       sample.row_weight,
                       0},
                      schema);
    double least = std::numeric_limits<double>::infinity();
    const Rng rng(context.seed, "k_means");
    for (std::size_t s = 0; s < settings.starts; ++s) {
        Rng own = rng.fork(s);
        const auto rows = settings.start == CentreStart::random_rows ? random_rows(sample.row_weight, k, own)
                                                                     : spread_rows(points, sample.row_weight, k, own);
        if (settings.starts == 1) {
            found.centres = rows_at(points, rows);
            break;
        }
        auto tried = Lloyd(some, origin, settings, context).run(rows_at(points, rows));
        if (!tried) return tried.error();
        found.steps += tried->steps;
        if (tried->inertia >= least) continue;
        least = tried->inertia;
        found.take(*tried);
    }
    Rng swapping = rng.fork(settings.starts);
    for (std::size_t trials = 0, better = 1; settings.starts > 1 && better > 0 && trials < most_swaps;) {
        better = 0;
        for (const Matrix& swapped :
             swapped_centres(points, sample.row_weight, found.centres, swaps_at_once, swapping)) {
            ++trials;
            auto tried = Lloyd(some, origin, settings, context).run(swapped);
            if (!tried) return tried.error();
            found.steps += tried->steps;
            if (!(tried->inertia < least * (1 - 1e-9))) continue;
            ++better;
            least = tried->inertia;
            found.take(*tried);
            break;
        }
    }
    return found;
}

}  // namespace

Result<void> KMeansSettings::check(std::size_t column_count) const {
    const auto usage = [](const char* sentence) { return Error(ErrorKind::usage, sentence); };
    if (column_count == 0) return Error("k-means needs at least one column of numbers");
    if (centre_count == 0) return usage("the number of centres must be at least 1");
    if (starts == 0) return usage("the number of starts must be at least 1");
    if (step_limit == 0) return usage("the limit of steps must be at least 1");
    if (!(tolerance >= 0)) return usage("the tolerance must be zero or a positive number");
    if (start != CentreStart::given) return {};
    if (given.row_count != centre_count || given.column_count != column_count)
        return usage("the given centres must be as many as asked for, with a value for each column");
    for (double v : given.values)
        if (!std::isfinite(v)) return usage("the given centres must be finite numbers");
    return {};
}

Result<KMeans> fit_k_means(Stream& stream, const Schema& schema, const KMeansSettings& settings,
                           const Context& context) {
    const std::size_t k = settings.centre_count;
    for (const Column& column : schema.columns)
        if (column.kind == ColumnKind::category || column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "k-means takes numbers only").in_column(column.name);
    if (auto checked = settings.check(schema.columns.size()); !checked) return checked.error();
    const auto looked = look_at_rows(stream, schema, {std::max(settings.sample_limit, 20 * k), false}, context);
    if (!looked) return looked.error();
    const RowSample& sample = looked->sample;
    if (sample.size() < k)
        return Error("there are " + std::to_string(sample.size()) + " rows, too few for " + std::to_string(k) +
                     " centres");
    const auto origin = weighted_mean(sample);
    const auto found =
        once<FoundStart>(stream.rounds(), [&] { return start_on(sample, origin, schema, settings, context); });
    if (!found) return found.error();
    auto done = Lloyd(stream, origin, settings, context).run(found->centres);
    if (!done) return done.error();
    done->search_steps = found->steps;
    // Where the sample is all rows, the steps of its start are steps of these rows. A last one that moved nothing is
    // repeated by the first one here, and is one step.
    if (sample.size() < std::max(settings.sample_limit, 20 * k) && !found->path.empty()) {
        const bool repeated = std::abs(found->path.back() - done->path.front()) <= 1e-12 * found->path.back();
        const auto own = static_cast<std::ptrdiff_t>(found->path.size()) - (repeated ? 1 : 0);
        done->steps += static_cast<std::size_t>(own);
        done->path.insert(done->path.begin(), found->path.begin(), found->path.begin() + own);
        if (!found->followed.empty())
            done->followed.insert(done->followed.begin(), found->followed.begin(), found->followed.begin() + own);
    }
    const auto empty = std::ranges::count_if(done->weight, [](double w) { return !(w > 0); });
    if (empty > 0 || done->centres.row_count < k)
        done->notes.push_back("there are fewer distinct rows than centres; some centres have no rows");
    if (!done->settled)
        done->notes.push_back(step_limit_note("k-means", settings.step_limit, "the sum of squares still fell",
                                              done->path.back() - done->inertia));
    return done;
}

Result<std::vector<std::int32_t>> KMeans::predict(const LabeledBlock& rows, const Context& context,
                                                  std::vector<double>* squared_distance) const {
    const std::size_t n = rows.size(), d = centres.column_count;
    if (column_count(rows.rows) != d)
        return Error(ErrorKind::usage, "the rows have " + std::to_string(column_count(rows.rows)) +
                                           " columns and the centres " + std::to_string(d));
    std::vector<std::int32_t> nearest(n);
    if (squared_distance != nullptr) squared_distance->resize(n);
    std::vector<double> origin(d), relative(centres.values);
    for (std::size_t at = 0; at < relative.size(); ++at)
        origin[at % d] += relative[at] / static_cast<double>(centres.row_count);
    for (std::size_t at = 0; at < relative.size(); ++at) relative[at] -= origin[at % d];
    LabeledBlock from_zero = rows;
    from_zero.first_row = 0;
    MemoryStream stream(from_zero, {});
    auto seen = fold(AssignRows{first_columns(d), origin, relative, false, true, nearest.data(),
                                squared_distance != nullptr ? squared_distance->data() : nullptr},
                     stream, context);
    if (!seen) return seen.error();
    if (!std::isfinite(seen->inertia)) return Error("k-means needs finite numbers without missing values");
    return nearest;
}

Result<Matrix> KMeans::distances(const LabeledBlock& rows) const {
    const std::size_t d = centres.column_count;
    if (column_count(rows.rows) != d) return Error(ErrorKind::usage, "the rows and the centres differ in columns");
    std::vector<double> gathered;
    const kernel::Rows all = rows_of(rows.rows, first_columns(d), gathered);
    Matrix far(all.row_count, centres.row_count);
    for (std::size_t row = 0; row < all.row_count; ++row)
        for (std::size_t c = 0; c < centres.row_count; ++c) {
            double sum = 0;
            for (std::size_t j = 0; j < d; ++j)
                sum += (all.row(row)[j] - centres(c, j)) * (all.row(row)[j] - centres(c, j));
            far(row, c) = std::sqrt(sum);
        }
    return far;
}

}  // namespace suffice
