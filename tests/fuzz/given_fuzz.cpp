// Feeds arbitrary JSON to the readers of stated models and of starts of regressions: refused, or a model that is
// written and read back alike and whose posteriors are probabilities.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "suffice/flow/given_text.hpp"

namespace {

void use(const suffice::Model& model) {
    const std::string written = suffice::to_file_bytes(model.file());
    const auto again = suffice::from_file_bytes(written);
    if (!again || suffice::to_file_bytes(*again) != written) std::abort();
    const std::size_t width = model.schema().columns.size();
    const std::vector<double> row(width);
    const auto posteriors = model.posteriors(suffice::rows(row.data(), 1, width));
    if (!posteriors) return;
    double total = 0;
    for (const double p : posteriors->values) {
        if (!(p >= 0 && p <= 1)) std::abort();
        total += p;
    }
    if (!(std::abs(total - 1) < 1e-9)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto model = suffice::model_of_text(text)) use(*model);
    (void)suffice::start_of_text(text);
    return 0;
}
