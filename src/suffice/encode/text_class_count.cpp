// Counts words per class in contiguous parts and merges the parts' words and counts.
#include "suffice/encode/text_class_count.hpp"

#include <optional>
#include <string>

#include "suffice/encode/text_count.hpp"
#include "suffice/encode/text_parts.hpp"
#include "suffice/encode/text_threads.hpp"

namespace suffice {
namespace {

struct Part {
    ClassCounts counts;
    Vocabulary words;
    std::optional<Error> error;
};

ClassCounts no_counts(std::size_t class_count) {
    ClassCounts counts;
    counts.class_count = class_count;
    counts.document_weight.assign(class_count, 0);
    counts.token_weight.assign(class_count, 0);
    return counts;
}

void add_document(ClassCounts& into, std::span<const std::uint32_t> codes, std::size_t label, double weight) {
    constexpr std::size_t ahead = 8;
    double* column = into.count.data() + label;
    for (std::size_t k = 0; k < codes.size(); ++k) {
        if (k + ahead < codes.size()) __builtin_prefetch(column + codes[k + ahead] * into.class_count, 1);
        column[codes[k] * into.class_count] += weight;
    }
    into.token_weight[label] += weight * static_cast<double>(codes.size());
}

// One document; the part's counts grow with its words.
Result<void> learn(Part& part, DocumentReader& reader, std::string_view document, std::size_t label, double weight,
                   bool binary) {
    ClassCounts& counts = part.counts;
    const auto make_room = [&] {
        counts.count.grow(part.words.size() * counts.class_count, counts.word_count * counts.class_count);
        counts.word_count = part.words.size();
    };
    counts.document_weight[label] += weight;
    if (!binary) {
        const auto codes = reader.codes(document, part.words);
        if (!codes) return codes.error();
        make_room();
        add_document(counts, *codes, label, weight);
        return {};
    }
    return reader.for_each_count(document, part.words, [&](std::uint32_t code, double) {
        make_room();
        counts.count[code * counts.class_count + label] += weight;
        counts.token_weight[label] += weight;
    });
}

// `later` holds later documents, so that appending its new words keeps the order of first appearance.
void merge(ClassCounts& into, Vocabulary& words, const Part& later, unsigned thread_count) {
    const std::vector<std::uint32_t> code_here = words.merge(later.words, thread_count);
    const std::size_t classes = into.class_count;
    into.count.grow(words.size() * classes, into.word_count * classes);
    into.word_count = words.size();
    const std::size_t parts = code_here.size() < 10000 ? 1 : thread_count;
    run_parts(parts, [&](std::size_t part) {
        const std::size_t last = code_here.size() * (part + 1) / parts;
        for (std::size_t k = code_here.size() * part / parts; k < last; ++k) {
            if (k + 8 < last) __builtin_prefetch(into.count.data() + code_here[k + 8] * classes, 1);
            double* to = into.count.data() + code_here[k] * classes;
            const double* from = later.counts.count.data() + k * classes;
            for (std::size_t label = 0; label < classes; ++label) to[label] += from[label];
        }
    });
    for (std::size_t label = 0; label < classes; ++label) {
        into.document_weight[label] += later.counts.document_weight[label];
        into.token_weight[label] += later.counts.token_weight[label];
    }
    into.invalid_count += later.counts.invalid_count;
}

}  // namespace

Result<ClassCounts> count_classes(std::span<const std::string_view> documents, std::span<const std::int32_t> labels,
                                  std::span<const double> weights, std::size_t class_count, const Tokenizer& tokenizer,
                                  Vocabulary& vocabulary, const Context& context) {
    if (labels.size() != documents.size() || (!weights.empty() && weights.size() != documents.size()))
        return Error("there are " + std::to_string(documents.size()) + " documents but " +
                     std::to_string(labels.size()) + " labels and " + std::to_string(weights.size()) + " weights.");
    const std::vector<std::size_t> cuts = part_cuts(documents, context.thread_count);
    std::vector<Part> parts(cuts.size() - 1);
    run_parts(parts.size(), [&](std::size_t p) {
        Part& part = parts[p];
        part.counts = no_counts(class_count);
        DocumentReader reader(tokenizer);
        for (std::size_t k = cuts[p]; k < cuts[p + 1] && !part.error; ++k) {
            const double weight = weights.empty() ? 1 : weights[k];
            if (labels[k] < 0 || weight == 0) continue;
            Result<void> done = Error(ErrorKind::cancelled, "stopped.");
            if (static_cast<std::size_t>(labels[k]) >= class_count)
                done = Error("label " + std::to_string(labels[k]) + " is not below the number of classes, " +
                             std::to_string(class_count) + ".");
            else if (!context.stopped())
                done = learn(part, reader, documents[k], static_cast<std::size_t>(labels[k]), weight,
                             tokenizer.options().binary);
            if (!done) part.error = Error(done.error()).at_row(k + 1);
        }
        part.counts.invalid_count = reader.invalid_count();
    });
    for (const Part& part : parts)
        if (part.error) return *part.error;
    std::size_t first = 0;
    ClassCounts all = no_counts(class_count);
    if (vocabulary.size() == 0 && !parts.empty()) {
        all = std::move(parts[0].counts);
        vocabulary = std::move(parts[first++].words);
    }
    for (std::size_t p = first; p < parts.size(); ++p) merge(all, vocabulary, parts[p], context.thread_count);
    all.count.grow(vocabulary.size() * class_count, all.word_count * class_count);
    all.word_count = vocabulary.size();
    return all;
}

}  // namespace suffice
