// An alternative that no variant ever holds, for variants of nothing but numbers, strings and vectors.
#pragma once

namespace suffice {

// Of alternatives that are cheap to move libstdc++ 12 takes for granted that one is always held, and destroys it also
// where memory ran out while it was being copied and none is. Beside this one it looks first.
class NeverHeld {
public:
    NeverHeld() = delete;
    NeverHeld(const NeverHeld&) noexcept {}
    NeverHeld& operator=(const NeverHeld&) noexcept { return *this; }
    bool operator==(const NeverHeld&) const = default;
};

}  // namespace suffice
