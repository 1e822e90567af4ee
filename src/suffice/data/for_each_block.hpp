// The blocks of a stream by one thread, in order: for what learns row after row, or looks for one of them.
#pragma once
#include "suffice/data/stream.hpp"

namespace suffice {

// visit(block, lane) -> Result<bool>; false: enough seen. Its errors are told where the user finds the row.
template <class Visit>
Result<void> for_each_block(Stream& stream, Visit visit, const Context& context = {}) {
    const auto unit = stream.drawn();
    const auto lane = stream.lane();
    for (;;) {
        if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        if (context.progress) context.progress(stream.progress());
        const auto more = stream.draw(*unit);
        if (!more) return more.error();
        if (!*more) return {};
        auto block = stream.decode(*unit, *lane);
        if (!block) return block.error();
        const Result<bool> goes_on = visit(*block, *lane);
        if (!goes_on) return stream.located(goes_on.error(), *lane);
        if (!*goes_on) return {};
    }
}

}  // namespace suffice
