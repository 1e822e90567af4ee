// Names of the instruction sets that kernels are compiled for. The environment variable SUFFICE_TARGET (portable, avx2
// or avx512) keeps a process from using more than the one it names, so that one machine shows what others compute.
#pragma once
#include <string>
#include <vector>

namespace suffice::kernel {

std::string target_in_use();
std::vector<std::string>
targets_here();  // those that this processor could run, best first, whatever SUFFICE_TARGET says

}  // namespace suffice::kernel
