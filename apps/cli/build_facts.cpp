// What this program was built from and runs on, for `suffice --version --json`.
#include "cli/build_facts.hpp"

#include <zlib.h>
#include <zstd.h>

#include "suffice/kernel/target_names.hpp"
#include "suffice/read/arrow_library.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/suffice.hpp"

#if !defined(__wasm__)  // Eigen serves there
extern "C" char* openblas_get_config();
#endif

namespace suffice::cli {
namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "gcc " __VERSION__;
#endif
#if defined(_LIBCPP_VERSION)
constexpr const char* standard_library = "libc++";
#else
constexpr const char* standard_library = "libstdc++";
#endif
#if defined(NDEBUG)
constexpr const char* build = "release";
#else
constexpr const char* build = "debug";
#endif

std::string blas_version() {
#if defined(__wasm__)
    return "none";
#else
    const std::string words = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    const std::size_t start = words.find(' ') + 1;
    return words.substr(start, words.find(' ', start) - start);
#endif
}

}  // namespace

std::string build_facts() {
    JsonText json;
    json.open_record();
    json.text("version", SUFFICE_VERSION);
    json.text("compiler", compiler);
    json.text("standard_library", standard_library);
    json.text("build", build);
    json.text("target", kernel::target_in_use());
    json.open_list("targets");
    for (const auto& name : kernel::targets_here()) json.text({}, name);
    json.close();
    json.open_record("libraries");
    json.text("openblas", blas_version());
    json.text("zlib", zlibVersion());
    json.text("zstd", ZSTD_versionString());
    json.close();
    json.flag("arrow", arrow_is_here());
    json.close();
    return json.take() + "\n";
}

}  // namespace suffice::cli
