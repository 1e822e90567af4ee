// A class by the priors, then its values.
#include "suffice/model/draw_row.hpp"

#include <cmath>

namespace suffice {

DrawnRow draw_row(const Predictor& model, std::uint64_t seed, std::uint64_t row, std::optional<std::size_t> of_class) {
    Rng rng = Rng(seed, "sample").fork(row);
    DrawnRow drawn;
    if (of_class) {
        drawn.of_class = *of_class;
    } else {
        const std::vector<double>& log_prior = model.log_prior();
        double left = rng.uniform();
        while (drawn.of_class + 1 < log_prior.size() && (left -= std::exp(log_prior[drawn.of_class])) >= 0)
            ++drawn.of_class;
    }
    drawn.row = model.sample(drawn.of_class, rng);
    return drawn;
}

std::string document_text(const std::vector<std::uint32_t>& words, const std::vector<std::string>& vocabulary) {
    std::string text;
    for (const auto word : words) text += (text.empty() ? "" : " ") + vocabulary[word];
    return text;
}

}  // namespace suffice
