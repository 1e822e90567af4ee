// What this program was built from and runs on.
#pragma once
#include <string>

namespace suffice::cli {

std::string build_facts();  // JSON

}  // namespace suffice::cli
