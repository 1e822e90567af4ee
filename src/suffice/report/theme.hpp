// The colours of figures and pages: a colour-blind-safe palette, light and dark, as style sheet variables.
//
// Class colours are those of Okabe and Ito (2008), "Color universal design". Colour is never the only sign: points of
// a class also have a shape and lines a dash pattern.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace suffice {

struct Rgb {
    double red = 0, green = 0, blue = 0;  // 0 to 255
    bool operator==(const Rgb&) const = default;
};

inline constexpr std::size_t class_colour_count = 8;
Rgb class_colour(std::size_t class_code);  // in the light theme; repeats after class_colour_count

// Class colours mixed by their posteriors, in linear light so that no mixture looks darker than its parts.
Rgb mixed_colour(std::span<const double> posteriors);
// From nothing (0) to the full colour of the heat scale (1): a single hue, so that grey prints keep the order.
Rgb heat_colour(double share);
std::string css_colour(Rgb colour);

// :root variables for light, for dark screens, and the classes that figures use (f0, s0: fill and stroke of class 0;
// ink, soft, line, ...).
std::string theme_css();
std::string figure_css();
// The same of a picture in a file of its own, without variables, which not every program that draws SVG knows.
std::string file_css();

// How the lines of a class are drawn where colours repeat or cannot be told apart.
std::string dash_of(std::size_t class_code);

}  // namespace suffice
