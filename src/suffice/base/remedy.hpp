// What would help, as data: the name of a setting and its value. Each surface spells it in its own way, the command
// `--keep per_class`, Python `keep="per_class"`, so no sentence of the library names an option of one of them.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suffice/base/fields.hpp"

namespace suffice {

struct GivenSetting {
    std::string setting;
    std::string value = {};  // empty: the user knows it; true and false: a switch; a=b: of column a
    static constexpr auto fields =
        FieldTuple{field("setting", &GivenSetting::setting), field("value", &GivenSetting::value)};
    bool operator==(const GivenSetting&) const = default;
};

using Spelling = std::string (*)(const GivenSetting&);
std::string spell_plainly(const GivenSetting& given);  // keep = per_class

struct Remedy {
    std::string setting;
    std::string value = {};
    std::string verb = "use";  // "leave it out with", "fit again with"
    std::string purpose = {};  // behind it: "to treat it as missing"
    static constexpr auto fields = FieldTuple{field("setting", &Remedy::setting), field("value", &Remedy::value),
                                              field("verb", &Remedy::verb), field("purpose", &Remedy::purpose)};
    bool operator==(const Remedy&) const = default;
};

// "the sentence; use A, or leave it out with B"
std::string with_remedies(std::string sentence, const std::vector<Remedy>& remedies, Spelling spell = spell_plainly);

// Something the user should know that is no error.
struct Note {
    std::string sentence = {};
    std::vector<Remedy> remedies = {};
    bool degenerate = false;  // what was estimated rests on a floor or a prior, so that its likelihood measures that
    static constexpr auto fields = FieldTuple{field("sentence", &Note::sentence), field("remedies", &Note::remedies)};
    bool operator==(const Note&) const = default;

    Note() = default;
    Note(std::string text, std::vector<Remedy> help = {}) : sentence(std::move(text)), remedies(std::move(help)) {}
    Note(const char* text) : sentence(text) {}
    std::string told(Spelling spell = spell_plainly) const { return with_remedies(sentence, remedies, spell); }
};

std::vector<std::string> told(const std::vector<Note>& notes, Spelling spell = spell_plainly);
// One behind the other, with spaces between.
std::string spelled(const std::vector<GivenSetting>& given, Spelling spell = spell_plainly);

}  // namespace suffice
