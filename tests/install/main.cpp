// What a stranger's first program looks like: two days of counts, gathered apart, give the rate of both.
#include <iostream>

#include "suffice/family/poisson.hpp"

int main() {
    const suffice::Poisson family;
    auto monday = family.empty();
    auto tuesday = family.empty();
    for (const double count : {3., 5., 4.}) family.observe(monday, count, 1);
    for (const double count : {8., 10.}) family.observe(tuesday, count, 1);
    monday.merge(tuesday);
    const auto rate = family.most_likely(monday);
    if (!rate) {
        std::cerr << rate.error().sentence() << '\n';
        return 2;
    }
    std::cout << "rate " << rate.value().rate << '\n';
}
