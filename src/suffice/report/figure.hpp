// A finished picture: SVG with a title and a description for those who do not see it.
#pragma once
#include <string>

namespace suffice {

struct Figure {
    std::string title;        // what it shows, in a few words
    std::string description;  // what is to be seen, for screen readers and as a caption
    double width = 0, height = 0;
    std::string body;  // what stands inside the <svg> element
};

// For a page that holds figure_css and theme_css already.
std::string inline_svg(const Figure& figure);
// A file of its own: the title on top, the caption below, colours inside.
std::string standalone_svg(const Figure& figure);

}  // namespace suffice
