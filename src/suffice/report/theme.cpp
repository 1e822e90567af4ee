// Colours and the style sheet of figures.
#include "suffice/report/theme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace suffice {
namespace {

struct Shade {
    std::string_view name, light, dark;
};

// Text on paper has a contrast of at least 4.5 in both themes, frames and lines of at least 3.
constexpr std::array shades{
    Shade{"paper", "#ffffff", "#15181c"}, Shade{"panel", "#f5f7f9", "#1d2126"}, Shade{"ink", "#1c2126", "#e7eaed"},
    Shade{"soft", "#55606b", "#a3adb7"},  Shade{"frame", "#8a949e", "#6f7983"}, Shade{"line", "#e4e8ec", "#2c3239"},
    Shade{"link", "#0b5cad", "#7db8f0"},  Shade{"c0", "#0072b2", "#3d9ee0"},    Shade{"c1", "#d55e00", "#f07f2a"},
    Shade{"c2", "#009e73", "#1fc196"},    Shade{"c3", "#cc79a7", "#df93be"},    Shade{"c4", "#e69f00", "#f0b32e"},
    Shade{"c5", "#56b4e9", "#7cc8f2"},    Shade{"c6", "#6b5b95", "#9d8fd0"},    Shade{"c7", "#6e6e6e", "#b3b3b3"},
};

int hex_digit(char letter) { return letter <= '9' ? letter - '0' : letter - 'a' + 10; }

Rgb rgb_of(std::string_view hex) {
    const auto part = [&](std::size_t at) { return 16.0 * hex_digit(hex[at]) + hex_digit(hex[at + 1]); };
    return {part(1), part(3), part(5)};
}

const Shade& shade(std::string_view name) { return *std::ranges::find(shades, name, &Shade::name); }

// sRGB's transfer curve (IEC 61966-2-1), close enough as a power.
constexpr double gamma_curve = 2.2;

// What has which colour: of a page by its variables, of a file by the colours themselves, which every viewer knows.
enum class Colours : std::uint8_t { variables, light, dark };

std::string rule(const std::string& selector, std::string_view property, std::string_view name, Colours colours) {
    const Shade& found = shade(name);
    const std::string value = colours == Colours::variables ? "var(--" + std::string(name) + ")"
                              : colours == Colours::light   ? std::string(found.light)
                                                            : std::string(found.dark);
    return selector + "{" + std::string(property) + ":" + value + "}";
}

std::string colour_rules(Colours colours) {
    std::string css;
    const auto add = [&](const std::string& selector, std::string_view property, std::string_view name) {
        css += rule(".fig " + selector, property, name, colours);
    };
    add("text", "fill", "ink"), add(".soft", "fill", "soft"), add(".paper", "fill", "paper");
    add(".panel", "fill", "panel"), add(".grid", "stroke", "line"), add(".frame", "stroke", "frame");
    add(".inked", "stroke", "ink"), add(".faint", "stroke", "soft"), add(".dot", "stroke", "paper");
    add(".inkfill", "fill", "ink");
    css += "\n";
    for (std::size_t c = 0; c < class_colour_count; ++c) {
        const std::string code = std::to_string(c);
        add(".f" + code, "fill", "c" + code), add(".s" + code, "stroke", "c" + code);
    }
    return css + "\n";
}

}  // namespace

Rgb class_colour(std::size_t class_code) {
    return rgb_of(shade("c" + std::to_string(class_code % class_colour_count)).light);
}

Rgb mixed_colour(std::span<const double> posteriors) {
    Rgb mixed;
    for (std::size_t c = 0; c < posteriors.size(); ++c) {
        const Rgb own = class_colour(c);
        mixed.red += posteriors[c] * std::pow(own.red, gamma_curve);
        mixed.green += posteriors[c] * std::pow(own.green, gamma_curve);
        mixed.blue += posteriors[c] * std::pow(own.blue, gamma_curve);
    }
    return {std::pow(mixed.red, 1 / gamma_curve), std::pow(mixed.green, 1 / gamma_curve),
            std::pow(mixed.blue, 1 / gamma_curve)};
}

Rgb heat_colour(double share) {
    const Rgb full = rgb_of(shade("c0").light);
    const double s = std::clamp(share, 0.0, 1.0);
    const auto part = [&](double colour) { return 255 + s * (colour - 255); };
    return {part(full.red), part(full.green), part(full.blue)};
}

std::string css_colour(Rgb colour) {
    char text[16];
    const auto part = [](double value) { return static_cast<unsigned>(std::lround(std::clamp(value, 0.0, 255.0))); };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", part(colour.red), part(colour.green), part(colour.blue));
    return text;
}

std::string theme_css() {
    std::string light, dark;
    for (const auto& each : shades) {
        light += "--" + std::string(each.name) + ":" + std::string(each.light) + ";";
        dark += "--" + std::string(each.name) + ":" + std::string(each.dark) + ";";
    }
    return ":root{color-scheme:light dark;" + light + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dark +
           "}}\n";
}

namespace {

std::string shape_rules() {
    return ".fig{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:12px}"
           ".fig .head{font-size:14px;font-weight:600}.fig .small{font-size:11px}.fig .tiny{font-size:10px}"
           ".fig .mid{text-anchor:middle}.fig .end{text-anchor:end}"
           ".fig .open{fill:none}.fig .thick{stroke-width:2}.fig .thin{stroke-width:1}.fig .dot{stroke-width:.7}"
           ".fig .dashed{stroke-dasharray:6 4}.fig .dotted{stroke-dasharray:1.5 4;stroke-linecap:round}"
           ".fig .pale{opacity:.35}.fig .on-dark{fill:#fff}.fig .on-light{fill:#1c2126}\n";
}

}  // namespace

std::string figure_css() { return colour_rules(Colours::variables) + shape_rules(); }

std::string file_css() {
    return colour_rules(Colours::light) + shape_rules() + "@media screen and (prefers-color-scheme:dark){\n" +
           colour_rules(Colours::dark) + "}\n";
}

std::string dash_of(std::size_t class_code) {
    constexpr std::array<std::string_view, 4> dashes{"", "7 3", "2 3", "9 3 2 3"};
    return std::string(dashes[class_code < class_colour_count ? 0 : class_code / class_colour_count % dashes.size()]);
}

}  // namespace suffice
