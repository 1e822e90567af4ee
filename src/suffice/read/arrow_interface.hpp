// What this program and libsuffice_arrow.so must agree about before a C++ type crosses from one to the other.
#pragma once
#include <string>

#include "suffice/read/arrow_library.hpp"

namespace suffice {

inline std::string arrow_interface() {
    constexpr int version = 1;  // raise it when a function that crosses changes its meaning
    const auto sizes = {sizeof(ArrowSource), sizeof(ReadOptions), sizeof(FoundColumn), sizeof(Cells),
                        sizeof(TableUnit),   sizeof(Progress),    sizeof(Error),       sizeof(std::string)};
    std::string text = "suffice_arrow " + std::to_string(version);
    for (const std::size_t size : sizes) text += " " + std::to_string(size);
#ifdef __GXX_ABI_VERSION
    text += " " + std::to_string(__GXX_ABI_VERSION);
#endif
    return text;
}

}  // namespace suffice
