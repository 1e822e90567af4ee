// Scores payments as they come and learns each one after its answer is known; old ones fade. Half way the fraudsters
// change their habits: the model that forgets follows, the one that does not is late.
#include <cmath>
#include <cstdio>
#include <iostream>

#include "suffice/base/random.hpp"
#include "suffice/model/online.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/suffice.hpp"

namespace {

constexpr int warm_up = 200;  // payments that are learned before answers count

struct Payment {
    double log_amount = 0, hour = 0;
    bool fraud = false;
};

// Frauds are large at first, and small and nightly later.
Payment draw(int number, suffice::Rng& rng) {
    const auto bell = [&] { return rng.uniform() + rng.uniform() + rng.uniform() - 1.5; };
    Payment made;
    made.fraud = rng.uniform() < 0.1;
    const bool late = number >= 10'000;
    made.log_amount = 3 + bell() + (made.fraud && !late ? 2 : 0);
    made.hour = made.fraud && late ? 3 + 2 * bell() : 14 + 4 * bell();
    return made;
}

}  // namespace

int main() {
    suffice::Schema schema;
    schema.columns = {{"log_amount"}, {"hour"}};
    schema.classes = {"fraud", "good"};
    const auto recipe = suffice::make_state({.model = "gaussian_nb"}, schema);
    if (!recipe) {
        std::cerr << recipe.error().sentence() << '\n';
        return 2;
    }
    for (const double memory : {1.0, 0.999}) {
        auto scorer = suffice::OnlineClassifier::from(*recipe, memory).value();
        suffice::Rng rng(1, "payments");
        double loss[2] = {0, 0};  // before the change and after it
        for (int number = 0; number < 20'000; ++number) {
            const Payment payment = draw(number, rng);
            const double row[2] = {payment.log_amount, payment.hour};
            double log_posterior[2];
            scorer.score(row, log_posterior).value();
            if (number >= warm_up) loss[number / 10'000] -= log_posterior[payment.fraud ? 0 : 1] / 10'000;
            scorer.learn(row, payment.fraud ? 0 : 1).value();
        }
        std::printf("memory %.3f: log loss %.3f, after the change %.3f\n", memory, loss[0], loss[1]);
    }
}
