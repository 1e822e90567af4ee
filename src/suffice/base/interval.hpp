// A range of numbers, its ends included.
#pragma once

namespace suffice {

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

}  // namespace suffice
