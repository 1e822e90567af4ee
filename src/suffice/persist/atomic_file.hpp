// A file that appears whole or not at all: written without a name or beside its target, synced, then put in its place.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "suffice/base/result.hpp"

namespace suffice {

// A writer that is killed leaves nothing behind where the file system has files without a name. Elsewhere it leaves
// PATH.suffice-unfinished, which the next writer of the same path takes over.
class AtomicFile {
public:
    // A device or a pipe is written to as it stands; there is nothing to replace. A link stays one.
    static Result<std::unique_ptr<AtomicFile>> open(const std::string& path, bool may_be_nameless = true);
    ~AtomicFile();  // without commit() the old file stays as it was
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    Result<void> write(std::string_view bytes);
    Result<void> commit();

private:
    explicit AtomicFile(std::string path) : path_(std::move(path)) {}
    bool open_nameless();
    bool open_unfinished();
    bool put_in_place();

    std::string path_;
    int number_ = -1;
    bool in_place_ = false;
    std::string temporary_;  // its name; empty: it has none
};

}  // namespace suffice
