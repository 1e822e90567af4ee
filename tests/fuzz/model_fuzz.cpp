// Feeds arbitrary bytes to the reader of model files: refused, or a model that is written and read back alike.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "suffice/persist/model_file.hpp"

namespace {

// Few random changes keep the checksum, so each input is also tried with the checksum put right: the part of the header
// between "checksum":" and the next quote. The sum covers the text behind "suffice":" and all tensors.
std::string with_right_checksum(std::string bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) return bytes;
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > bytes.size() - sizeof length) return bytes;
    const std::string_view header(bytes.data() + sizeof length, length);
    constexpr std::string_view sum_key = "\"checksum\":\"", tree_key = "\"suffice\":\"";
    const auto sum_at = header.find(sum_key), tree_at = header.find(tree_key);
    if (sum_at == std::string_view::npos || tree_at == std::string_view::npos) return bytes;
    std::string tree;
    tree.reserve(header.size());
    for (std::size_t at = tree_at + tree_key.size(); at < header.size() && header[at] != '"'; ++at) {
        if (header[at] == '\\' && at + 1 < header.size()) ++at;  // only quotes and backslashes are escaped in our files
        tree += header[at];
    }
    const std::string_view data(bytes.data() + sizeof length + length, bytes.size() - sizeof length - length);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, tree.data(), tree.size());
    XXH3_64bits_update(&state, data.data(), data.size());
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(&state)));
    const std::size_t place = sizeof length + sum_at + sum_key.size();
    if (place + 16 <= sizeof length + length) bytes.replace(place, 16, digits);
    return bytes;
}

bool predicts(const suffice::ModelState& state) { return static_cast<bool>(suffice::Classifier::from(state)); }
bool predicts(const suffice::LogisticState& state) {
    return static_cast<bool>(suffice::LogisticRegression::from(state));
}
bool predicts(const suffice::MixtureState& state) {
    return static_cast<bool>(suffice::MixtureDiscriminant::from(state));
}

void read_one(std::string_view bytes) {
    const auto model = suffice::from_file_bytes(bytes);
    if (!model) return;
    const std::string written = suffice::to_file_bytes(*model);
    const auto again = suffice::from_file_bytes(written);
    if (!again || suffice::to_file_bytes(*again) != written) std::abort();
    (void)std::visit([](const auto& state) { return predicts(state); }, model->state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size), repaired = with_right_checksum(bytes);
    read_one(repaired);
    // Nearly all changed inputs are refused for their checksum alone; one in sixteen is enough of those.
    if (repaired != bytes && size % 16 == 0) read_one(bytes);
    return 0;
}
