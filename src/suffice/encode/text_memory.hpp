// Big arrays for text: zeroed or raw, on 2 MiB pages where the system grants them, since faults of 4 KiB pages cost as
// much as filling a table.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace suffice {

// Zeroed memory aligned to 64 bytes; throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void release_pages(void* memory, std::size_t bytes);

// A fixed number of zeros at first.
template <class T>
class PageArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PageArray() = default;
    explicit PageArray(std::size_t count)
        : values_(count == 0 ? nullptr : static_cast<T*>(allocate_pages(count * sizeof(T)))), size_(count) {}
    PageArray(const PageArray& other) : PageArray(other.size_) {
        if (size_ > 0) std::memcpy(static_cast<void*>(values_), other.values_, size_ * sizeof(T));
    }
    PageArray(PageArray&& other) noexcept { swap(other); }
    PageArray& operator=(PageArray other) noexcept { return swap(other), *this; }
    ~PageArray() {
        if (values_ != nullptr) release_pages(values_, size_ * sizeof(T));
    }
    void swap(PageArray& other) noexcept { std::swap(values_, other.values_), std::swap(size_, other.size_); }

    T* data() { return values_; }
    const T* data() const { return values_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t at) { return values_[at]; }
    const T& operator[](std::size_t at) const { return values_[at]; }

    // Makes room for `count`, keeping the first `kept`; new places are zero. Generous, since pages never touched cost
    // nothing.
    void grow(std::size_t count, std::size_t kept) {
        if (count <= size_) return;
        PageArray larger(std::max(count, 3 * size_));
        if (kept > 0) std::memcpy(static_cast<void*>(larger.values_), values_, kept * sizeof(T));
        swap(larger);
    }

private:
    T* values_ = nullptr;
    std::size_t size_ = 0;
};

// A growing list on such memory.
template <class T>
class PageList {
public:
    std::size_t size() const { return size_; }
    const T& operator[](std::size_t at) const { return memory_[at]; }
    const T* data() const { return memory_.data(); }
    void push_back(const T& value) { append(&value, 1); }
    void append(const T* values, std::size_t count) {
        if (size_ + count > memory_.size()) memory_.grow(size_ + count, size_);
        if (count > 0) std::memcpy(static_cast<void*>(memory_.data() + size_), values, count * sizeof(T));
        size_ += count;
    }

private:
    PageArray<T> memory_;
    std::size_t size_ = 0;
};

}  // namespace suffice
