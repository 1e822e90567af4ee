// The public front door: fit, merge, derive, score, save.
//
//   auto model = suffice::fit({"jan.csv", "feb.csv"}, {.target = "churned", .model = "qda"}).value();
//   suffice::Matrix p = model.posteriors(suffice::rows(z, m, d)).value();
//   suffice::save(model, "churn.suf").value();
#pragma once
#include "suffice/flow/algebra.hpp"
#include "suffice/flow/fit.hpp"

#define SUFFICE_VERSION_MAJOR 0
#define SUFFICE_VERSION_MINOR 1
#define SUFFICE_VERSION_PATCH 0
#define SUFFICE_VERSION "0.1.0"
