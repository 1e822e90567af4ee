// Which instruction sets this processor has, told to Highway by us: its headers are then all of it that is needed, and
// neither the command nor the wheel carries a shared library for four functions. Weak, so that a program which links
// Highway itself keeps Highway's own.
#include "suffice/kernel/targets.hpp"

#include <atomic>

#include <hwy/targets.h>

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
#else
std::int64_t detected() { return HWY_ENABLED_BASELINE; }
#endif

}  // namespace

__attribute__((weak)) std::int64_t SupportedTargets() {
    static const std::int64_t here = detected();
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
