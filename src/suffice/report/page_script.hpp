// The one script of a report, and the hash by which its page allows it and no other.
#pragma once
#include <string_view>

namespace suffice {

std::string_view page_script();
std::string_view page_script_hash();  // base64 of its SHA-256

}  // namespace suffice
