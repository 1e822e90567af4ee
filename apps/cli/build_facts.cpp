// What this program was built from and runs on, for `suffice --version --json`.
#include "cli/build_facts.hpp"

#include <zlib.h>
#include <zstd.h>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/kernel/target_names.hpp"
#include "suffice/read/arrow_library.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/suffice.hpp"

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
    json.text("eigen", kernel::linear_algebra_version());
    json.text("zlib", zlibVersion());
    json.text("zstd", ZSTD_versionString());
    json.close();
    json.flag("arrow", arrow_is_here());
    json.close();
    return json.take() + "\n";
}

}  // namespace suffice::cli
