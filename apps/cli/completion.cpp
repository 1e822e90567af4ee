// suffice completion: scripts that let a shell complete verbs, options and models.
#include "cli/options.hpp"
#include "cli/output.hpp"

#include "suffice/model/recipe.hpp"

namespace suffice::cli {
namespace {

std::string words_of(const Verb& verb) {
    std::string words;
    for (const OptionSpec& option : all_options(verb)) words += (words.empty() ? "" : " ") + std::string(option.name);
    return words;
}

std::string verb_names() {
    std::string names;
    for (const Verb* verb : verbs()) names += (names.empty() ? "" : " ") + std::string(verb->name);
    return names;
}

std::string model_words() {
    std::string words = "auto";
    for (const auto& model : models()) words += " " + std::string(model.name);
    return words;
}

std::string bash_script() {
    std::string cases;
    for (const Verb* verb : verbs())
        cases += "        " + std::string(verb->name) + ") words=\"" + words_of(*verb) + "\" ;;\n";
    return "# source <(suffice completion bash)\n"
           "_suffice() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"" +
           verb_names() +
           " --help --version\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    if [ \"$previous\" = --model ]; then\n"
           "        COMPREPLY=($(compgen -W \"" +
           model_words() +
           "\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n" +
           cases +
           "    esac\n"
           "    case $current in\n"
           "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
           "        *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _suffice suffice\n";
}

// For the single quotes and brackets of zsh's _arguments.
std::string zsh_text(std::string_view text) {
    std::string safe;
    for (char letter : text) {
        if (letter == '\'') {
            safe += "'\\''";
            continue;
        }
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') safe += '\\';
        safe += letter;
    }
    return safe;
}

std::string zsh_script() {
    std::string cases, list;
    for (const Verb* verb : verbs()) {
        const std::string name(verb->name);
        list += "        '" + name + ":" + zsh_text(first_sentence(*verb)) + "'\n";
        cases += "        " + name + ") _arguments";
        for (const OptionSpec& option : all_options(*verb)) {
            cases += " \\\n            '" + std::string(option.name) + "[" + zsh_text(option.help) + "]";
            if (option.name == "--model")
                cases += ":model:(" + model_words() + ")";
            else if (!option.value.empty())
                cases += ":" + zsh_text(option.value) + ":_files";
            cases += "'";
        }
        cases += " \\\n            '*:file:_files' ;;\n";
    }
    return "#compdef suffice\n"
           "_suffice() {\n"
           "    local -a names=(\n" +
           list +
           "    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe verb names\n"
           "        return\n"
           "    fi\n"
           "    local verb=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $verb in\n" +
           cases +
           "    esac\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _suffice ]; then _suffice \"$@\"; else compdef _suffice suffice; fi\n";
}

// For fish's single quotes.
std::string fish_text(std::string_view text) {
    std::string safe = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\') safe += '\\';
        safe += letter;
    }
    return safe + "'";
}

std::string fish_script() {
    std::string script = "# suffice completion fish >~/.config/fish/completions/suffice.fish\n";
    for (const Verb* verb : verbs()) {
        const std::string name(verb->name);
        script += "complete -c suffice -n __fish_use_subcommand -f -a " + name + " -d " +
                  fish_text(first_sentence(*verb)) + "\n";
        for (const OptionSpec& option : all_options(*verb)) {
            script += "complete -c suffice -n '__fish_seen_subcommand_from " + name + "' -l " +
                      std::string(option.name.substr(2));
            if (option.letter != 0) script += std::string(" -s ") + option.letter;
            if (option.name == "--model")
                script += " -x -a " + fish_text(model_words());
            else if (!option.value.empty())
                script += " -r";
            script += " -d " + fish_text(option.help) + "\n";
        }
    }
    return script;
}

Result<void> run_completion(const Arguments& arguments, const Context&) {
    const auto& files = arguments.files();
    if (files.size() != 1 || (files[0] != "bash" && files[0] != "zsh" && files[0] != "fish"))
        return Error(ErrorKind::usage, "name the shell: bash, zsh or fish");
    return print(files[0] == "bash" ? bash_script() : files[0] == "zsh" ? zsh_script() : fish_script());
}

}  // namespace

const Verb completion_verb{"completion",
                           "bash|zsh|fish",
                           "Prints a script that lets a shell complete verbs, options and models.",
                           "  source <(suffice completion bash)\n"
                           "  suffice completion zsh >~/.zfunc/_suffice\n"
                           "  suffice completion fish >~/.config/fish/completions/suffice.fish\n",
                           {running_options, {}, {}, {}},
                           run_completion};

}  // namespace suffice::cli
