// Takes small arrays from the heap and large ones straight from the system, on huge pages.
#include "suffice/encode/text_memory.hpp"

#include <new>

#ifndef __wasi__
#include <sys/mman.h>
#endif

namespace suffice {
namespace {

constexpr std::align_val_t alignment{64};

void* from_heap(std::size_t bytes) { return std::memset(::operator new(bytes, alignment), 0, bytes); }

}  // namespace

#ifdef __wasi__  // WebAssembly has no pages to map

void* allocate_pages(std::size_t bytes) { return from_heap(bytes); }
void release_pages(void* memory, std::size_t) { ::operator delete(memory, alignment); }

#else

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t from_system = std::size_t{1} << 20;

std::size_t mapped_size(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

}  // namespace

void* allocate_pages(std::size_t bytes) {
    if (bytes < from_system) return from_heap(bytes);
    // Map one page more than needed and give back what sticks out on either side of the aligned part.
    const std::size_t size = mapped_size(bytes);
    void* mapped = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    auto* start = static_cast<char*>(mapped);
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(start) % huge_page) % huge_page;
    if (before > 0) munmap(start, before);
    munmap(start + before + size, huge_page - before);
    madvise(start + before, size, MADV_HUGEPAGE);
    return start + before;
}

void release_pages(void* memory, std::size_t bytes) {
    if (bytes < from_system)
        ::operator delete(memory, alignment);
    else
        munmap(memory, mapped_size(bytes));
}

#endif

}  // namespace suffice
