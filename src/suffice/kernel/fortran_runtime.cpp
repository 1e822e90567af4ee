// The one function that the static LAPACK archive wants from the Fortran run-time library, so that nobody needs that
// library.
#include <algorithm>
#include <cstddef>
#include <cstring>

extern "C" [[gnu::weak]] void _gfortran_concat_string(std::size_t size, char* into, std::size_t left_size,
                                                      const char* left, std::size_t right_size, const char* right) {
    const std::size_t first = std::min(size, left_size), second = std::min(size - first, right_size);
    std::memcpy(into, left, first);
    std::memcpy(into + first, right, second);
    std::memset(into + first + second, ' ', size - first - second);
}
