// Finds and opens libsuffice_arrow.so: beside this program or library, in ../lib, or where the system looks.
#include "suffice/read/arrow_library.hpp"

#include <cstring>
#include <dlfcn.h>
#include <filesystem>

namespace suffice {
namespace {

using Open = void (*)(const std::vector<ArrowSource>&, const ReadOptions&, Result<std::unique_ptr<TableReader>>&);

// Where this code lies, links followed. Of the program itself the loader knows only the word it was called by, which
// may be a link or have been looked up in PATH; so the program's own file counts too.
std::vector<std::filesystem::path> own_folders() {
    std::vector<std::filesystem::path> folders;
    const auto add = [&](const char* file) {
        std::error_code problem;
        const auto path = std::filesystem::canonical(file, problem);
        if (!problem) folders.push_back(path.parent_path());
    };
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&open_arrow), &about) != 0 && about.dli_fname != nullptr &&
        std::strchr(about.dli_fname, '/') != nullptr)  // a bare word would be looked up where the user happens to stand
        add(about.dli_fname);
    add("/proc/self/exe");
    return folders;
}

Open find_open() {
    const std::string name = "libsuffice_arrow.so";
    std::vector<std::string> paths;
    for (const auto& folder : own_folders())
        for (const char* way : {"", "../lib", "../.."}) paths.push_back(folder / way / name);
    paths.push_back(name);
    for (const auto& path : paths)
        if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
            return reinterpret_cast<Open>(dlsym(library, "suffice_open_arrow_table"));
    return nullptr;
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_arrow(const std::vector<ArrowSource>& files, const ReadOptions& options) {
    const Open open = find_open();
    if (open == nullptr)
        return Error(
                   "Parquet and Arrow files need libsuffice_arrow.so, which was not found; build it with Arrow C++ or "
                   "the pyarrow package present (cmake -DSUFFICE_ARROW=ON), or save the file as CSV")
            .in_file(files[0].name);
    Result<std::unique_ptr<TableReader>> reader = Error("not opened");
    open(files, options, reader);
    return reader;
}

}  // namespace suffice
