// Reads buffers of IPC files from any place, and packed ones by and by.
#include "suffice/read/arrow/ipc_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace suffice {
namespace {

class PlainBytes final : public IpcBytes {
public:
    PlainBytes(const IpcMessages& messages, std::int64_t place, std::int64_t size)
        : messages_(messages), place_(place), size_(size) {}
    std::int64_t size() const override { return size_; }
    arrow::Status read(std::int64_t at, std::int64_t size, std::uint8_t* into) override {
        return messages_.read(place_ + at, size, into);
    }

private:
    const IpcMessages& messages_;
    std::int64_t place_, size_;
};

class PackedBytes final : public IpcBytes {
public:
    PackedBytes(const IpcMessages& messages, std::int64_t place, std::int64_t packed_size, std::int64_t size,
                std::shared_ptr<arrow::util::Decompressor> unpacker)
        : messages_(messages), next_(place), end_(place + packed_size), size_(size), unpacker_(std::move(unpacker)) {}
    std::int64_t size() const override { return size_; }

    arrow::Status read(std::int64_t at, std::int64_t size, std::uint8_t* into) override {
        if (size == 0) return {};
        const auto kept = static_cast<std::int64_t>(last_.size());
        if (at < position_ - kept) return arrow::Status::Invalid("its packed words are not in order");
        std::vector<std::uint8_t> skipped(std::size_t{1} << 12);
        while (position_ < at)
            ARROW_RETURN_NOT_OK(unpack(std::min<std::int64_t>(at - position_, std::ssize(skipped)), skipped.data()));
        const std::int64_t again = std::min(position_ - at, size);
        if (again > 0) std::memcpy(into, last_.data() + (kept - (position_ - at)), static_cast<std::size_t>(again));
        return size > again ? unpack(size - again, into + again) : arrow::Status::OK();
    }

private:
    arrow::Status unpack(std::int64_t size, std::uint8_t* into) {
        for (std::int64_t done = 0; done < size;) {
            if (used_ == std::ssize(input_)) ARROW_RETURN_NOT_OK(refill());
            const std::int64_t left = std::ssize(input_) - used_;
            ARROW_ASSIGN_OR_RAISE(const auto step,
                                  unpacker_->Decompress(left, input_.data() + used_, size - done, into + done));
            used_ += step.bytes_read;
            done += step.bytes_written;
            if (step.bytes_read == 0 && step.bytes_written == 0 && (left > 0 || next_ == end_))
                return arrow::Status::Invalid("a packed column holds less than it says");
        }
        position_ += size;
        const std::int64_t tail = std::min(size, repeatable);
        last_.insert(last_.end(), into + (size - tail), into + size);
        if (std::ssize(last_) > repeatable) last_.erase(last_.begin(), last_.end() - repeatable);
        return {};
    }
    arrow::Status refill() {
        constexpr std::int64_t step = std::int64_t{1} << 16;
        input_.resize(static_cast<std::size_t>(std::min(step, end_ - next_)));
        ARROW_RETURN_NOT_OK(messages_.read(next_, std::ssize(input_), input_.data()));
        next_ += std::ssize(input_);
        used_ = 0;
        return {};
    }

    const IpcMessages& messages_;
    std::int64_t next_, end_, size_;  // in the file: the next packed byte and the end; unpacked bytes
    std::shared_ptr<arrow::util::Decompressor> unpacker_;
    std::vector<std::uint8_t> input_, last_;  // packed bytes; the last ones unpacked
    std::int64_t used_ = 0, position_ = 0;    // of the input; bytes unpacked so far
};

}  // namespace

arrow::Result<std::unique_ptr<IpcBytes>> open_ipc_bytes(const IpcMessages& messages, std::int64_t place,
                                                        std::int64_t size, arrow::Compression::type packing) {
    if (packing == arrow::Compression::UNCOMPRESSED) return std::make_unique<PlainBytes>(messages, place, size);
    std::int64_t unpacked = 0;  // -1: this buffer is not packed, packing would have made it longer
    constexpr std::int64_t prefix = sizeof unpacked;
    if (size < prefix) return arrow::Status::Invalid("a packed column holds less than it says");
    ARROW_RETURN_NOT_OK(messages.read(place, prefix, &unpacked));
    if (unpacked == -1) return std::make_unique<PlainBytes>(messages, place + prefix, size - prefix);
    if (unpacked < 0) return arrow::Status::Invalid("a packed column has a length below zero");
    ARROW_ASSIGN_OR_RAISE(const auto codec, arrow::util::Codec::Create(packing));
    ARROW_ASSIGN_OR_RAISE(auto unpacker, codec->MakeDecompressor());
    return std::make_unique<PackedBytes>(messages, place + prefix, size - prefix, unpacked, std::move(unpacker));
}

}  // namespace suffice
