// Which instruction sets this processor has, told to Highway by us: its headers are then all of it that is needed, and
// neither the command nor the wheel carries a shared library for four functions. Weak, so that a program which links
// Highway itself keeps Highway's own.
#include "suffice/kernel/targets.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <hwy/targets.h>

#include "suffice/kernel/target_names.hpp"

namespace hwy {
namespace {

std::atomic<std::int64_t> disabled{0}, pretended{0};

#if HWY_ARCH_X86
// The groups are those of Highway's targets.cc (1.0.3).
std::int64_t detected() {
    __builtin_cpu_init();
    std::int64_t found = HWY_EMU128;
    const bool ssse3 = __builtin_cpu_supports("sse2") && __builtin_cpu_supports("ssse3");
    const bool sse4 = ssse3 && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                      __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
    const bool avx2 = sse4 && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    const bool avx3_dl = avx3 && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq") &&
                         __builtin_cpu_supports("vaes") && __builtin_cpu_supports("avx512vbmi") &&
                         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
                         __builtin_cpu_supports("avx512vpopcntdq");
    if (ssse3) found |= HWY_SSSE3;
    if (sse4) found |= HWY_SSE4;
    if (avx2) found |= HWY_AVX2;
    if (avx3) found |= HWY_AVX3;
    if (avx3_dl) found |= HWY_AVX3_DL;
    return found;
}

// What SUFFICE_TARGET allows; words that it does not know allow all.
std::int64_t allowed_by_name() {
    const char* set = std::getenv("SUFFICE_TARGET");
    const std::string_view name = set == nullptr ? "" : set;
    if (name == "portable") return HWY_EMU128;
    if (name == "avx2") return HWY_EMU128 | HWY_SSSE3 | HWY_SSE4 | HWY_AVX2;
    return ~std::int64_t{0};
}
#else
std::int64_t detected() { return HWY_ENABLED_BASELINE; }
std::int64_t allowed_by_name() { return ~std::int64_t{0}; }
#endif

}  // namespace

__attribute__((weak)) std::int64_t SupportedTargets() {
    static const std::int64_t here = detected() & allowed_by_name();
    const std::int64_t asked = pretended;
    const std::int64_t allowed = (asked == 0 ? here : asked) & ~disabled.load();
    return allowed == 0 ? HWY_STATIC_TARGET : allowed;
}

__attribute__((weak)) void DisableTargets(std::int64_t targets) {
    disabled = targets;
    GetChosenTarget().DeInit();
}

__attribute__((weak)) void SetSupportedTargetsForTest(std::int64_t targets) {
    pretended = targets;
    GetChosenTarget().DeInit();
}

__attribute__((weak)) ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}

}  // namespace hwy

namespace suffice::kernel {
namespace {

std::string name_of(std::int64_t target) {
#if HWY_ARCH_X86
    if (target == HWY_AVX3 || target == HWY_AVX3_DL) return "avx512";
    if (target == HWY_AVX2) return "avx2";
    return "portable";
#else
    std::string name = hwy::TargetName(target);
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return name;
#endif
}

// The lowest bit is the best target; the baseline is always there.
std::vector<std::string> names_of(std::int64_t targets) {
    std::vector<std::string> names;
    const auto add = [&](std::int64_t target) {
        std::string name = name_of(target);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    };
    for (auto left = static_cast<std::uint64_t>(targets & HWY_TARGETS); left != 0; left &= left - 1)
        add(static_cast<std::int64_t>(left & (~left + 1)));
    add(HWY_STATIC_TARGET);
    return names;
}

}  // namespace

std::string target_in_use() { return names_of(hwy::SupportedTargets()).front(); }
std::vector<std::string> targets_here() { return names_of(hwy::detected()); }

}  // namespace suffice::kernel
