// Fits a model to a CSV file, saves it, loads it again as a service would, and scores rows that are in memory.
#include <cstdio>
#include <iostream>

#include "suffice/suffice.hpp"

int main(int argument_count, char** arguments) {
    if (argument_count != 2) {
        std::cerr << "usage: scorer iris.csv\n";
        return 2;
    }
    try {
        const auto fitted = suffice::fit({arguments[1]}, {.target = "species", .model = "lda"}).value();
        for (const auto& note : fitted.notes()) std::cerr << note.told() << '\n';
        suffice::save(fitted, "iris.suf").value();

        const auto model = suffice::load("iris.suf").value();
        const double flowers[2][4] = {{5.1, 3.5, 1.4, 0.2}, {6.7, 3.0, 5.2, 2.3}};
        const suffice::Matrix posterior = model.posteriors(suffice::rows(&flowers[0][0], 2, 4)).value();
        for (std::size_t row = 0; row < posterior.row_count; ++row)
            for (std::size_t c = 0; c < posterior.column_count; ++c)
                std::printf("%s %.4f%s", model.classes()[c].c_str(), posterior(row, c),
                            c + 1 == posterior.column_count ? "\n" : "  ");
    } catch (const suffice::Exception& problem) {
        std::cerr << problem.what() << '\n';
        return 2;
    }
}
