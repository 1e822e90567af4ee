// Cuts, codes and scores documents unit by unit, in whatever order threads come to them.
#include "suffice/model/document_score.hpp"

#include <memory>
#include <mutex>
#include <optional>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/encode/document_stream.hpp"

namespace suffice {
namespace {

struct ThreadLane {
    std::unique_ptr<Stream::Lane> lane;
};

}  // namespace

Result<void> score_documents(const Predictor& model, const Vocabulary& words,
                             std::span<const std::string_view> documents,
                             const std::function<ScoreSink(std::size_t)>& sink, const Context& context) {
    const Column& column = model.schema().columns.at(0);
    Schema names;
    names.columns.push_back({column.name, column.kind, {}, 0, column.text});
    const DocumentStream stream({documents, {}, {}}, std::move(names), false, &words);
    Context alone;
    alone.thread_count = 1;
    std::mutex guard;
    std::optional<Error> failure;  // of the earliest document that failed
    const auto score = [&](std::size_t unit, Workspace& workspace) -> Result<void> {
        auto& lane = workspace.of<ThreadLane>().lane;
        if (lane == nullptr) lane = stream.lane();
        const auto block = stream.decode(unit, *lane);
        if (!block) return block.error();
        return model.score(block->rows, sink(block->first_row), alone, block->first_row);
    };
    for_each_unit(stream.unit_count(), useful_threads(context, stream.byte_count()), context,
                  [&](std::size_t unit, Workspace& workspace) {
                      const auto scored = score(unit, workspace);
                      const std::scoped_lock lock(guard);
                      if (!scored && (!failure || scored.error().row < failure->row)) failure = scored.error();
                  });
    if (failure) return *failure;
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    return {};
}

}  // namespace suffice
