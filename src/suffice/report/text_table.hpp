// A table for people: columns lined up, numbers to the right.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

class TextTable {
public:
    enum class Side : unsigned char { left, right };

    explicit TextTable(std::vector<Side> sides) : sides_(std::move(sides)) {}
    void row(std::vector<std::string> cells);  // names in them as people may see them (base/visible.hpp)
    std::string text(std::string_view indent = "  ") const;

private:
    std::vector<Side> sides_;
    std::vector<std::vector<std::string>> rows_;
};

// Letters as a terminal shows them: code points of UTF-8.
std::size_t shown_width(std::string_view text);

}  // namespace suffice
