// Help, written from the tables of the verbs.
#include <algorithm>

#include "cli/verb.hpp"

#include "suffice/model/recipe.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice::cli {

std::string verb_help(const Verb& verb) {
    using Side = TextTable::Side;
    std::string text = "usage: suffice " + std::string(verb.name) + " " + std::string(verb.usage) + "\n\n" +
                       std::string(verb.summary) + "\n\noptions:\n";
    TextTable table({Side::left, Side::left, Side::left});
    bool names_models = false, offers_auto = false;
    for (const OptionSpec& option : all_options(verb)) {
        const std::string letter = option.letter == 0 ? "" : "-" + std::string(1, option.letter) + ", ";
        std::string name = letter + std::string(option.name);
        if (!option.value.empty()) name += " " + std::string(option.value);
        table.row({std::move(name), std::string(option.help)});
        names_models = names_models || option.help.find("list below") != std::string_view::npos;
        offers_auto = offers_auto || (option.name == "--model" && option.help.starts_with("auto"));
    }
    text += table.text();
    if (names_models) {
        TextTable list({Side::left, Side::left, Side::left});
        if (offers_auto) list.row({"auto", "", "the best of those below on folds of the rows, as compare finds it"});
        for (const auto& model : models())
            list.row({std::string(model.name), std::string(model.alias), std::string(model.what)});
        text += "\nmodels:\n" + list.text();
    }
    return text + "\nexamples:\n" + std::string(verb.examples);
}

std::string_view first_sentence(const Verb& verb) {
    return verb.summary.substr(0, std::min(verb.summary.find(". "), verb.summary.find(".\n")));
}

std::string general_help() {
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left});
    for (const Verb* verb : verbs()) {
        table.row({std::string(verb->name), std::string(first_sentence(*verb))});
    }
    return "usage: suffice VERB ...\n\nProbabilistic classifiers from files: fitted in one pass, merged, updated and "
           "explained exactly.\n\nverbs:\n" +
           table.text() +
           "\n  suffice VERB --help tells about one of them, with examples; suffice --version tells the version "
           "(--json: how it was built).\n\n"
           "  suffice fit data.csv --target churned -o churn.suf\n"
           "  suffice predict churn.suf new.csv --proba\n";
}

}  // namespace suffice::cli
