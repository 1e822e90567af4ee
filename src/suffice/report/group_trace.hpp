// The steps of a search for groups: what each came to, and the parameters of the groups then.
#pragma once
#include <span>
#include <string>

#include "suffice/data/schema.hpp"
#include "suffice/group/group_step.hpp"
#include "suffice/report/json_text.hpp"

namespace suffice {

struct GroupTrace {
    std::string key, objective;         // for programs and for people
    std::span<const double> path;       // of the objective
    std::size_t first_step = 0;         // the number of its first entry
    std::span<const GroupStep> groups;  // as many, or none
    const Schema& schema;
};

// A line for each group of each step.
std::string group_trace_text(const GroupTrace& trace);
// The list "trace" of a record that is open.
void write_group_trace(JsonText& json, const GroupTrace& trace);

}  // namespace suffice
