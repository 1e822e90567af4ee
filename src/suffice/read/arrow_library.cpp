// Finds and opens libsuffice_arrow.so: beside this program or library, in ../lib, or where the system looks.
#include "suffice/read/arrow_library.hpp"

#include <dlfcn.h>

namespace suffice {
namespace {

using Open = void (*)(const std::vector<std::string>&, Result<std::unique_ptr<TableReader>>&);

std::string own_folder() {
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&open_arrow), &about) == 0 || about.dli_fname == nullptr) return {};
    const std::string path = about.dli_fname;
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Open find_open() {
    const std::string name = "libsuffice_arrow.so", folder = own_folder();
    for (const auto& path : {folder + name, folder + "../lib/" + name, folder + "../../" + name, name})
        if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
            return reinterpret_cast<Open>(dlsym(library, "suffice_open_arrow"));
    return nullptr;
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_arrow(const std::vector<std::string>& files) {
    const Open open = find_open();
    if (open == nullptr)
        return Error(
                   "Parquet and Arrow files need libsuffice_arrow.so, which was not found; build it with Arrow C++ or "
                   "the pyarrow package present (cmake -DSUFFICE_ARROW=ON), or save the file as CSV")
            .in_file(files[0]);
    Result<std::unique_ptr<TableReader>> reader = Error("not opened");
    open(files, reader);
    return reader;
}

}  // namespace suffice
