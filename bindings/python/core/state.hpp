// Statistics as Python holds them: a ModelState that never changes, and what can be made from two of them.
#pragma once
#include <memory>

#include <nanobind/nanobind.h>

#include "suffice/model/recipe.hpp"

namespace suffice::python {

namespace nb = nanobind;

// Shared, because a fitted estimator, its copies and its model all look at the same one.
class State {
public:
    explicit State(ModelState state) : state_(std::make_shared<const ModelState>(std::move(state))) {}
    const ModelState& get() const { return *state_; }

private:
    std::shared_ptr<const ModelState> state_;
};

// {"estimate": "map", "smoothing": 1.0, ...}: what is not named keeps its default.
Settings settings_from(const nb::dict& given);
// Covariance structures that no model name stands for are settings of their own.
void apply_structure(const nb::dict& given, Settings& settings);
// (name, kind, levels, how many of them are declared) of each column, and back.
nb::list list_of(const std::vector<Column>& columns);
std::vector<Column> columns_from(const nb::list& given);
// One dict per Part: what it is called, its columns, its numbers; whether values were missing or refused.
nb::list read_parts(const State& state);

}  // namespace suffice::python
