// Every learner is a fold and a step. Closed forms stop after the first step.
#pragma once
#include "suffice/accumulate/fold.hpp"

namespace suffice {

template <class L>
concept Learner =
    std::copyable<typename L::Parameter> && requires(const L& learner, const typename L::Parameter& current) {
        { learner.start() } -> std::same_as<typename L::Parameter>;
        { learner.pass(current) } -> Pass;
        { learner.step(current, learner.pass(current).empty()) } -> std::same_as<Result<typename L::Parameter>>;
        { learner.settled(current, current) } -> std::same_as<bool>;
    };

// The stream is run through once per step.
template <Learner L>
Result<typename L::Parameter> learn(const L& learner, Stream& stream, const Context& context, int step_limit) {
    auto current = learner.start();
    for (int step = 0; step < step_limit; ++step) {
        if (auto again = stream.rewind(); !again) return again.error();
        auto gathered = fold(learner.pass(current), stream, context);
        if (!gathered) return gathered.error();
        auto next = learner.step(current, std::move(*gathered));
        if (!next) return next.error();
        const bool settled = learner.settled(current, *next);
        current = std::move(*next);
        if (settled) break;
    }
    return current;
}

}  // namespace suffice
