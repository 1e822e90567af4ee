// Opens libsuffice_arrow.so from where the program was told that it lies, by its linker or by who embeds us, and
// nowhere else: a file that happens to lie beside a program or in the working folder is not run.
#include "suffice/read/arrow_library.hpp"

#include <dlfcn.h>
#include <filesystem>

#include "suffice/read/arrow_interface.hpp"

namespace suffice {
namespace {

using Open = void (*)(const std::vector<ArrowSource>&, const ReadOptions&, Result<std::unique_ptr<TableReader>>&);
using Interface = const char* (*)();

// The name alone is looked for by the system's loader in the run path, which the linker wrote into the program. A path
// with a slash is that file and no other.
Result<Open> find_open(const std::string& path) {
    const std::string wanted = path.empty() ? "libsuffice_arrow.so" : std::filesystem::absolute(path).string();
    void* const library = dlopen(wanted.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr && !path.empty()) {
        const char* const why = dlerror();
        return Error("Parquet and Arrow files were to be read by " + path +
                     ", which cannot be opened: " + (why == nullptr ? "the system says no more" : why));
    }
    if (library == nullptr)
        return Error(
            "Parquet and Arrow files need libsuffice_arrow.so, which was not found; build it with Arrow C++ or "
            "the pyarrow package present (cmake -DSUFFICE_ARROW=ON), or save the file as CSV");
    // C++ types cross only where both sides were compiled alike.
    const auto other = reinterpret_cast<Interface>(dlsym(library, "suffice_arrow_interface"));
    const std::string own = arrow_interface(), theirs = other == nullptr ? "none" : other();
    const auto open = reinterpret_cast<Open>(dlsym(library, "suffice_open_arrow_table"));
    if (open == nullptr || own != theirs)
        return Error((path.empty() ? "libsuffice_arrow.so" : path) + " is of another version (" + theirs +
                     ") than this program (" + own + "); install both together");
    return open;
}

}  // namespace

bool arrow_is_here() { return static_cast<bool>(find_open({})); }

Result<std::unique_ptr<TableReader>> open_arrow(const std::vector<ArrowSource>& files, const ReadOptions& options) {
    const auto open = find_open(options.arrow_library);
    if (!open) return Error(open.error()).in_file(files[0].name);
    Result<std::unique_ptr<TableReader>> reader = Error("not opened");
    (*open)(files, options, reader);
    return reader;
}

}  // namespace suffice
