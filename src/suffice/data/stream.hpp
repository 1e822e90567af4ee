// Rows that arrive in units of work. Units depend on the data alone, never on threads, and may be run through again.
#pragma once
#include <cstdint>
#include <memory>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/block_tree.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

class Rounds;  // data/rounds.hpp

class Stream {
public:
    // What was drawn and waits to be decoded: a range of rows in memory, or bytes of a file.
    struct Drawn {
        virtual ~Drawn() = default;
    };
    // What units decoded one after the other share: names found so far, and memory for the decoded rows.
    struct Lane {
        Schema names;  // grows with what is found
        virtual ~Lane() = default;
    };

    virtual ~Stream() = default;
    virtual std::unique_ptr<Drawn> drawn() const = 0;  // room for one unit, used again and again
    virtual std::unique_ptr<Lane> lane() const = 0;
    virtual Result<bool> draw(Drawn& unit) = 0;  // serial, in order; false: no more
    // Any thread. The block is good until the same lane decodes or the unit is drawn again; its codes mean lane.names.
    virtual Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const = 0;
    // An error about a row of the unit that the lane decoded last, counted through the stream: where the user finds it.
    virtual Error located(Error error, const Lane&) const { return error; }
    virtual Result<void> rewind() = 0;
    virtual std::uint64_t unit_count() const = 0;  // at most so many; 0: not known
    virtual std::uint64_t byte_count() const = 0;  // of all rows; 0: not known
    virtual Progress progress() const = 0;
    virtual Rounds* rounds() const {
        return nullptr;
    }  // where these are one part of the rows, and others lie elsewhere
    // Where units are blocks of rows at fixed places, which are those of any part of the rows too.
    virtual RowBlocks blocks() const { return {}; }
};

// Rows that are in memory already, with codes that mean `names`. They are checked against them as they are drawn.
class MemoryStream final : public Stream {
public:
    static constexpr std::size_t unit_rows = 4096;

    MemoryStream(LabeledBlock rows, Schema names);
    std::unique_ptr<Drawn> drawn() const override;
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Result<void> rewind() override;
    std::uint64_t unit_count() const override;
    std::uint64_t byte_count() const override;
    Progress progress() const override;

private:
    LabeledBlock rows_;
    Schema names_;
    std::size_t next_ = 0;
    bool checked_ = false;
};

}  // namespace suffice
