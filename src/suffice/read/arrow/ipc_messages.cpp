// Finds the messages of IPC files and reads their metadata.
#include "suffice/read/arrow/ipc_messages.hpp"

#include <algorithm>
#include <cstring>

#include <arrow/api.h>
#include <arrow/ipc/reader.h>
#include <sys/mman.h>

#include "suffice/read/arrow/ipc_metadata.hpp"

namespace suffice {
namespace {

using Type = arrow::ipc::MessageType;
arrow::Status cut_off() { return arrow::Status::IOError("it ends before its data do; it was cut off"); }
arrow::Status below_zero() { return arrow::Status::Invalid("a message has a length below zero"); }

}  // namespace

arrow::Result<std::unique_ptr<IpcMessages>> IpcMessages::open(const std::string& path, bool has_footer) {
    std::unique_ptr<IpcMessages> made(new IpcMessages);
    ARROW_ASSIGN_OR_RAISE(made->file_, arrow::io::ReadableFile::Open(path));
    ARROW_ASSIGN_OR_RAISE(made->size_, made->file_->GetSize());
    void* range = ::mmap(nullptr, static_cast<std::size_t>(std::max<std::int64_t>(made->size_, 1)), PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return arrow::Status::IOError("no addresses are left for a file of its size");
    made->addresses_ = static_cast<const std::uint8_t*>(range);
    if (!has_footer) {
        ARROW_RETURN_NOT_OK(made->find());
        return made;
    }
    ARROW_RETURN_NOT_OK(made->list());
    return made;
}

IpcMessages::~IpcMessages() {
    if (addresses_ != nullptr)
        ::munmap(const_cast<std::uint8_t*>(addresses_), static_cast<std::size_t>(std::max<std::int64_t>(size_, 1)));
}

// The message that starts here, with nothing of it at or behind the end; of no type where a writer marks the end.
arrow::Result<IpcMessages::Place> IpcMessages::place_at(std::int64_t start, std::int64_t end) const {
    constexpr std::int64_t word = sizeof(std::int32_t);
    Place place;
    std::int64_t at = start;
    if (at < 0 || end - at < word) return cut_off();
    ARROW_RETURN_NOT_OK(read(at, word, &place.metadata_size));
    at += word;
    if (place.metadata_size == -1) {  // from version 0.15 on, the length comes second
        if (end - at < word) return cut_off();
        ARROW_RETURN_NOT_OK(read(at, word, &place.metadata_size));
        at += word;
    }
    if (place.metadata_size == 0) return place;
    if (place.metadata_size < 0) return below_zero();
    if (place.metadata_size > end - at) return cut_off();
    place.metadata = at;
    ARROW_ASSIGN_OR_RAISE(auto metadata, read(at, place.metadata_size));
    ARROW_ASSIGN_OR_RAISE(const auto message, arrow::ipc::Message::Open(std::move(metadata), nullptr));
    place.type = message->type();
    place.body = at + place.metadata_size;
    place.body_size = message->body_length();
    if (place.body_size < 0) return below_zero();
    if (place.body_size > end - place.body) return cut_off();
    return place;
}

// Of a stream: one message behind the other.
arrow::Status IpcMessages::find() {
    for (std::int64_t at = 0; at < size_;) {
        ARROW_ASSIGN_OR_RAISE(const Place place, place_at(at, size_));
        if (place.type == Type::NONE) break;
        if ((place.type == Type::SCHEMA) != places_.empty())
            return arrow::Status::Invalid("it does not start with a schema, or has two");
        batch_count_ += place.type == Type::RECORD_BATCH;
        places_.push_back(place);
        at = place.body + place.body_size;
    }
    return places_.empty() ? cut_off() : arrow::Status::OK();
}

// Of a file: where its footer says. What lies before the first of them is not always a message (Polars).
arrow::Status IpcMessages::list() {
    constexpr std::int64_t magic = 6, start = 8, tail = 4 + magic;  // the tail: the footer's length, the word again
    char end[magic] = {};
    if (size_ < start + tail) return cut_off();
    ARROW_RETURN_NOT_OK(read(size_ - magic, magic, end));
    if (std::string_view(end, magic) != "ARROW1") return cut_off();
    std::int32_t length = 0;
    ARROW_RETURN_NOT_OK(read(size_ - tail, sizeof length, &length));
    ARROW_RETURN_NOT_OK(arrow::ipc::RecordBatchFileReader::Open(file_));  // verifies the footer
    const std::int64_t data_end = size_ - tail - length;
    if (length <= 0 || data_end < start) return cut_off();
    ARROW_ASSIGN_OR_RAISE(const auto bytes, read(data_end, length));
    IpcFooter footer = read_footer(*bytes);
    schema_ = std::move(footer.schema);
    const auto add = [&](const std::vector<std::int64_t>& starts, Type type) -> arrow::Status {
        for (const std::int64_t at : starts) {
            ARROW_ASSIGN_OR_RAISE(const Place place, place_at(at, data_end));
            if (place.type != type) return arrow::Status::Invalid("its list of contents is wrong");
            places_.push_back(place);
        }
        return {};
    };
    places_.emplace_back().type = Type::SCHEMA;
    ARROW_RETURN_NOT_OK(add(footer.dictionaries, Type::DICTIONARY_BATCH));
    ARROW_RETURN_NOT_OK(add(footer.record_batches, Type::RECORD_BATCH));
    batch_count_ = static_cast<int>(footer.record_batches.size());
    return {};
}

arrow::Status IpcMessages::read(std::int64_t at, std::int64_t size, void* into) const {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, file_->ReadAt(at, size, into));
    return got == size ? arrow::Status::OK() : cut_off();
}

arrow::Result<std::shared_ptr<arrow::Buffer>> IpcMessages::room(std::int64_t size) {
    constexpr std::int64_t padding = 64;
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> memory, arrow::AllocateBuffer(size + padding));
    std::memset(memory->mutable_data() + size, 0, padding);
    return arrow::SliceMutableBuffer(memory, 0, size);
}

arrow::Result<std::shared_ptr<arrow::Buffer>> IpcMessages::read(std::int64_t at, std::int64_t size) const {
    ARROW_ASSIGN_OR_RAISE(auto memory, room(size));
    ARROW_RETURN_NOT_OK(read(at, size, memory->mutable_data()));
    return memory;
}

std::int64_t IpcMessages::place_of(const arrow::Buffer& buffer) const { return buffer.data() - addresses_; }

arrow::Result<IpcMessages::Next> IpcMessages::message(std::size_t number) const {
    if (number >= places_.size()) return Next{};
    const Place& place = places_[number];
    if (number == 0 && schema_ != nullptr) {
        ARROW_ASSIGN_OR_RAISE(auto schema, arrow::ipc::Message::Open(schema_, nullptr));
        return Next{std::move(schema)};
    }
    ARROW_ASSIGN_OR_RAISE(auto metadata, read(place.metadata, place.metadata_size));
    Next next;
    std::shared_ptr<arrow::Buffer> body;
    if (place.type == Type::RECORD_BATCH) {
        ARROW_RETURN_NOT_OK(arrow::ipc::Message::Open(metadata, nullptr));  // verifies it, should it have changed
        UnmarkedBatch plain = without_compression(std::move(metadata));
        next.packing = plain.packing;
        metadata = std::move(plain.metadata);
        body = std::make_shared<arrow::Buffer>(addresses_ + place.body, place.body_size);
    } else if (place.type != Type::SCHEMA) {
        ARROW_ASSIGN_OR_RAISE(body, read(place.body, place.body_size));
    }
    ARROW_ASSIGN_OR_RAISE(next.message, arrow::ipc::Message::Open(std::move(metadata), std::move(body)));
    return next;
}

}  // namespace suffice
