// Which instruction sets the vector kernels are compiled for; included before Highway, everywhere the same.
#pragma once

// AVX-512, AVX2 and the portable baseline; each further target costs compile time and serves hardly a machine.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#endif
