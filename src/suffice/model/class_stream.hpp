// The rows of one class of a stream, as numbers and without their labels.
#pragma once
#include "suffice/data/stream.hpp"

namespace suffice {

class ClassStream final : public Stream {
public:
    // All columns are numbers or flags. Codes of classes in `all` mean the same in every lane.
    ClassStream(Stream& all, std::int32_t class_code, const Schema& schema);

    std::unique_ptr<Drawn> drawn() const override { return all_.drawn(); }
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override { return all_.draw(unit); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Result<void> rewind() override { return all_.rewind(); }
    std::uint64_t unit_count() const override { return all_.unit_count(); }
    std::uint64_t byte_count() const override { return all_.byte_count(); }
    Progress progress() const override { return all_.progress(); }

private:
    Stream& all_;
    std::int32_t class_code_;
    std::vector<std::uint32_t> columns_;
};

}  // namespace suffice
