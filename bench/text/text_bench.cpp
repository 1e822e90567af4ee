// Times raw text in memory to a fitted multinomial model and to posteriors, best of the repeats, after printing what
// the answers are checked by.
//   text_bench TRAIN TEST [threads] [repeats]     (TRAIN.txt and TRAIN.idx as bench/flatten.py writes them)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "suffice/encode/text_count.hpp"
#include "suffice/encode/text_parts.hpp"
#include "suffice/encode/text_threads.hpp"
#include "suffice/flow/documents.hpp"

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

// Least wall and processor seconds of what was run; a busy machine spoils the first, not so much the second.
struct Least {
    double wall = 1e9, processor = 1e9;
    template <class Act>
    void of(Act act) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t spent = std::clock();
        act();
        const double used = static_cast<double>(std::clock() - spent) / CLOCKS_PER_SEC;
        wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        processor = std::min(processor, used);
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
    std::vector<std::string> names;
    for (const std::int32_t label : train.labels) names.push_back(std::to_string(100 + label));
    FitOptions options{.model = "multinomial_nb"};
    options.settings.smoothing = 0.01;
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    Least split, fit, classify, matrix;
    std::size_t words = 0, right = 0, entries = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto cuts = part_cuts(train.documents, threads);
        split.of([&] {
            run_parts(threads, [&](std::size_t part) {
                TokenBuffer buffer;
                for (std::size_t k = cuts[part]; k < cuts[part + 1]; ++k)
                    tokenizer.split(train.documents[k], buffer).value();
            });
        });
        std::optional<Model> model;
        fit.of([&] { model = fit_documents(train.documents, names, options, context).value(); });
        words = model->schema().columns[0].levels.size();
        const DocumentClassifier classifier = DocumentClassifier::of(*model).value();
        Matrix posterior;
        classify.of([&] { posterior = classifier.posteriors(test.documents, context).value(); });
        right = 0;
        for (std::size_t k = 0; k < test.documents.size(); ++k) {
            const auto row = posterior.values.begin() + static_cast<std::ptrdiff_t>(k * classes);
            right += std::max_element(row, row + static_cast<std::ptrdiff_t>(classes)) - row == test.labels[k];
        }
        matrix.of([&] {
            Vocabulary fresh;
            entries = count_documents(train.documents, tokenizer, fresh, context).value().column.size();
        });
    }
    std::printf("threads %u vocabulary %zu entries %zu accuracy %.4f\n", threads, words, entries,
                static_cast<double>(right) / static_cast<double>(test.documents.size()));
    const auto line = [](const char* what, const Least& time, const Corpus& corpus) {
        std::printf("%s %.5f s %.0f MB/s, processor %.5f s\n", what, time.wall,
                    static_cast<double>(corpus.text.size()) / 1e6 / time.wall, time.processor);
    };
    line("split", split, train);
    line("fit", fit, train);
    line("classify", classify, test);
    line("matrix", matrix, train);
}
