// Numbers behind the teaching pictures: the sigmoid, families, a posterior that sharpens, the simplex, EM and k-means.
#pragma once
#include "suffice/base/context.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/record.hpp"
#include "suffice/base/result.hpp"
#include "suffice/report/lesson_figures.hpp"

namespace suffice {

Figure sigmoid_lesson();
Result<Figure> family_lesson();
Result<Figure> prior_lesson(std::uint64_t seed);
Result<Figure> simplex_lesson(std::uint64_t seed);
// A Dirichlet of three levels: its density and some draws.
Result<SimplexPanel> dirichlet_panel(std::string title, const Record& prior, Rng rng);
// Of these rows, or of invented ones where there are none.
Result<Figure> em_lesson(std::vector<PlotPoint> rows, std::string x_title, std::string y_title, const Context& context);

}  // namespace suffice
