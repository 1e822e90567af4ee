// Files inside a zip archive, by name: what office documents are made of.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/read/bytes.hpp"

namespace suffice {

class ZipArchive {
public:
    static Result<ZipArchive> open(const std::string& path);
    bool holds(std::string_view name) const;
    std::vector<std::string> names() const;
    // The unpacked bytes of an entry; an Error where there is none of that name. The archive's file is opened anew.
    Result<std::unique_ptr<ByteSource>> entry(std::string_view name) const;
    Result<std::string> whole(std::string_view name) const;

private:
    struct Place {
        std::string name;
        std::uint64_t header = 0, packed_size = 0;
        std::uint16_t method = 0;
    };
    std::string path_;
    std::vector<Place> places_;
};

}  // namespace suffice
