// What a stranger's first program looks like: two months of rows, fitted apart and merged, then another model derived.
#include <iostream>
#include <string>
#include <vector>

#include "suffice/suffice.hpp"

int main() {
    const std::vector<double> january{1.0, 2.0, 1.2, 1.8, 5.0, 6.1, 5.3, 6.0},
        february{0.9, 2.2, 1.1, 2.1, 5.2, 5.9, 4.8, 6.2};
    const std::vector<std::string> labels{"stays", "stays", "leaves", "leaves"};
    const suffice::FitOptions options{.model = "qda", .columns = {"calls", "minutes"}};
    try {
        const auto first = suffice::fit(suffice::rows(january.data(), 4, 2), labels, options).value();
        const auto second = suffice::fit(suffice::rows(february.data(), 4, 2), labels, options).value();
        const auto both = suffice::merge(first, second).value();
        const auto lda = suffice::derive(both, {.model = "lda", .settings = {.shrinkage = 0.1}}).value();
        const double caller[] = {5.1, 6.0};
        std::cout << lda.predict(suffice::rows(caller, 1, 2)).value().front() << " after " << lda.seen().rows
                  << " rows\n";
    } catch (const suffice::Exception& problem) {
        std::cerr << problem.what() << '\n';
        return 2;
    }
}
