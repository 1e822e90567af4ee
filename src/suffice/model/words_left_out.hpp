// The multinomial model of documents without one of them, in closed form.
#pragma once
#include <span>
#include <vector>

#include "suffice/encode/text_memory.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

// log p(document | class) = sum over words of x log (n + a)/(N + a V), where the document's own class has n less the
// document's count, N less its length, and V is short of the words that no other document has; those tell nothing.
// After preparing, a document costs its words times the classes.
class WordsLeftOut {
public:
    // Whether the state is a multinomial model of one text column that keeps every word and smooths.
    static bool applies(const ModelState& state);
    explicit WordsLeftOut(const ModelState& state);

    // Adds to the log joints of a document, the first row of `document`, which class c had with this weight.
    Result<void> add(const Block& document, std::size_t c, double weight, std::span<long double> joint);

private:
    std::size_t class_count_, word_count_, width_;
    double smoothing_;
    PageArray<double> count_, log_;  // word by word: n, and log (n + a)
    std::vector<double> total_;      // by class
    std::vector<double> in_documents_;
    std::vector<double> sum_;
    std::vector<std::uint32_t> word_;  // of the document, without those that are its own alone
    std::vector<double> times_;
};

}  // namespace suffice
