// Memory that a kernel reuses from call to call: aligned for vectors, grown when needed, never shrunk or cleared.
#pragma once
#include <cstddef>
#include <memory>
#include <new>

namespace suffice::kernel {

class Scratch {
public:
    static constexpr std::size_t alignment = 64;

    // At least `count` doubles of unspecified content; earlier pointers are void.
    double* reserve(std::size_t count) {
        if (count > capacity_) {
            values_.reset();
            values_.reset(static_cast<double*>(
                ::operator new[](count * sizeof(double), static_cast<std::align_val_t>(alignment))));
            capacity_ = count;
        }
        return values_.get();
    }

private:
    struct Release {
        void operator()(double* values) const { ::operator delete[](values, static_cast<std::align_val_t>(alignment)); }
    };
    std::unique_ptr<double, Release> values_;
    std::size_t capacity_ = 0;
};

}  // namespace suffice::kernel
