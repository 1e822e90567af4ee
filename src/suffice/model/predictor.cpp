// Scores rows by tiles on several threads, the same way for every kind of model.
#include "suffice/model/predictor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/base/together.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice {

double Predictor::weight() const { return std::accumulate(class_weight().begin(), class_weight().end(), 0.0); }

double Predictor::bic() const {
    return bayesian_criterion(log_likelihood(), static_cast<double>(parameter_count()), weight());
}

namespace {

// Rows handed out at a time: so few that the last thread does not work long alone.
std::size_t unit_of(std::size_t total) {
    constexpr std::size_t units_at_least = 32, tile = Predictor::tile_rows;
    return std::clamp(total / units_at_least / tile * tile, tile, MemoryStream::unit_rows);
}

// What becomes of a tile of log joints whose first row is `row` of the sink.
void write_tile(kernel::Tile tile, std::size_t row, const ScoreSink& sink) {
    double* evidence = sink.log_evidence != nullptr ? sink.log_evidence + row : nullptr;
    if (sink.best != nullptr) kernel::argmax(tile, sink.best + row);
    if (sink.form == ScoreSink::Form::posterior && (sink.scores != nullptr || evidence != nullptr))
        kernel::softmax(tile, evidence);
    if (sink.form == ScoreSink::Form::log_posterior) kernel::log_softmax(tile, evidence);
    if (sink.scores != nullptr)
        kernel::transpose_out(tile, sink.scores + static_cast<std::ptrdiff_t>(row) * sink.stride, sink.stride);
}

}  // namespace

Result<void> Predictor::score(const Block& rows, const ScoreSink& sink, const Context& context,
                              std::uint64_t first_row) const {
    const bool exact = sink.log_evidence != nullptr || (sink.form == ScoreSink::Form::log_joint && !sink.plain);
    if (sink.log_evidence != nullptr)
        if (auto dense = check_density(); !dense) return dense;
    const Exactness exactness = exact ? Exactness::density : Exactness::posterior;
    const std::size_t total = row_count(rows), unit = unit_of(total);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> odd{false};
    std::mutex guard;
    std::optional<Error> failure;
    std::exception_ptr thrown;
    const auto score_units = [&] {
        Workspace workspace;
        for (std::size_t first; (first = next.fetch_add(unit)) < total && !context.stopped();) {
            const std::size_t count = std::min(unit, total - first);
            auto scored = for_each_tile(
                slice(rows, first, count), exactness, workspace, first_row + first,
                [&](std::size_t at, const Block&, kernel::Tile tile) { write_tile(tile, first + at, sink); });
            if (!scored) {
                const std::scoped_lock lock(guard);
                if (!failure || scored.error().row < failure->row) failure = scored.error();
                next = total;
            }
        }
        if (workspace.of<RescuedRows>().any) odd = true;
    };
    const auto work = [&] {  // what one throws ends the others too, and comes out behind them
        try {
            score_units();
        } catch (...) {
            const std::scoped_lock lock(guard);
            if (!thrown) thrown = std::current_exception();
            next = total;
        }
    };
    const std::uint64_t bytes = total * std::max<std::size_t>(column_count(rows), 1) * sizeof(double);
    join_in(useful_threads(context, bytes), work);
    if (thrown) std::rethrow_exception(thrown);
    if (sink.odd != nullptr && odd) *sink.odd = true;
    if (failure) return *failure;
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    return {};
}

Result<Matrix> Predictor::posteriors(const Block& rows, const Context& context) const {
    return guarded([&]() -> Result<Matrix> {
        Matrix all(row_count(rows), class_count());
        ScoreSink sink;
        sink.scores = all.values.data();
        sink.stride = static_cast<std::ptrdiff_t>(class_count());
        if (auto scored = score(rows, sink, context); !scored) return scored.error();
        return all;
    });
}

Result<std::vector<std::int32_t>> Predictor::predict(const Block& rows, const Context& context) const {
    std::vector<std::int32_t> codes(row_count(rows));
    ScoreSink sink;
    sink.best = codes.data();
    if (auto scored = score(rows, sink, context); !scored) return scored.error();
    return codes;
}

Result<Explanation> Predictor::explain(const Block& rows, std::size_t row, std::uint64_t first_row) const {
    Workspace workspace;
    const auto scored = for_each_tile(slice(rows, row, 1), Exactness::posterior, workspace, first_row + row,
                                      [](std::size_t, const Block&, kernel::Tile) {});
    if (!scored) return scored.error();
    return contributions(rows, row);
}

}  // namespace suffice
