// The words of a command line, sorted into options and names of files.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice::cli {

struct Verb;

class Arguments {
public:
    // "--name value", "--name=value", "-o value", "-ovalue"; "--" ends the options. The last of several wins.
    static Result<Arguments> parse(const Verb& verb, std::span<const std::string> words);

    const std::vector<std::string>& files() const { return files_; }
    bool has(const std::string& option) const { return options_.contains(option); }
    std::string text(const std::string& option, std::string otherwise = {}) const;
    std::optional<std::string> given(const std::string& option) const;
    Result<double> number(const std::string& option, double otherwise) const;
    Result<std::uint64_t> whole(const std::string& option, std::uint64_t otherwise) const;
    // Position of the value in a list of words; -1 where the option was not given.
    Result<int> choice(const std::string& option, std::span<const std::string_view> words) const;

private:
    std::map<std::string, std::string> options_;
    std::vector<std::string> files_;
};

}  // namespace suffice::cli
