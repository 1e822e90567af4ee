// Says why a value is refused.
#include "suffice/score/refused_value.hpp"

#include <cmath>

#include "suffice/family/observe.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

Error unsupported_value(std::uint32_t column, std::string_view family, std::string_view support, double x) {
    if (std::isinf(x)) return infinite_value(column);
    return Error(std::string(family) + " takes " + std::string(support) + ", and this is " + value_text({&x, 1}))
        .in_place(column);
}

Error no_level(std::uint32_t column, std::size_t levels, double x) {
    return Error("the code of a level is a whole number below " + std::to_string(levels) + ", and this is " +
                 value_text({&x, 1}))
        .in_place(column);
}

}  // namespace suffice
