// Spells out what is not seen.
#include "suffice/base/visible.hpp"

#include <cstdio>

namespace suffice {
namespace {

struct Letter {
    std::uint32_t code;
    std::size_t size;
    bool valid;
};

// The shortest form alone is UTF-8, without surrogates and up to U+10FFFF.
Letter letter_at(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {lead, 1, false};
    std::uint32_t code = lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
        if ((byte(k) & 0xC0) != 0x80) return {lead, 1, false};
        code = code << 6 | (byte(k) & 0x3FU);
    }
    const std::uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {lead, 1, false};
    return {code, size, true};
}

// Every letter as it is, or as `spell` has it.
template <class IsSpelled, class Spell>
std::string respelled(std::string_view text, const IsSpelled& is_spelled, const Spell& spell) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        if (letter.valid && !is_spelled(letter.code))
            shown += text.substr(0, letter.size);
        else
            spell(shown, letter);
        text.remove_prefix(letter.size);
    }
    return shown;
}

void append_code(std::string& to, const char* form, std::uint32_t code) {
    char spelled[16];
    std::snprintf(spelled, sizeof spelled, form, static_cast<unsigned>(code));
    to += spelled;
}

void spell_for_people(std::string& to, const Letter& letter) {
    if (letter.valid && (letter.code == '\n' || letter.code == '\t' || letter.code == '\r'))
        to += letter.code == '\n' ? "\\n" : letter.code == '\t' ? "\\t" : "\\r";
    else
        append_code(to, letter.code <= 0xFF ? "\\x%02x" : letter.code <= 0xFFFF ? "\\u%04x" : "\\U%08x", letter.code);
}

void spell_for_json(std::string& to, const Letter& letter) {
    if (!letter.valid) {
        to += "\\ufffd";
    } else if (letter.code == '"' || letter.code == '\\') {
        to += '\\';
        to += static_cast<char>(letter.code);
    } else if (letter.code <= 0xFFFF) {
        append_code(to, "\\u%04x", letter.code);
    } else {
        append_code(to, "\\u%04x", 0xD7C0 + (letter.code >> 10));
        append_code(to, "\\u%04x", 0xDC00 + (letter.code & 0x3FF));
    }
}

}  // namespace

bool is_unseen(std::uint32_t code) {
    const auto within = [code](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
    return code < 0x20 || within(0x7F, 0x9F) || code == 0x061C || code == 0x200B || within(0x200E, 0x200F) ||
           within(0x2028, 0x202E) || within(0x2060, 0x206F) || code == 0xFEFF || within(0xFFF9, 0xFFFB) ||
           within(0xE0000, 0xE007F);
}

std::string visible(std::string_view name) { return respelled(name, is_unseen, spell_for_people); }

std::string visible_lines(std::string_view text) {
    const auto unseen = [](std::uint32_t code) { return code != '\n' && code != '\t' && is_unseen(code); };
    return respelled(text, unseen, spell_for_people);
}

std::string json_letters(std::string_view text) {
    const auto escaped = [](std::uint32_t code) { return code == '"' || code == '\\' || is_unseen(code); };
    return respelled(text, escaped, spell_for_json);
}

}  // namespace suffice
