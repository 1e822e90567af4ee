// What a verb that makes a model says of it: for people on stderr, or by --json for programs on standard output.
#pragma once
#include <chrono>
#include <optional>

#include "cli/options.hpp"

#include "suffice/evaluate/evaluation.hpp"

namespace suffice::cli {

inline constexpr OptionSpec json_summary{
    "--json", "", "for programs: what was made, on standard output; the model then needs a file"};

// Asked before any work is done: a model goes to no terminal, and not where --json writes.
Result<void> check_model_output(const Arguments& arguments, const std::string& path);

struct Made {
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    std::optional<double> accuracy = {}, rows_before = {};
    std::optional<Scores> held_out = {};
    const LogisticTrace* trace = nullptr;
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(); }
};
Result<void> print_summary(const Model& model, const Made& made, double seconds);  // as JSON

}  // namespace suffice::cli
