// Hands tiles of rows to threads and finishes their scores.
#include "core/score_tiles.hpp"

#include <algorithm>
#include <atomic>

#include "core/running.hpp"

#include "suffice/accumulate/fold.hpp"
#include "suffice/base/together.hpp"
#include "suffice/kernel/gather.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice::python {
namespace {

constexpr std::size_t tile_rows = 256, units_at_least = 32;
constexpr std::size_t tile_stride = tile_rows + 8;  // no power of two, or all classes would share a set of the cache

enum class Form : std::uint8_t { posterior, log_posterior, joint, best };

Form form_of(const std::string& name) {
    if (name == "posterior") return Form::posterior;
    if (name == "log_posterior") return Form::log_posterior;
    if (name == "joint") return Form::joint;
    if (name == "best") return Form::best;
    throw Exception(Error(ErrorKind::usage, "there is no form of scores " + name));
}

struct Target {
    Form form = Form::posterior;
    double* scores = nullptr;
    std::int32_t* best = nullptr;
};

bool finish(kernel::Tile tile, std::size_t row, const Target& target) {
    bool finite = true;
    for (std::size_t c = 0; c < tile.class_count; ++c)
        finite = finite && kernel::all_finite(tile.of_class(c), tile.row_count);
    const auto width = static_cast<std::ptrdiff_t>(tile.class_count);
    if (target.form == Form::best) {
        kernel::argmax(tile, target.best + row);
    } else {
        if (target.form == Form::posterior) kernel::softmax(tile, nullptr);
        if (target.form == Form::log_posterior) kernel::log_softmax(tile, nullptr);
        kernel::transpose_out(tile, target.scores + static_cast<std::ptrdiff_t>(row) * width, width);
    }
    return finite;
}

// Of two classes, where the second's line has its score less the first's.
bool finish_difference(kernel::Tile tile, std::size_t row, const Target& target) {
    if (target.form == Form::posterior) {
        kernel::two_posteriors(tile.of_class(1), tile.row_count, target.scores + 2 * row);
        return kernel::all_finite(tile.of_class(1), tile.row_count);
    }
    std::fill_n(tile.of_class(0), tile.row_count, 0.0);
    return finish(tile, row, target);
}

// Rows handed out at a time: so few that the last thread does not work long alone.
std::size_t unit_of(std::size_t total) {
    return std::clamp(total / units_at_least / tile_rows * tile_rows, tile_rows, MemoryStream::unit_rows);
}

kernel::Tile lines_from(const kernel::Tile& tile, std::size_t first) {
    return {tile.of_class(first), tile.row_count, tile.class_count - first, tile.stride};
}

// Tiles in any order by any number of threads: each row's answer is its own. The result says whether all were finite.
bool score_rows(const RowsToScore& rows, const AddScores& add, const Target& target, const Context& context) {
    const std::size_t total = rows.row_count, unit = unit_of(total);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> finite{true};
    const auto work = [&] {
        TileScratch scratch;
        scratch.joint.resize(tile_stride * rows.class_count);
        for (std::size_t first; (first = next.fetch_add(unit)) < total && !context.stopped();)
            for (std::size_t row = first, end = std::min(first + unit, total); row < end; row += tile_rows) {
                const std::size_t count = std::min(tile_rows, end - row);
                const kernel::Tile tile{scratch.joint.data(), count, rows.class_count, tile_stride};
                for (std::size_t c = 0; c < rows.class_count && !rows.difference; ++c)
                    std::fill_n(tile.of_class(c), count, 0.0);
                const bool known = add(row, rows.difference ? lines_from(tile, 1) : tile, scratch);
                const bool good = rows.difference ? finish_difference(tile, row, target) : finish(tile, row, target);
                if (!good || !known) finite = false;
            }
    };
    join_in(useful_threads(context, rows.work), work);
    return finite;
}

}  // namespace

nb::tuple score_tiles(const RowsToScore& rows, const std::string& form, int threads, const AddScores& add) {
    Target target{form_of(form), nullptr, nullptr};
    Array<double> scores;
    Array<std::int32_t> best;
    if (target.form == Form::best) {
        best = new_array<std::int32_t>({rows.row_count});
        target.best = best.data();
    } else {
        scores = new_array<double>({rows.row_count, rows.class_count});
        target.scores = scores.data();
    }
    bool finite = true, stopped = false;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        finite = score_rows(rows, add, target, running.context());
        stopped = running.context().stopped();
    }
    if (stopped) throw Exception(Error(ErrorKind::cancelled, "the computation was stopped"));
    if (target.form == Form::best) return nb::make_tuple(best, finite);
    return nb::make_tuple(scores, finite);
}

}  // namespace suffice::python
