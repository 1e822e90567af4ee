// Times every numeric kernel on one and two threads and prints its rate beside this kind of machine's limits.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

#include <sys/mman.h>

#include "suffice/kernel/count.hpp"
#include "suffice/kernel/exp_sum.hpp"
#include "suffice/kernel/gather.hpp"
#include "suffice/kernel/gradient.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/nearest.hpp"
#include "suffice/kernel/scatter.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/softmax.hpp"

namespace {

using namespace suffice::kernel;
using Work = std::function<void(std::size_t first, std::size_t last)>;

// Per thread: fused multiply-adds 58 GF/s; both threads: memory 39 GB/s, one thread 36.
constexpr double arithmetic_limit = 58e9;
double memory_limit(int threads) { return threads == 1 ? 36e9 : 39e9; }

// One thread is timed by its own clock, so that other work on the machine hardly shows; two threads by the wall.
double now(int threads) {
    timespec time{};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(int threads, std::size_t row_count, std::size_t unit, const Work& work) {
    double best = 1e9;
    for (int repeat = 0; repeat < 10; ++repeat) {
        const double start = now(threads);
        std::vector<std::thread> helpers;
        const auto share = [&](int t) {
            const std::size_t units = (row_count + unit - 1) / unit;
            const std::size_t from = units * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads);
            const std::size_t to = units * static_cast<std::size_t>(t + 1) / static_cast<std::size_t>(threads);
            for (std::size_t u = from; u < to; ++u) work(u * unit, std::min(row_count, (u + 1) * unit));
        };
        for (int t = 1; t < threads; ++t) helpers.emplace_back(share, t);
        share(0);
        for (std::thread& helper : helpers) helper.join();
        best = std::min(best, now(threads) - start);
    }
    return best;
}

// Large pages, as numpy asks for them.
struct LargePages {
    explicit LargePages(std::size_t count) : size_(count * sizeof(double)) {
        values_ =
            static_cast<double*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        madvise(values_, size_, MADV_HUGEPAGE);
    }
    LargePages(const LargePages&) = delete;
    ~LargePages() { munmap(values_, size_); }
    double* data() const { return values_; }
    double* begin() const { return values_; }
    double* end() const { return values_ + size_ / sizeof(double); }
    double operator[](std::size_t i) const { return values_[i]; }

private:
    std::size_t size_;
    double* values_;
};

struct Data {
    std::size_t n, d, k;
    LargePages x;
    std::vector<double> centre, coefficient, scale, offset, bias;
    std::vector<std::int32_t> code;

    Data(std::size_t rows, std::size_t columns, std::size_t classes)
        : n(rows),
          d(columns),
          k(classes),
          x(n * d),
          centre(d, 0.5),
          coefficient(k * d),
          scale(k * d),
          offset(k * d),
          bias(k),
          code(n) {
        std::mt19937_64 random(1);
        const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
        for (double& v : x) v = uniform();
        for (double& v : coefficient) v = uniform() - 0.5;
        for (double& v : scale) v = 1 + uniform();
        for (double& v : offset) v = uniform() - 0.5;
        for (double& v : bias) v = uniform();
        for (std::int32_t& c : code) c = static_cast<std::int32_t>(random() % k);
    }
    Rows rows(std::size_t first, std::size_t last) const {
        return {x.data() + first * d, last - first, d, static_cast<std::ptrdiff_t>(d)};
    }
};

// The seconds on two threads.
double report(const std::string& name, std::size_t row_count, std::size_t unit, double bytes, double operations,
              const Work& work) {
    double s = 0;
    for (int threads = 1; threads <= 2; ++threads) {
        s = seconds_of(threads, row_count, unit, work);
        std::printf("%-24s threads %d: %.5f s %6.1f GB/s (%3.0f %% of memory) %6.1f GF/s (%3.0f %% of arithmetic)\n",
                    name.c_str(), threads, s, bytes / s * 1e-9, 100 * bytes / s / memory_limit(threads),
                    operations / s * 1e-9, 100 * operations / s / (arithmetic_limit * threads));
    }
    return s;
}

// What a prototype without validation, odd sizes and other processors reached on two threads of this kind of machine,
// in 1e9 products and sums a second.
const std::map<std::size_t, double> prototype_scatter = {{4, 3.3},   {8, 20.0},   {16, 41.3},  {32, 60.1},
                                                         {50, 68.7}, {100, 85.4}, {256, 98.9}, {784, 97.7}};

void moments(const Data& data) {
    const double size = static_cast<double>(data.n * data.d);
    report("class_moments", data.n, 4096, size * 8, size * 4, [&](std::size_t first, std::size_t last) {
        std::vector<double> weight(data.k), sum(data.k * data.d), square(data.k * data.d);
        class_moments(data.rows(first, last), data.code.data() + first, nullptr, data.k, data.centre.data(),
                      weight.data(), sum.data(), square.data());
    });
    std::vector<double> share(256 * data.k, 0.25);
    report("shared_moments", data.n, 4096, size * 8, size * 4 * static_cast<double>(data.k),
           [&](std::size_t first, std::size_t last) {
               std::vector<double> weight(data.k), sum(data.k * data.d), square(data.k * data.d);
               for (std::size_t r = first; r < last; r += 256)
                   shared_moments(data.rows(r, std::min(last, r + 256)), share.data(), 256, data.k, data.centre.data(),
                                  weight.data(), sum.data(), square.data());
           });
}

void scatter(std::size_t d) {
    const Data data(std::min<std::size_t>(25'000'000 / d, 3'000'000), d, 5);
    const double size = static_cast<double>(data.n * d), products = size * static_cast<double>(d + 1);
    const double seconds = report("class_scatter d=" + std::to_string(d), data.n, 4096, size * 8, products,
                                  [&](std::size_t first, std::size_t last) {
                                      thread_local ClassScatter scatter;
                                      thread_local std::vector<double> weight, sum, outer;
                                      weight.assign(data.k, 0), sum.assign(data.k * d, 0);
                                      if (outer.size() != data.k * d * d) outer.assign(data.k * d * d, 0);
                                      scatter.add(data.rows(first, last), data.code.data() + first, nullptr, data.k,
                                                  data.centre.data(), weight.data(), sum.data(), outer.data());
                                  });
    std::printf("%-24s threads 2: %3.0f %% of the prototype\n", "",
                products / seconds / prototype_scatter.at(d) * 1e-7);
    if (d != 50) return;
    std::vector<double> share(256 * data.k, 0.25);
    report("shared_scatter d=50", data.n, 4096, size * 8, products * static_cast<double>(data.k),
           [&](std::size_t first, std::size_t last) {
               ClassScatter scatter;
               std::vector<double> weight(data.k), sum(data.k * d), outer(data.k * d * d);
               for (std::size_t r = first; r < last; r += 256)
                   scatter.add_shared(data.rows(r, std::min(last, r + 256)), share.data(), 256, data.k,
                                      data.centre.data(), weight.data(), sum.data(), outer.data());
           });
}

void scores(const Data& data) {
    const std::size_t d = data.d, k = data.k;
    const double n = static_cast<double>(data.n), kd = static_cast<double>(k * d);
    std::vector<double> out(data.n * k), factor(k * d * d);
    for (std::size_t i = 0; i < factor.size(); ++i) factor[i] = data.x[i] * 0.1;
    const PackedFactors factors(k, d, factor.data(), data.offset.data(), data.bias.data());
    const auto with = [&](const auto& score) {
        return [&](std::size_t first, std::size_t last) {
            std::vector<double> joint(k * 256);
            for (std::size_t r = first; r < last; r += 256) {
                const Rows rows = data.rows(r, std::min(last, r + 256));
                const Tile tile{joint.data(), rows.row_count, k, 256};
                std::fill(joint.begin(), joint.end(), 0.0);
                score(rows, tile);
                softmax(tile, nullptr);
                transpose_out(tile, out.data() + r * k, static_cast<std::ptrdiff_t>(k));
            }
        };
    };
    const auto affine = [&](Rows rows, Tile tile) {
        affine_scores(rows, data.centre.data(), data.coefficient.data(), data.bias.data(), tile);
    };
    const auto diagonal = [&](Rows rows, Tile tile) {
        diagonal_scores(rows, data.centre.data(), data.scale.data(), data.offset.data(), data.bias.data(), tile);
    };
    const auto quadratic = [&](Rows rows, Tile tile) { quadratic_scores(rows, data.centre.data(), factors, tile); };
    const auto nothing = [&](Rows, Tile) {};
    const double bytes = n * static_cast<double>(d + k) * 8;
    report("affine + softmax", data.n, 4096, bytes, n * kd * 2, with(affine));
    report("diagonal + softmax", data.n, 4096, bytes, n * kd * 4, with(diagonal));
    report("quadratic + softmax", data.n, 4096, bytes, n * kd * static_cast<double>(d + 1), with(quadratic));
    report("softmax alone", data.n, 4096, n * static_cast<double>(k) * 8, n * static_cast<double>(k), with(nothing));
    std::vector<double> joint(k);
    const double s = seconds_of(1, 100'000, 1, [&](std::size_t first, std::size_t last) {
        const Tile tile{joint.data(), 1, k, 1};
        std::fill(joint.begin(), joint.end(), 0.0);
        affine(data.rows(first, last), tile);
        softmax(tile, nullptr);
    });
    std::printf("%-24s %.0f ns a row\n", "affine, row by row", s * 1e9 / 100'000);
}

void categories() {
    const std::size_t n = 300'000, m = 20, k = 4;
    Data data(n, m, k);
    for (double& v : data.x) v = static_cast<double>(static_cast<int>(v * 12));
    std::vector<std::int32_t> codes(n * m), levels(m, 12);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(data.x[i]);
    const std::vector<double> table(12 * k, -1.5);
    const std::vector<const double*> tables(m, table.data());
    const PackedTables packed(k, levels, tables.data());
    const double size = static_cast<double>(n * m);
    report("class_level_counts", n, 4096, size * 4, size, [&](std::size_t first, std::size_t last) {
        std::vector<double> counts(12 * m * k);
        class_level_counts(Codes{codes.data() + first * m, last - first, m, static_cast<std::ptrdiff_t>(m)},
                           levels.data(), data.code.data() + first, nullptr, k, counts.data());
    });
    report("same, from doubles", n, 4096, size * 8, size, [&](std::size_t first, std::size_t last) {
        std::vector<double> counts(12 * m * k);
        class_level_counts(data.rows(first, last), levels.data(), data.code.data() + first, nullptr, k, counts.data());
    });
    report("level_codes", n, 256, size * 8, size, [&](std::size_t first, std::size_t last) {
        std::vector<std::int32_t> out(256 * m);
        level_codes(data.rows(first, last), levels.data(), out.data(), static_cast<std::ptrdiff_t>(m));
    });
    report("table_scores", n, 256, size * 4, size * k, [&](std::size_t first, std::size_t last) {
        std::vector<double> joint(k * 256);
        table_scores(codes.data() + first * m, static_cast<std::ptrdiff_t>(m), packed,
                     Tile{joint.data(), last - first, k, 256});
    });
}

void layouts(const Data& data) {
    const double size = static_cast<double>(data.n * data.d);
    const auto d = static_cast<std::ptrdiff_t>(data.d), n = static_cast<std::ptrdiff_t>(data.n);
    std::vector<float> narrow(data.x.begin(), data.x.end());
    const auto tile = [&](std::size_t, std::size_t) { return std::vector<double>(256 * data.d); };
    report("gather double rows", data.n, 256, size * 8, 0, [&](std::size_t first, std::size_t last) {
        auto out = tile(first, last);
        gather(data.x.data() + first * data.d, d, 1, last - first, data.d, out.data(), d);
    });
    report("gather double columns", data.n, 256, size * 8, 0, [&](std::size_t first, std::size_t last) {
        auto out = tile(first, last);
        gather(data.x.data() + first, 1, n, last - first, data.d, out.data(), d);
    });
    report("gather float rows", data.n, 256, size * 4, 0, [&](std::size_t first, std::size_t last) {
        auto out = tile(first, last);
        gather(narrow.data() + first * data.d, d, 1, last - first, data.d, out.data(), d);
    });
    report("gather float columns", data.n, 256, size * 4, 0, [&](std::size_t first, std::size_t last) {
        auto out = tile(first, last);
        gather(narrow.data() + first, 1, n, last - first, data.d, out.data(), d);
    });
    report("all_finite", data.n, 4096, size * 8, 0, [&](std::size_t first, std::size_t last) {
        if (!all_finite(data.x.data() + first * data.d, (last - first) * data.d)) std::abort();
    });
    std::vector<double> values(4096, -3.5);
    report("exp_in_place (G/s)", 2000, 1, 0, 2000.0 * 4096, [&](std::size_t, std::size_t) {
        double copy[4096];
        std::memcpy(copy, values.data(), sizeof copy);
        exp_in_place(copy, 4096);
    });
    report("log_in_place (G/s)", 2000, 1, 0, 2000.0 * 4096, [&](std::size_t, std::size_t) {
        double copy[4096];
        for (double& v : copy) v = 3.5;
        log_in_place(copy, 4096);
    });
}

void composed(const Data& data) {
    const double size = static_cast<double>(data.n * data.d), classes = static_cast<double>(data.k);
    report("softmax_gradient", data.n, 4096, size * 8, size * 4 * classes, [&](std::size_t first, std::size_t last) {
        std::vector<double> gradient(data.k * data.d), bias_gradient(data.k);
        softmax_gradient(data.rows(first, last), data.code.data() + first, nullptr, data.centre.data(),
                         data.coefficient.data(), data.bias.data(), data.k, gradient.data(), bias_gradient.data(),
                         nullptr);
    });
    const Data ten(500'000, 50, 10);
    report("nearest_centres k=10", ten.n, 4096, size * 8, size * 20, [&](std::size_t first, std::size_t last) {
        std::vector<double> weight(10), sum(10 * ten.d);
        std::vector<std::int32_t> nearest(4096);
        nearest_centres(ten.rows(first, last), nullptr, ten.centre.data(), ten.coefficient.data(), 10, nearest.data(),
                        weight.data(), sum.data(), nullptr);
    });
    for (const std::size_t d : {3, 10}) {
        const Data points(5000, d, 1);
        std::vector<double> out(5000);
        report("exp_sum (G pairs/s) d=" + std::to_string(d), 5000, 500, 0, 25e6,
               [&](std::size_t first, std::size_t last) {
                   exp_sum(points.rows(first, last), points.rows(0, 5000), nullptr, out.data() + first);
               });
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    const std::string only = argument_count > 1 ? arguments[1] : "";
    const auto wanted = [&](const char* name) { return only.empty() || only == name; };
    const Data data(500'000, 50, 5);
    if (wanted("moments")) moments(data);
    if (wanted("scatter"))
        for (const std::size_t d : {4, 8, 16, 32, 50, 100, 256, 784}) scatter(d);
    if (wanted("scores")) scores(data);
    if (wanted("categories")) categories();
    if (wanted("composed")) composed(data);
    if (wanted("layouts")) layouts(data);
}
