// One MemoryStream after the other.
#include "core/blocks_stream.hpp"

#include <vector>

namespace suffice::python {
namespace {

class BlocksStream final : public Stream {
public:
    explicit BlocksStream(std::vector<MemoryStream> pieces) : pieces_(std::move(pieces)) {}
    std::unique_ptr<Drawn> drawn() const override { return std::make_unique<Place>(pieces_.front().drawn()); }
    std::unique_ptr<Lane> lane() const override { return pieces_.front().lane(); }
    Result<bool> draw(Drawn& unit) override {
        auto& place = static_cast<Place&>(unit);
        for (; at_ < pieces_.size(); ++at_) {
            place.piece = at_;
            auto drawn = pieces_[at_].draw(*place.within);
            if (!drawn || *drawn) return drawn;
        }
        return false;
    }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override {
        auto& place = static_cast<Place&>(unit);
        return pieces_[place.piece].decode(*place.within, lane);
    }
    Result<void> rewind() override {
        for (MemoryStream& each : pieces_)
            if (auto done = each.rewind(); !done) return done;
        at_ = 0;
        return {};
    }
    std::uint64_t unit_count() const override { return sum(&MemoryStream::unit_count); }
    std::uint64_t byte_count() const override { return sum(&MemoryStream::byte_count); }
    Progress progress() const override { return pieces_.front().progress(); }

private:
    struct Place final : Drawn {
        explicit Place(std::unique_ptr<Drawn> unit) : within(std::move(unit)) {}
        std::unique_ptr<Drawn> within;
        std::size_t piece = 0;
    };
    std::uint64_t sum(std::uint64_t (MemoryStream::*of)() const) const {
        std::uint64_t total = 0;
        for (const MemoryStream& each : pieces_) total += (each.*of)();
        return total;
    }

    std::vector<MemoryStream> pieces_;
    std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<Stream> blocks_stream(std::span<const Block> blocks, std::span<const std::int32_t> label,
                                      std::span<const double> weight, const Schema& names) {
    std::vector<MemoryStream> pieces;
    std::size_t first = 0;
    for (const Block& block : blocks) {
        const std::size_t count = row_count(block);
        const auto part = [&](auto whole) { return whole.empty() ? whole : whole.subspan(first, count); };
        pieces.emplace_back(LabeledBlock{block, part(label), part(weight), first}, names);
        first += count;
    }
    if (pieces.size() == 1) return std::make_unique<MemoryStream>(std::move(pieces.front()));
    return std::make_unique<BlocksStream>(std::move(pieces));
}

}  // namespace suffice::python
