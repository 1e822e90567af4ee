// Drift as a table for people, as JSON, as a picture and as a page.
#pragma once
#include <string>

#include "suffice/compare/drift.hpp"
#include "suffice/report/document.hpp"

namespace suffice {

std::string drift_text(const Drift& drift);
std::string drift_json(const Drift& drift);
Figure drift_figure(const Drift& drift);    // the divergences of the columns that changed most
Section drift_section(const Drift& drift);  // for a page that tells more
Document drift_document(const Drift& drift, const std::string& before, const std::string& after);

}  // namespace suffice
