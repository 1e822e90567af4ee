// Puts remedies behind the sentence that they are for.
#include "suffice/base/remedy.hpp"

#include "suffice/base/visible.hpp"

namespace suffice {

std::string spell_plainly(const GivenSetting& given) {
    if (given.setting == "verb") return given.value;  // something else to do than what was asked
    return given.value.empty() ? given.setting : given.setting + " = " + given.value;
}

std::string with_remedies(std::string sentence, const std::vector<Remedy>& remedies, Spelling spell) {
    for (std::size_t k = 0; k < remedies.size(); ++k) {
        const Remedy& each = remedies[k];
        const char* joint = k > 0 ? ", or " : sentence.ends_with('?') ? " Else " : "; ";
        sentence += joint + each.verb + " " + spell({each.setting, each.value});
        if (!each.purpose.empty()) sentence += " " + each.purpose;
    }
    return visible(sentence);  // names of files, columns and classes are strangers' words
}

std::vector<std::string> told(const std::vector<Note>& notes, Spelling spell) {
    std::vector<std::string> sentences;
    for (const Note& note : notes) sentences.push_back(note.told(spell));
    return sentences;
}

std::string spelled(const std::vector<GivenSetting>& given, Spelling spell) {
    std::string text;
    for (const GivenSetting& each : given) text += (text.empty() ? "" : " ") + spell(each);
    return text;
}

}  // namespace suffice
