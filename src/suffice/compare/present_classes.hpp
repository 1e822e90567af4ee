// A stream whose labels are those of the classes that have any of its rows: a class of few rows may have none outside
// of a fold.
#pragma once
#include "suffice/data/schema.hpp"
#include "suffice/data/stream_over.hpp"

namespace suffice {

class PresentClasses final : public StreamOver {
public:
    // One pass over the rows.
    static Result<PresentClasses> of(Stream& rows, const Schema& schema, const Context& context);

    const Schema& schema() const { return schema_; }  // with the classes that are left
    bool all() const { return all_present_; }

    std::unique_ptr<Lane> lane() const override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;

private:
    PresentClasses(Stream& rows, const Schema& schema, const std::vector<bool>& seen);

    Schema schema_;
    std::vector<std::int32_t> code_;  // by class of the stream below; -1: it has no rows
    bool all_present_ = true;
};

}  // namespace suffice
