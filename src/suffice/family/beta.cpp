// Maximum likelihood of the Beta family, by Newton.
#include "suffice/family/beta.hpp"

#include <array>

#include "suffice/family/matching.hpp"

namespace suffice {

Result<Beta::Parameter> Beta::most_likely(const Statistic& s) const {
    if (!(s.total_weight > 0)) return Error{"beta: no rows to estimate from"};
    const std::array average{s.log_total / s.total_weight, s.log_complement_total / s.total_weight};
    const double low = std::exp(average[0]), high = std::exp(average[1]);  // geometric means of x and of 1 - x
    const double gap = 1 - low - high;                                     // 0 where all values are equal
    if (!(gap > 1e-15)) return Error{ErrorKind::singular, "beta: all values are equal, so no parameter is finite"};
    return match_mean_features(*this, average, {0.5 + 0.5 * low / gap, 0.5 + 0.5 * high / gap});
}

}  // namespace suffice
