// Words and sums that the writer and the reader of model files share.
#pragma once
#include <string>
#include <string_view>

namespace suffice {

inline constexpr const char* tensor_key = "$numbers";  // a list of numbers kept in the tensor of this name
inline constexpr const char* words_key = "$words";     // a list of words: bytes and offsets are tensors
inline constexpr const char* packed_key = "$packed";   // a list of anything, as packed bytes

// Of the readable tree and all tensors.
std::string tensor_checksum(std::string_view tree, std::string_view data);

}  // namespace suffice
