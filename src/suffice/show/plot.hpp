// One picture of a model, of its evaluation, or of an idea.
#pragma once
#include <array>
#include <string_view>

#include "suffice/flow/open_data.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

enum class Plot : std::uint8_t {
    boundary,
    density,
    posterior,
    calibration,
    roc,
    confusion,
    sigmoid,
    family,
    prior,
    simplex,
    em
};
inline constexpr std::array<std::string_view, 11> plot_names{"boundary", "density",   "posterior", "calibration",
                                                             "roc",      "confusion", "sigmoid",   "family",
                                                             "prior",    "simplex",   "em"};
// Which pictures need what.
bool needs_model(Plot what);
bool needs_rows(Plot what);  // rows whose class is known

struct PlotOptions {
    Plot what = Plot::boundary;
    std::vector<std::string> columns = {};  // two of them, or one; empty: chosen
    ApplyOptions apply = {};
    // Of pictures of families: which, under which conjugate prior (empty: the default), and the mass of an interval.
    std::vector<std::string> families = {};
    std::string prior = {};
    double mass = 0.95;
    bool of_family() const { return !families.empty() || !prior.empty(); }
};

struct Plotted {
    Figure figure;
    std::vector<Note> notes;
    std::string data = {};  // as JSON: what it is drawn from; empty of pictures for teaching
};

// Of a model, with rows or (boundary, density, posterior) without.
Result<Plotted> plot(const Model& model, const std::vector<std::string>& files, const PlotOptions& options,
                     const Context& context = {});
// Of rows in memory, in the order of the model's columns.
Result<Plotted> plot(const Model& model, const LabeledBlock& rows, const PlotOptions& options,
                     const Context& context = {});
// Without a model; em, and pictures of families, may have rows.
Result<Plotted> plot_lesson(const std::vector<std::string>& files, const PlotOptions& options,
                            const Context& context = {});

}  // namespace suffice
