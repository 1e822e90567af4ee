// A stream that changes the rows of another one and leaves its units as they are.
#pragma once
#include "suffice/data/stream.hpp"

namespace suffice {

class StreamOver : public Stream {
public:
    explicit StreamOver(Stream& all) : all_(all) {}

    std::unique_ptr<Drawn> drawn() const override { return all_.drawn(); }
    Result<bool> draw(Drawn& unit) override { return all_.draw(unit); }
    Result<void> rewind() override { return all_.rewind(); }
    std::uint64_t unit_count() const override { return all_.unit_count(); }
    std::uint64_t byte_count() const override { return all_.byte_count(); }
    Progress progress() const override { return all_.progress(); }
    Rounds* rounds() const override { return all_.rounds(); }
    RowBlocks blocks() const override { return all_.blocks(); }

protected:
    // A lane of one's own around a lane of the stream below, with its names.
    template <class Own>
    std::unique_ptr<Lane> lane_over() const {
        auto made = std::make_unique<Own>();
        made->inner = all_.lane();
        made->names = made->inner->names;
        return made;
    }

    Stream& all_;
};

}  // namespace suffice
