// tf-idf and the selection of words by frequency.
#include "suffice/encode/text_weight.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace suffice {

std::vector<double> document_frequencies(const SparseBlock& rows) {
    std::vector<double> frequencies(rows.column_count);
    for (std::size_t k = 0; k < rows.column.size(); ++k)
        if (rows.value.empty() || rows.value[k] != 0) frequencies[rows.column[k]] += 1;
    return frequencies;
}

std::vector<double> term_frequencies(const SparseBlock& rows) {
    std::vector<double> frequencies(rows.column_count);
    for (std::size_t k = 0; k < rows.column.size(); ++k)
        frequencies[rows.column[k]] += rows.value.empty() ? 1.0 : rows.value[k];
    return frequencies;
}

std::vector<double> inverse_document_frequencies(std::span<const double> frequencies, double document_count,
                                                 bool smooth) {
    std::vector<double> inverse(frequencies.size());
    const double extra = smooth ? 1 : 0;
    std::transform(frequencies.begin(), frequencies.end(), inverse.begin(),
                   [&](double frequency) { return std::log((document_count + extra) / (frequency + extra)) + 1; });
    return inverse;
}

void weigh_terms(TokenCounts& rows, const TermWeighting& weighting) {
    if (weighting.sublinear)
        for (double& value : rows.value) value = std::log(value) + 1;
    if (!weighting.inverse_document_frequency.empty())
        for (std::size_t k = 0; k < rows.value.size(); ++k)
            rows.value[k] *= weighting.inverse_document_frequency[rows.column[k]];
    if (weighting.norm == RowNorm::none) return;
    for (std::size_t row = 0; row + 1 < rows.row_start.size(); ++row) {
        double* const first = rows.value.data() + rows.row_start[row];
        double* const last = rows.value.data() + rows.row_start[row + 1];
        double size = 0;
        for (const double* at = first; at != last; ++at)
            size += weighting.norm == RowNorm::l1 ? std::abs(*at) : *at * *at;
        if (weighting.norm == RowNorm::l2) size = std::sqrt(size);
        if (size > 0) std::for_each(first, last, [size](double& value) { value /= size; });
    }
}

std::vector<std::uint32_t> select_terms(std::span<const double> document_frequency,
                                        std::span<const double> term_frequency, std::span<const std::uint32_t> order,
                                        double least, double most, std::size_t limit) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t code : order)
        if (document_frequency[code] >= least && document_frequency[code] <= most) kept.push_back(code);
    if (limit == 0 || kept.size() <= limit) return kept;
    std::vector<std::size_t> place(kept.size());
    std::iota(place.begin(), place.end(), std::size_t{0});
    std::stable_sort(place.begin(), place.end(),
                     [&](std::size_t a, std::size_t b) { return term_frequency[kept[a]] > term_frequency[kept[b]]; });
    place.resize(limit);
    std::sort(place.begin(), place.end());
    std::vector<std::uint32_t> chosen;
    for (const std::size_t at : place) chosen.push_back(kept[at]);
    return chosen;
}

}  // namespace suffice
