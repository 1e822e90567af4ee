// Calls libstemmer, or says that it is not there.
#include "suffice/encode/stem.hpp"

#ifdef SUFFICE_STEMMER
#include <libstemmer.h>
#endif

namespace suffice {

#ifdef SUFFICE_STEMMER

Result<Stemmer> Stemmer::make(const std::string& language) {
    Stemmer made;
    made.language_ = language;
    made.stemmer_.reset(sb_stemmer_new(language.c_str(), "UTF_8"));
    if (made.stemmer_ == nullptr) {
        std::string known;
        for (const std::string& each : languages()) known += (known.empty() ? "" : ", ") + each;
        return Error(ErrorKind::usage, "there is no stemmer for '" + language + "'; there are " + known + ".");
    }
    return made;
}

std::vector<std::string> Stemmer::languages() {
    std::vector<std::string> names;
    for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
    return names;
}

std::string_view Stemmer::stem(std::string_view word) {
    auto* stemmer = static_cast<sb_stemmer*>(stemmer_.get());
    const auto* stemmed =
        sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (stemmed == nullptr) return word;
    return {reinterpret_cast<const char*>(stemmed), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

void Stemmer::Release::operator()(void* stemmer) const { sb_stemmer_delete(static_cast<sb_stemmer*>(stemmer)); }

#else

Result<Stemmer> Stemmer::make(const std::string&) {
    return Error(ErrorKind::usage, "stemming needs a build with Snowball (install libstemmer-dev and build again).");
}

std::vector<std::string> Stemmer::languages() { return {}; }
std::string_view Stemmer::stem(std::string_view word) { return word; }
void Stemmer::Release::operator()(void*) const {}

#endif

}  // namespace suffice
