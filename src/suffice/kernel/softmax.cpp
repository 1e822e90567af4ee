// From class scores to posteriors.
#include "suffice/kernel/softmax.hpp"

#include <cmath>

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {

void softmax(Tile tile, double* log_evidence) { reference::softmax(tile, log_evidence); }
void log_softmax(Tile tile, double* log_evidence) { reference::log_softmax(tile, log_evidence); }
void argmax(Tile tile, std::int32_t* index) { reference::argmax(tile, index); }

void transpose_out(Tile tile, double* out, std::ptrdiff_t out_stride) {
    for (std::size_t r = 0; r < tile.row_count; ++r)
        for (std::size_t c = 0; c < tile.class_count; ++c)
            out[static_cast<std::ptrdiff_t>(r) * out_stride + static_cast<std::ptrdiff_t>(c)] = tile.of_class(c)[r];
}

void exp_in_place(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = std::exp(values[i]);
}
void log_in_place(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = std::log(values[i]);
}

}  // namespace suffice::kernel
