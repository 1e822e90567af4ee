// A text for a terminal, its words coloured by how they speak.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "suffice/data/text_options.hpp"

namespace suffice {

// Words of `pull` above zero are green, below zero red, and bold where they are among the strongest; a text that is too
// long is cut. What is a word, and how it reads, is for the options to say.
std::string marked_text(std::string_view text, const TextOptions& options,
                        const std::map<std::string, double, std::less<>>& pull);

}  // namespace suffice
