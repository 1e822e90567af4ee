// The verb serve, which is compiled by itself: a build without Boost's headers only says that it has no server.
#pragma once
#include "cli/verb.hpp"

namespace suffice::cli {

extern const Verb serve_verb;

}  // namespace suffice::cli
