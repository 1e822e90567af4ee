// Which instruction sets the vector kernels are compiled for; included before Highway, everywhere the same.
#pragma once

// Without SSSE3: hardly a machine has it and not SSE4, and each target costs compile time.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
