// FlatBuffers, the form of Arrow's metadata, written back to front as the format wants it: what is pointed to is there
// before what points. An offset counts bytes from the end. https://flatbuffers.dev/internals
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

class FlatBuffer {
public:
    using Offset = std::uint32_t;

    Offset size() const { return static_cast<Offset>(reversed_.size()); }

    // So that `bytes` more end at a multiple of `unit`.
    void align(std::size_t unit, std::size_t bytes) {
        while ((reversed_.size() + bytes) % unit != 0) reversed_.push_back('\0');
    }
    template <class T>
    void push(T value) {
        align(sizeof(T), sizeof(T));
        append(&value, sizeof value);
    }
    void push_offset(Offset to) {
        align(4, 4);
        push<std::uint32_t>(size() + 4 - to);
    }
    Offset text(std::string_view letters) {
        align(4, letters.size() + 1);
        reversed_.push_back('\0');
        append(letters.data(), letters.size());
        push<std::uint32_t>(static_cast<std::uint32_t>(letters.size()));
        return size();
    }
    Offset offsets(const std::vector<Offset>& all) {
        align(4, 4 * all.size());
        for (auto each = all.rbegin(); each != all.rend(); ++each) push_offset(*each);
        push<std::uint32_t>(static_cast<std::uint32_t>(all.size()));
        return size();
    }
    Offset pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& all) {
        align(8, 16 * all.size());
        for (auto each = all.rbegin(); each != all.rend(); ++each) push(each->second), push(each->first);
        push<std::uint32_t>(static_cast<std::uint32_t>(all.size()));
        return size();
    }

    void begin_table(std::size_t fields) {
        places_.assign(fields, 0);
        table_start_ = size();
    }
    template <class T>
    void field(std::size_t number, T value) {
        push(value);
        places_[number] = size();
    }
    void field_offset(std::size_t number, Offset to) {
        push_offset(to);
        places_[number] = size();
    }
    Offset end_table() {
        push<std::int32_t>(0);
        const Offset table = size();
        for (auto place = places_.rbegin(); place != places_.rend(); ++place)
            push<std::uint16_t>(static_cast<std::uint16_t>(*place == 0 ? 0 : table - *place));
        push<std::uint16_t>(static_cast<std::uint16_t>(table - table_start_));
        push<std::uint16_t>(static_cast<std::uint16_t>(4 + 2 * places_.size()));
        const std::uint32_t back = size() - table;
        char bytes[4];
        std::memcpy(bytes, &back, 4);
        for (std::size_t k = 0; k < 4; ++k) reversed_[table - 1 - k] = bytes[k];
        return table;
    }

    std::string finish(Offset root) {
        align(8, 4);
        push_offset(root);
        std::reverse(reversed_.begin(), reversed_.end());
        return std::move(reversed_);
    }

private:
    void append(const void* from, std::size_t count) {
        const char* bytes = static_cast<const char*>(from);
        for (std::size_t k = count; k-- > 0;) reversed_.push_back(bytes[k]);
    }

    std::string reversed_;
    std::vector<Offset> places_;  // of the fields of the table that is being written
    Offset table_start_ = 0;
};

}  // namespace suffice
