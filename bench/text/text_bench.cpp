// Times raw text to a multinomial model and to posteriors, after printing what the answers are checked by.
//   text_bench TRAIN TEST [threads] [repeats]     (TRAIN.txt and TRAIN.idx as bench/text/prepare.py
//   writes them)
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "suffice/encode/text_class_count.hpp"
#include "suffice/encode/text_count.hpp"
#include "suffice/encode/text_parts.hpp"
#include "suffice/encode/text_threads.hpp"
#include "suffice/kernel/text_rows.hpp"

using namespace suffice;

struct Corpus {
    std::string text;
    std::vector<std::int32_t> labels;
    std::vector<std::string_view> documents;

    explicit Corpus(const std::string& base) {
        std::ifstream file(base + ".txt", std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
        std::ifstream index(base + ".idx", std::ios::binary);
        std::int32_t record[2];
        for (std::size_t at = 0; index.read(reinterpret_cast<char*>(record), sizeof record);
             at += static_cast<std::size_t>(record[1])) {
            labels.push_back(record[0]);
            documents.push_back(std::string_view(text).substr(at, static_cast<std::size_t>(record[1])));
        }
    }
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// log p(word | class) and log p(class), smoothed; rows of whole cache lines.
struct Model {
    std::size_t width = 0;
    PageArray<double> rows;
    std::vector<double> prior;

    Model(const ClassCounts& counts, double smoothing, unsigned threads)
        : width(kernel::row_width(counts.class_count)), rows(counts.word_count * width), prior(width) {
        double all = 0;
        for (const double weight : counts.document_weight) all += weight;
        std::vector<double> norm(counts.class_count), logs(1024);
        for (std::size_t k = 0; k < logs.size(); ++k) logs[k] = std::log(static_cast<double>(k) + smoothing);
        for (std::size_t c = 0; c < counts.class_count; ++c) {
            norm[c] = std::log(counts.token_weight[c] + smoothing * static_cast<double>(counts.word_count));
            prior[c] = std::log(counts.document_weight[c] / all);
        }
        run_parts(threads, [&](std::size_t part) {
            for (std::size_t w = counts.word_count * part / threads; w < counts.word_count * (part + 1) / threads; ++w)
                for (std::size_t c = 0; c < counts.class_count; ++c) {
                    const double n = counts.of(w, c);
                    rows[w * width + c] =
                        (n < 1024 ? logs[static_cast<std::size_t>(n)] : std::log(n + smoothing)) - norm[c];
                }
        });
    }
};

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const Corpus train(argv[1]), test(argv[2]);
    const unsigned threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
    const int repeats = argc > 4 ? std::atoi(argv[4]) : 1;
    const std::size_t classes =
        static_cast<std::size_t>(*std::max_element(train.labels.begin(), train.labels.end())) + 1;
    Context context;
    context.thread_count = threads;
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    double split = 1e9, learn = 1e9, fit = 1e9, classify = 1e9, matrix = 1e9;
    std::size_t words = 0, right = 0, entries = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto cuts = part_cuts(train.documents, threads);
        double start = now();
        run_parts(threads, [&](std::size_t part) {
            TokenBuffer buffer;
            for (std::size_t k = cuts[part]; k < cuts[part + 1]; ++k)
                tokenizer.split(train.documents[k], buffer).value();
        });
        split = std::min(split, now() - start);

        start = now();
        Vocabulary vocabulary;
        const ClassCounts counts =
            count_classes(train.documents, train.labels, {}, classes, tokenizer, vocabulary, context).value();
        learn = std::min(learn, now() - start);
        const Model model(counts, 0.01, threads);
        fit = std::min(fit, now() - start);
        words = vocabulary.size();

        std::vector<double> posterior(test.documents.size() * classes);
        const auto test_cuts = part_cuts(test.documents, threads);
        start = now();
        run_parts(threads, [&](std::size_t part) {
            DocumentReader reader(tokenizer);
            std::vector<double> sums(model.width);
            for (std::size_t k = test_cuts[part]; k < test_cuts[part + 1]; ++k) {
                sums = model.prior;
                kernel::add_rows(model.rows.data(), model.width,
                                 reader.known_codes(test.documents[k], vocabulary).value(), {}, sums.data());
                const double top = *std::max_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(classes));
                double sum = 0;
                for (std::size_t c = 0; c < classes; ++c) sum += std::exp(sums[c] - top);
                for (std::size_t c = 0; c < classes; ++c) posterior[k * classes + c] = sums[c] - top - std::log(sum);
            }
        });
        classify = std::min(classify, now() - start);
        right = 0;
        for (std::size_t k = 0; k < test.documents.size(); ++k) {
            const auto row = posterior.begin() + static_cast<std::ptrdiff_t>(k * classes);
            right += std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row == test.labels[k];
        }

        start = now();
        Vocabulary fresh;
        const TokenCounts rows = count_documents(train.documents, tokenizer, fresh, context).value();
        matrix = std::min(matrix, now() - start);
        entries = rows.column.size();
    }
    const double megabytes = static_cast<double>(train.text.size()) / 1e6,
                 test_megabytes = static_cast<double>(test.text.size()) / 1e6;
    std::printf("threads %u vocabulary %zu entries %zu accuracy %.4f\n", threads, words, entries,
                static_cast<double>(right) / static_cast<double>(test.documents.size()));
    std::printf(
        "split %.4f s (%.0f MB/s), count per class %.4f, fit %.4f s (%.0f MB/s), classify %.4f s (%.0f MB/s), matrix "
        "%.4f s\n",
        split, megabytes / split, learn, fit, megabytes / fit, classify, test_megabytes / classify, matrix);
}
