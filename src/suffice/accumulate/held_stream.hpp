// A stream kept in memory, for fits that run through it many times: files are decoded once.
#pragma once

#include "suffice/data/gather_rows.hpp"
#include "suffice/data/stream.hpp"

namespace suffice {

// Units stay as they were cut, so bits do not depend on where the rows come from.
class HeldStream final : public Stream {
public:
    // Bytes of the source up to which its rows are worth holding.
    static constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

    // The rows of `source`, of whose names only the classes may grow; null where there are too many or nobody knows how
    // many. Either way the source stands at its start.
    static Result<std::unique_ptr<Stream>> hold(Stream& source, const Context& context);

    // A copy of a decoded unit, behind those held. `lane` decoded it.
    void add(const LabeledBlock& block, const Lane& lane);

    std::unique_ptr<Drawn> drawn() const override;
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Result<void> rewind() override;
    std::uint64_t unit_count() const override { return units_.size(); }
    std::uint64_t byte_count() const override { return byte_count_; }
    Progress progress() const override { return {}; }

private:
    struct Unit {
        RowGatherer gatherer;
        std::vector<std::int32_t> label;
        std::vector<double> weight;
        std::vector<std::string> classes;  // what the labels mean
        LabeledBlock block;
    };
    struct DrawnUnit;
    static std::shared_ptr<const Unit> copy(const LabeledBlock& block, const Lane& lane);
    void keep(std::shared_ptr<const Unit> unit);

    std::vector<std::shared_ptr<const Unit>> units_;
    Schema names_;
    std::size_t next_ = 0;
    std::uint64_t byte_count_ = 0;
};

}  // namespace suffice
