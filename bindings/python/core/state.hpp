// Statistics as Python holds them: a ModelState that never changes, and what can be made from two of them.
#pragma once
#include <functional>
#include <memory>

#include <nanobind/nanobind.h>

#include "suffice/model/recipe.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {

namespace nb = nanobind;

// Shared, because a fitted estimator, its copies and its model all look at the same one.
class State {
public:
    explicit State(ModelState state, Provenance seen = {})
        : state_(std::make_shared<const ModelState>(std::move(state))), seen_(std::move(seen)) {}
    const ModelState& get() const { return *state_; }
    const Provenance& seen() const { return seen_; }  // where the rows came from and how they were read

private:
    std::shared_ptr<const ModelState> state_;
    Provenance seen_;
};

// {"estimate": "map", "smoothing": 1.0, ...}: what is not named keeps its default.
Settings settings_from(const nb::dict& given);
nb::dict dict_of(const Settings& settings);  // and back
nb::dict dict_of(const TextOptions& options);
// The state with the rows of a stream, whose names are `names` and may grow.
State with_rows(const State& state, Stream& stream, const Schema& names, const Context& context);
// The same from what `feed` makes of a state that has seen nothing and knows `names` alone.
State with_rows(const State& state, const Schema& names, const std::function<Result<ModelState>(ModelState)>& feed);
ModelState blank_state(const State& like, const Schema& names);
// The same statistics under another model or other settings.
ModelState under_settings(const State& state, const std::string& model, const nb::dict& settings);
// Covariance structures that no model name stands for are settings of their own.
void apply_structure(const nb::dict& given, Settings& settings);
// (name, kind, levels, how many of them are declared) of each column, and back.
nb::list list_of(const std::vector<Column>& columns);
std::vector<Column> columns_from(const nb::list& given);
// One dict per Part: what it is called, its columns, its numbers; whether values were missing or refused.
nb::list read_parts(const State& state);

}  // namespace suffice::python
