// Reads a delimited file and adds up its columns: csv_bench FILE [threads] [repeats]. Prints seconds and GB/s.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "suffice/read/table.hpp"

namespace {

using namespace suffice;

struct Sums {
    double numbers = 0;
    std::size_t rows = 0, word_bytes = 0;
};

void add(Sums& sums, const TableUnit& unit) {
    sums.rows += unit.row_count;
    for (const Cells& cells : unit.columns) {
        double part[4] = {};
        for (std::size_t row = 0; row + 4 <= cells.numbers.size(); row += 4)
            for (std::size_t k = 0; k < 4; ++k)
                part[k] += std::isnan(cells.numbers[row + k]) ? 0 : cells.numbers[row + k];
        sums.numbers += part[0] + part[1] + part[2] + part[3];
        for (const std::string_view word : cells.words) sums.word_bytes += word.size();
    }
}

Sums read_once(const char* path, unsigned threads) {
    auto reader = open_table({path}, {}).value();
    std::mutex turn, keep;
    Sums all;
    const auto work = [&] {
        Sums mine;
        for (TableUnit unit;;) {
            {
                const std::lock_guard lock(turn);
                if (!reader->draw(unit).value()) break;
            }
            reader->decode(unit).value();
            add(mine, unit);
        }
        const std::lock_guard lock(keep);
        all.numbers += mine.numbers;
        all.rows += mine.rows;
        all.word_bytes += mine.word_bytes;
    };
    std::vector<std::thread> others;
    for (unsigned k = 1; k < threads; ++k) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    return all;
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return std::fprintf(stderr, "usage: csv_bench FILE [threads] [repeats]\n"), 2;
    const unsigned threads = count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : default_thread_count();
    const int repeats = count > 3 ? std::atoi(words[3]) : 7;
    double best = 1e300, best_cpu = 1e300;
    Sums sums;
    for (int k = 0; k < repeats; ++k) {
        const std::clock_t cpu_start = std::clock();
        const auto start = std::chrono::steady_clock::now();
        sums = read_once(words[1], threads);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        best_cpu = std::min(best_cpu, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    }
    const auto bytes = static_cast<double>(std::filesystem::file_size(words[1]));
    std::printf("%s threads %u: %.4f s, %.2f GB/s, %.4f s of processor, %zu rows, sum %.17g, word bytes %zu\n",
                words[1], threads, best, bytes / best * 1e-9, best_cpu, sums.rows, sums.numbers, sums.word_bytes);
}
