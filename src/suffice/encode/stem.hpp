// Word stems by Snowball, where the build found its library.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// Keeps the last stem, so each thread has its own.
class Stemmer {
public:
    static Result<Stemmer> make(const std::string& language);
    static std::vector<std::string> languages();  // empty: built without Snowball

    const std::string& language() const { return language_; }
    std::string_view stem(std::string_view word);  // of lower-case UTF-8; valid until the next call

private:
    struct Release {
        void operator()(void* stemmer) const;
    };
    std::string language_;
    std::unique_ptr<void, Release> stemmer_;
};

}  // namespace suffice
