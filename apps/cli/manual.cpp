// suffice help: the help of a verb, or its manual page; both from the tables of the verbs.
#include <algorithm>

#include "cli/options.hpp"
#include "cli/output.hpp"

#include "suffice/encode/names.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/suffice.hpp"

namespace suffice::cli {
namespace {

constexpr std::array manual_options{
    OptionSpec{"--man", "", "as a manual page, for man -l"},
    OptionSpec{"--names", "", "the names of all verbs, one to a line"},
};

// Text for roff: a backslash starts an escape, a leading dot or quote a request, and a hyphen that is to be copied as
// typed is written \-.
std::string roff(std::string_view text) {
    std::string safe;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool line_start = at == 0 || text[at - 1] == '\n';
        if (line_start && (text[at] == '.' || text[at] == '\'')) safe += "\\&";
        if (text[at] == '\\') {
            safe += "\\e";
        } else if (text[at] == '-') {
            safe += "\\-";
        } else {
            safe += text[at];
        }
    }
    return safe;
}

std::string page_start(const std::string& name, std::string_view summary) {
    std::string title = name;
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    return ".TH " + title + " 1 \"\" \"suffice " SUFFICE_VERSION "\" \"User Commands\"\n.SH NAME\n" + roff(name) +
           " \\- " + roff(summary) + "\n";
}

std::string examples(std::string_view text) { return ".SH EXAMPLES\n.nf\n" + roff(text) + ".fi\n"; }

std::string verb_page(const Verb& verb) {
    const std::string name = "suffice-" + std::string(verb.name);
    std::string text = page_start(name, first_sentence(verb)) + ".SH SYNOPSIS\n.B suffice " + std::string(verb.name) +
                       "\n" + roff(verb.usage) + "\n.SH DESCRIPTION\n" + roff(verb.summary) + "\n.SH OPTIONS\n";
    bool names_models = false;
    for (const OptionSpec& option : all_options(verb)) {
        text += ".TP\n.B ";
        if (option.letter != 0) text += "\\-" + std::string(1, option.letter) + ", ";
        text += roff(option.name) + (option.value.empty() ? "" : " \\fI" + roff(option.value)) + "\n" +
                roff(option.help) + "\n";
        names_models = names_models || option.help.find("list below") != std::string_view::npos;
    }
    if (names_models) {
        text += ".SH MODELS\n";
        for (const auto& model : models())
            text += ".TP\n.B " + roff(model.name) + (model.alias.empty() ? "" : ", " + roff(model.alias)) + "\n" +
                    roff(model.what) + "\n";
    }
    return text + examples(verb.examples) +
           ".SH EXIT STATUS\n0 good, 1 the machine failed, 2 bad input or usage.\n.SH SEE ALSO\n.BR suffice (1)\n";
}

std::string general_page() {
    std::string text =
        page_start("suffice", "probabilistic classifiers from files") +
        ".SH SYNOPSIS\n.B suffice\n\\fIVERB\\fR ...\n.SH DESCRIPTION\nFits, merges, updates and explains "
        "generative classifiers. Each verb has a page of its own.\n.SH VERBS\n";
    for (const Verb* verb : verbs())
        text += ".TP\n.BR suffice\\-" + std::string(verb->name) + " (1)\n" + roff(first_sentence(*verb)) + "\n";
    return text +
           ".SH ENVIRONMENT\n.TP\n.B SUFFICE_THREADS\nthreads, where \\-\\-threads is not given\n"
           ".TP\n.B SUFFICE_TARGET\nportable, avx2 or avx512: no instructions beyond these\n" +
           examples("suffice fit data.csv --target churned -o churn.suf\nsuffice predict churn.suf new.csv --proba\n") +
           ".SH EXIT STATUS\n0 good, 1 the machine failed, 2 bad input or usage.\n";
}

Result<void> run_manual(const Arguments& arguments, const Context&) {
    const bool man = arguments.has("--man");
    if (arguments.has("--names")) {
        std::string names;
        for (const Verb* verb : verbs()) names += std::string(verb->name) + "\n";
        return print(names);
    }
    const auto& words = arguments.files();
    if (words.size() > 1) return Error(ErrorKind::usage, "help tells about one verb at a time");
    if (words.empty()) return print(man ? general_page() : general_help());
    if (words[0] == "families") return print(families_table());
    if (words[0] == "models") return print(models_table());
    if (words[0] == "settings") return print(settings_text());
    const auto verb = find_verb(words[0]);
    if (!verb) return verb.error();
    return print(man ? verb_page(**verb) : verb_help(**verb));
}

}  // namespace

Result<const Verb*> find_verb(const std::string& name) {
    std::vector<std::string> names;
    for (const Verb* verb : verbs()) {
        if (verb->name == name) return verb;
        names.emplace_back(verb->name);
    }
    const auto near = nearest_name(name, names);
    return Error(ErrorKind::usage,
                 "there is no verb " + name + (near.empty() ? "; see suffice --help" : "; did you mean " + near + "?"));
}

const Verb help_verb{"help",
                     "[VERB|families|models|settings] [--man]",
                     "Tells about a verb: its options, with examples. Or lists the families of columns, the models, or "
                     "their settings.",
                     "  suffice help fit\n"
                     "  suffice help families\n"
                     "  suffice help --man fit | man -l -\n",
                     {manual_options, running_options, {}, {}},
                     run_manual};

}  // namespace suffice::cli
