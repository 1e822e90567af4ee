// Expands globs and directories, and refuses what is not there.
#include "suffice/read/paths.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <glob.h>
#include <string_view>
#include <unistd.h>

#include "suffice/read/utf8.hpp"

namespace suffice {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> data_endings = {".csv",    ".tsv",     ".tab",   ".txt",     ".data",
                                                           ".test",   ".dat",     ".train", ".parquet", ".arrow",
                                                           ".arrows", ".feather", ".ipc"};

bool names_data(std::string name) {
    if (name.starts_with('.') || name.starts_with('_')) return false;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const std::string_view packed : {".gz", ".zst"})
        if (name.ends_with(packed)) name.resize(name.size() - packed.size());
    return std::ranges::any_of(data_endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<void> check_readable(const std::string& name) {
    if (::access(name.c_str(), R_OK) == 0) return {};
    const int why = errno;
    if (why == ENOENT && name.find("://") != std::string::npos)
        return Error("data are read from files, not from the network; fetch it first and name the file").in_file(name);
    if (why == ENOENT) return Error("there is no such file").in_file(name);
    return Error("the file cannot be read: " + std::string(std::strerror(why))).in_file(name);
}

Result<std::vector<std::string>> files_of_directory(const std::string& name) {
    std::vector<std::string> found;
    std::error_code trouble;
    fs::directory_iterator entries(name, trouble);
    if (trouble) return Error("the directory cannot be read: " + trouble.message()).in_file(name);
    for (; entries != fs::directory_iterator(); entries.increment(trouble)) {
        if (trouble) return Error("the directory cannot be read: " + trouble.message()).in_file(name);
        std::error_code ignored;
        if (entries->is_regular_file(ignored) && names_data(entries->path().filename().string()))
            found.push_back(entries->path().string());
    }
    if (found.empty())
        return Error(
                   "the directory holds no data; files in it must end in csv, tsv, txt, data, parquet, arrow or "
                   "feather, or in one of these and gz or zst")
            .in_file(name);
    std::ranges::sort(found);
    return found;
}

Result<std::vector<std::string>> files_of_pattern(const std::string& pattern) {
    glob_t matches{};
    const int outcome = ::glob(pattern.c_str(), GLOB_NOSORT | GLOB_BRACE | GLOB_TILDE, nullptr, &matches);
    std::vector<std::string> found(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    ::globfree(&matches);
    if (outcome != 0 && outcome != GLOB_NOMATCH) return Error("the pattern could not be expanded").in_file(pattern);
    std::erase_if(found, [](const std::string& name) { return fs::is_directory(name); });
    if (found.empty()) return Error("no file matches this pattern").in_file(pattern);
    std::ranges::sort(found);
    return found;
}

}  // namespace

Result<std::vector<std::string>> expand_paths(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) {
        std::error_code ignored;
        Result<std::vector<std::string>> found = std::vector{name};
        if (name != "-" && fs::is_directory(name, ignored))
            found = files_of_directory(name);
        else if (name != "-" && !fs::exists(name, ignored) && name.find_first_of("*?[{") != std::string::npos)
            found = files_of_pattern(name);
        if (!found) return found;
        for (std::string& file : *found) {
            if (file != "-")
                if (const auto readable = check_readable(file); !readable) return readable.error();
            all.push_back(std::move(file));
        }
    }
    if (all.empty()) return Error(ErrorKind::usage, "no data was named; give files, globs, directories or - for stdin");
    if (std::ranges::count(all, "-") > 1) return Error(ErrorKind::usage, "stdin (-) can be read only once");
    return all;
}

std::string recorded_name(const std::string& path) { return as_utf8(path.substr(path.rfind('/') + 1)); }

}  // namespace suffice
