// How well language models foretell documents: each document under the model of its own class.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

#include "suffice/evaluate/confusion.hpp"

namespace suffice {

struct TextFit {
    std::vector<double> log_probability;  // by class: sum of w log p(words | class)
    std::vector<double> words;            // by class: sum of w times the words (and ends) foretold
    bool operator==(const TextFit&) const = default;

    TextFit() = default;
    explicit TextFit(std::size_t class_count) : log_probability(class_count), words(class_count) {}

    double weight() const { return std::accumulate(words.begin(), words.end(), 0.0); }
    void merge(const TextFit& from) {
        log_probability.resize(std::max(log_probability.size(), from.log_probability.size()));
        words.resize(log_probability.size());
        for (std::size_t c = 0; c < from.words.size(); ++c) {
            log_probability[c] += from.log_probability[c];
            words[c] += from.words[c];
        }
    }

    // In bits per word; its power of two is the perplexity. Undefined where there were no words.
    static Defined cross_entropy(double log_probability, double words) {
        if (!(words > 0)) return {};
        return -log_probability / words / std::numbers::ln2;
    }
    Defined cross_entropy(std::size_t c) const { return cross_entropy(log_probability[c], words[c]); }
    Defined cross_entropy() const {
        return cross_entropy(std::accumulate(log_probability.begin(), log_probability.end(), 0.0), weight());
    }
    static Defined perplexity(const Defined& bits) { return bits ? Defined(std::exp2(*bits)) : Defined{}; }
};

}  // namespace suffice
