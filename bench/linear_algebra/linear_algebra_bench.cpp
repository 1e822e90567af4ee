// How long the dense linear algebra of kernel/linear_algebra.hpp takes, whichever library is behind it:
// bench/linear_algebra/both compares two.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "suffice/kernel/linear_algebra.hpp"

using suffice::kernel::Form;

namespace {

using Values = std::vector<double>;

Values numbers(std::size_t count) {
    Values made(count);
    unsigned state = 1;
    for (double& value : made)
        value = static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
    return made;
}

// The least of several runs, in microseconds; what it is run on is made anew for each.
template <class Prepare, class Work>
double least(Prepare prepare, Work work) {
    double best = 1e300;
    for (int k = 0; k < 7; ++k) {
        auto input = prepare();
        const auto start = std::chrono::steady_clock::now();
        work(input);
        best =
            std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

Values positive(std::size_t d) {
    const Values rows = numbers(4 * d * d);
    Values product(d * d, 0.0);
    suffice::kernel::self_product(4 * d, d, 1, rows, 0, product);
    suffice::kernel::mirror_lower(product, d);
    return product;
}

}  // namespace

int main() {
    for (const std::size_t d : {10, 50, 200, 784}) {
        const Values definite = positive(d), rows = numbers(4096 * d), square = numbers(d * d);
        const auto copy = [&] { return definite; };
        std::printf("%zu cholesky %.2f\n", d, least(copy, [&](Values& a) { suffice::kernel::cholesky(a, d); }));
        std::printf("%zu inverse %.2f\n", d, least(copy, [&](Values& a) {
                        suffice::kernel::cholesky(a, d);
                        suffice::kernel::invert_cholesky(a, d);
                    }));
        std::printf("%zu eigen %.2f\n", d, least(copy, [&](Values& a) {
                        Values values(d);
                        suffice::kernel::symmetric_eigen(a, d, values);
                    }));
        std::printf("%zu scatter_of_4096_rows %.2f\n", d,
                    least([&] { return Values(d * d); },
                          [&](Values& c) { suffice::kernel::self_product(4096, d, 1, rows, 0, c); }));
        std::printf("%zu product_of_4096_rows %.2f\n", d,
                    least([&] { return Values(4096 * d); },
                          [&](Values& c) {
                              suffice::kernel::multiply(Form::plain, Form::plain, 4096, d, d, 1, rows, square, 0, c);
                          }));
        if (d <= 200)
            std::printf("%zu singular_values %.2f\n", d,
                        least([&] { return numbers(2 * d * d); },
                              [&](Values& a) {
                                  Values u(2 * d * d), values(d), vt(d * d);
                                  suffice::kernel::singular_values(a, 2 * d, d, u, values, vt);
                              }));
    }
}
