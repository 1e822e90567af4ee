// Feeds arbitrary text to the readers of priors and of basis functions: refused, or a prior that its family takes and
// functions that are finite on finite values.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "suffice/encode/basis_terms.hpp"
#include "suffice/family/all.hpp"
#include "suffice/family/prior_text.hpp"

namespace {

using namespace suffice;

template <class F>
F family_of() {
    if constexpr (requires(F family) { family.level_count = 3u; }) {
        F family{};
        family.level_count = 3;
        return family;
    } else {
        return F{};
    }
}

void read_priors(std::string_view text) {
    for_each_family([&]<class F>() {
        if constexpr (ConjugateFamily<F>) {
            const F family = family_of<F>();
            const auto prior = read_prior(family, text);
            if (prior && !family.valid(*prior)) std::abort();
        }
    });
}

void read_basis(std::string_view text) {
    const auto term = BasisTerm::parse(text);
    if (!term || term->count > 64) return;
    Schema schema;
    schema.columns = {{"a"}, {"b"}};
    const std::vector<double> values{-3, -1, 0, 0.5, 1, 2, 4, 7, 9, 12, 15, 22};
    const auto features = fit_features(schema, {*term}, [&](std::uint32_t) { return values; });
    (void)features;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    read_priors(text);
    read_basis(text);
    return 0;
}
