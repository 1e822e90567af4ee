// The rows of one class of a stream, as numbers and without their labels.
#pragma once
#include "suffice/data/stream_over.hpp"

namespace suffice {

class ClassStream final : public StreamOver {
public:
    // All columns are numbers or flags. Codes of classes in `all` mean the same in every lane.
    ClassStream(Stream& all, std::int32_t class_code, const Schema& schema);

    std::unique_ptr<Lane> lane() const override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;

private:
    std::int32_t class_code_;
    std::vector<std::uint32_t> columns_;
};

}  // namespace suffice
