// Writes the sentence.
#include "suffice/group/step_limit_note.hpp"

#include <cmath>
#include <cstdio>

namespace suffice {

std::string step_limit_note(std::string_view what, std::size_t limit, std::string_view how, double change) {
    std::string note =
        std::string(what) + " stopped at the limit of " + std::to_string(limit) + (limit == 1 ? " step" : " steps");
    if (!std::isfinite(change)) return note;
    std::string number(32, '\0');
    number.resize(static_cast<std::size_t>(std::snprintf(number.data(), number.size(), "%.3g", change)));
    return note + ", when " + std::string(how) + " by " + number;
}

}  // namespace suffice
