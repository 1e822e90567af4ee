#include <iostream>

#include "suffice/suffice.hpp"
int main(int, char** arguments) {
    auto model = suffice::fit({arguments[1]}, {.target = "species", .model = "lda"});
    if (!model) return std::cerr << model.error().sentence() << '\n', 2;
    const double flower[] = {5.1, 3.5, 1.4, 0.2};
    const auto posterior = model->posteriors(suffice::rows(flower, 1, 4));
    if (!posterior) return std::cerr << posterior.error().sentence() << '\n', 2;
    std::cout << model->classes()[0] << ' ' << (*posterior)(0, 0) << '\n';
    return suffice::save(*model, "iris.suf") ? 0 : 1;
}
