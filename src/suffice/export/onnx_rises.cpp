// Ratios of gamma functions as operators, by logarithms alone: exported_model.hpp has the formula.
#include "suffice/export/onnx_writer.hpp"

namespace suffice {

// Kahan: what 1 + t has lost of t is lost in the logarithm and in (1 + t) - 1 alike.
std::string OnnxWriter::log_of_one_and(const std::string& t) {
    const std::string one = graph_.constant(1), both = sum_of(t, one), kept = difference(both, one);
    const std::string lost = graph_.node("Equal", {kept, zero()});
    const std::string divisor = graph_.node("Where", {lost, one, kept});
    return graph_.node("Where", {lost, t, product(graph_.node("Log", {both}), ratio(t, divisor))});
}

std::string OnnxWriter::series(const std::string& w) {
    const std::string v = ratio(graph_.constant(1), product(w, w));
    std::string sum = graph_.constant(stirling.back());
    for (std::size_t k = stirling.size() - 1; k-- > 0;) sum = sum_of(product(sum, v), graph_.constant(stirling[k]));
    return ratio(sum, w);
}

// count: rows x terms x 1.
std::string OnnxWriter::rise(const std::string& count, const RiseTable& terms, bool of_logarithm) {
    const std::string base = graph_.constant(terms.base);
    if (of_logarithm) return log_of_one_and(ratio(count, base));
    auto moved = terms.base, stretched = terms.base, known = terms.base;  // w, w - 1/2 and S(w)
    for (std::size_t k = 0; k < moved.size(); ++k)
        for (std::size_t c = 0; c < moved[k].size(); ++c) {
            moved[k][c] += rise_steps;
            stretched[k][c] = moved[k][c] - 0.5;
            known[k][c] = stirling_series(moved[k][c]);
        }
    const std::string w = graph_.constant(moved), last = sum_of(w, count), one = graph_.constant(1);
    std::string steps = sum_of(one, ratio(count, base));
    for (int i = 1; i < rise_steps; ++i)
        steps = product(steps, sum_of(one, ratio(count, sum_of(base, graph_.constant(static_cast<double>(i))))));
    std::string all = product(graph_.constant(stretched), log_of_one_and(ratio(count, w)));
    all = sum_of(all, product(count, difference(graph_.node("Log", {last}), one)));
    all = sum_of(all, difference(series(last), graph_.constant(known)));
    return difference(all, graph_.node("Log", {steps}));
}

// count: rows x terms.
void OnnxWriter::put_rises(const std::string& count, const RiseTable& terms, bool of_logarithm) {
    const std::string by_term = rise(unsqueeze(graph_, count, 2), terms, of_logarithm);
    add(sum(graph_, product(by_term, graph_.constant(terms.weight)), 1));
}

void OnnxWriter::add_rises() {
    const auto counts = [&](const std::vector<std::uint32_t>& which) {
        const std::string x = columns(which);
        return or_nothing(graph_.node("Not", {graph_.node("Greater", {x, zero()})}), x);  // NaN too
    };
    for (const bool of_logarithm : {false, true})
        if (const RiseTable terms = rises_of(model_.score, of_logarithm); !terms.columns.empty())
            put_rises(counts(terms.columns), terms, of_logarithm);
    for (const RiseTerm& term : summed_rises(model_.score))
        put_rises(sum(graph_, counts(term.columns), 1, true), {term.columns, {term.base}, {term.weight}},
                  term.of_logarithm);
}

}  // namespace suffice
