// Feeds arbitrary bytes to the reader of model files: refused, or a model that is written and read back alike and whose
// posteriors are probabilities.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../persist/right_checksum.hpp"

#include "suffice/persist/model_file.hpp"

namespace {

// A row of zeros, which is in the support of all but positive families; text has no rows of numbers.
void predict(const suffice::Predictor& model) {
    const auto& columns = model.schema().columns;
    for (const auto& column : columns)
        if (column.kind == suffice::ColumnKind::text) return;
    if (columns.size() * model.class_count() > 1 << 16) return;
    const std::vector<double> row(columns.size());
    const auto width = static_cast<std::ptrdiff_t>(columns.size());
    const auto posteriors =
        model.posteriors(suffice::DenseBlock{row.data(), suffice::Element::f64, 1, columns.size(), width, 1});
    if (!posteriors) return;
    double total = 0;
    for (const double p : posteriors->values) {
        if (!(p >= 0 && p <= 1)) std::abort();
        total += p;
    }
    if (!(std::abs(total - 1) < 1e-9)) std::abort();
}

void predict(const suffice::ModelState& state) {
    if (const auto made = suffice::Classifier::from(state)) predict(*made);
}
void predict(const suffice::LogisticState& state) {
    if (const auto made = suffice::LogisticRegression::from(state)) predict(*made);
}
void predict(const suffice::MixtureState& state) {
    if (const auto made = suffice::MixtureDiscriminant::from(state)) predict(*made);
}

void read_one(std::string_view bytes) {
    const auto model = suffice::from_file_bytes(bytes);
    if (!model) return;
    const std::string written = suffice::to_file_bytes(*model);
    const auto again = suffice::from_file_bytes(written);
    if (!again || suffice::to_file_bytes(*again) != written) std::abort();
    std::visit([](const auto& state) { predict(state); }, model->state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size), repaired = suffice::with_right_checksum(bytes);
    read_one(repaired);
    // Nearly all changed inputs are refused for their checksum alone; one in sixteen is enough of those.
    if (repaired != bytes && size % 16 == 0) read_one(bytes);
    return 0;
}
