// A file that appears whole or not at all: written beside its target, synced, then renamed.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "suffice/base/result.hpp"

namespace suffice {

class AtomicFile {
public:
    // A device or a pipe is written to as it stands; there is nothing to replace.
    static Result<std::unique_ptr<AtomicFile>> open(const std::string& path);
    ~AtomicFile();  // without commit() the old file stays as it was
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    Result<void> write(std::string_view bytes);
    Result<void> commit();

private:
    AtomicFile(std::string path, int number, std::string temporary)
        : path_(std::move(path)), number_(number), temporary_(std::move(temporary)) {}

    std::string path_;
    int number_ = -1;
    std::string temporary_;  // empty: written in place
};

}  // namespace suffice
