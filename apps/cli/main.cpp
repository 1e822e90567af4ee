// The command `suffice`: finds the verb, runs it, turns errors into one sentence and an exit code.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <malloc.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/build_facts.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/serve.hpp"
#include "cli/spelling.hpp"
#include "cli/verb.hpp"
#include <sys/time.h>

#include "suffice/suffice.hpp"

namespace suffice::cli {
namespace {

constexpr std::array all_verbs{&fit_verb,     &predict_verb,     &evaluate_verb,  &inspect_verb, &explain_verb,
                               &derive_verb,  &merge_verb,       &update_verb,    &forget_verb,  &sample_verb,
                               &compare_verb, &learn_curve_verb, &calibrate_verb, &cluster_verb, &density_verb,
                               &report_verb,  &drift_verb,       &export_verb,    &serve_verb,   &plot_verb,
                               &math_verb,    &completion_verb,  &help_verb};

std::atomic<bool> stopped{false};

extern "C" void stop(int) {
    if (stopped.exchange(true)) _exit(130);  // asked twice: at once
    // Whoever waits for input, opens a file or saves one does not look at the flag; files appear whole or not at all,
    // so half a second later the process may simply end.
#ifndef __wasi__  // which has neither signals nor alarms
    const itimerval soon{{0, 0}, {0, 500'000}};
    ::setitimer(ITIMER_REAL, &soon, nullptr);
#endif
}

extern "C" void give_up(int) {
    constexpr std::string_view sentence = "The computation was stopped.\n";
    if (::write(STDERR_FILENO, sentence.data(), sentence.size()) < 0) _exit(1);
    _exit(1);
}

int exit_code(ErrorKind kind) {
    return kind == ErrorKind::io || kind == ErrorKind::cancelled || kind == ErrorKind::internal ? 1 : 2;
}

// Names of models, families and columns keep their spelling also in front.
bool starts_with_plain_word(const std::string& sentence) {
    const std::string word = sentence.substr(0, sentence.find(' '));
    return !word.empty() && word[0] >= 'a' && word[0] <= 'z' && word.find('_') == std::string::npos;
}

// The library speaks of settings by their names; here they are options.
Error in_options(Error error) {
    const std::string first = error.message.substr(0, error.message.find(' '));
    if (const Setting* setting = error.kind == ErrorKind::usage ? find_setting(first) : nullptr)
        error.message.replace(0, first.size(), setting->option);
    return error;
}

int complain(const Error& told) {
    if (told.message == closed_pipe) return 1;
    const Error error = in_options(told);
    std::string sentence = error.sentence(spell_option);
    if (error.file.empty() && !error.row && error.column.empty() && starts_with_plain_word(sentence))
        sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    if (!sentence.ends_with('.') && !sentence.ends_with('?') && !sentence.ends_with('!')) sentence += '.';
    say(sentence + "\n");
    return exit_code(error.kind);
}

int tell(const std::string& text) {
    const auto written = print(text);
    return written ? 0 : complain(written.error());
}

// What is read would be gone. Models may take the place of those that they were made from.
Result<void> check_output(const Verb& verb, const Arguments& arguments) {
    constexpr std::array<std::string_view, 5> from_models{"update", "forget", "merge", "derive", "calibrate"};
    const bool replaces = std::ranges::find(from_models, verb.name) != from_models.end();
    for (const std::string option : {"--output", "--save"}) {
        const auto output = arguments.given(option);
        const auto& files = arguments.files();
        for (std::size_t k = 0; output && k < files.size(); ++k) {
            std::error_code none;
            if (!std::filesystem::is_regular_file(files[k], none) ||
                !std::filesystem::equivalent(files[k], *output, none))
                continue;
            if (replaces && (k == 0 || verb.name == "merge")) continue;
            return Error(ErrorKind::usage, "the output would replace what is read; name another file with " +
                                               (option == "--output" ? "-o" : option))
                .in_file(files[k]);
        }
    }
    return {};
}

int run_command(const std::vector<std::string>& words) {
    if (words.empty())
        return complain(Error(ErrorKind::usage, "name a verb, such as fit or predict; suffice --help lists them"));
    if (words[0] == "--version")
        return tell(words.size() > 1 && words[1] == "--json" ? build_facts() : "suffice " SUFFICE_VERSION "\n");
    if (words[0] == "--help" || words[0] == "-h") return tell(general_help());
    const auto verb = find_verb(words[0]);
    if (!verb) return complain(verb.error());
    if (std::ranges::any_of(words, [](const auto& word) { return word == "--help" || word == "-h"; }))
        return tell(verb_help(**verb));
    const auto arguments = Arguments::parse(**verb, std::span(words).subspan(1));
    if (!arguments) return complain(arguments.error());
    if (const auto checked = check_output(**verb, *arguments); !checked) return complain(checked.error());
    Context context;
    context.cancelled = &stopped;
    context.progress = progress_bar();
    const auto running = with_threads(*arguments, std::move(context));
    if (!running) return complain(running.error());
    const auto done = (*verb)->run(*arguments, *running);
    return done ? 0 : complain(done.error());
}

}  // namespace

std::span<const Verb* const> verbs() { return all_verbs; }

}  // namespace suffice::cli

int main(int argument_count, char** arguments) {
    // Memory given back is soon asked for again, and each page of it costs a fault: keep up to 64 MiB.
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
    ::mallopt(M_TOP_PAD, 4 << 20);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGINT, suffice::cli::stop);
    std::signal(SIGTERM, suffice::cli::stop);
    std::signal(SIGALRM, suffice::cli::give_up);
    try {
        return suffice::cli::run_command({arguments + 1, arguments + argument_count});
    } catch (const std::exception& problem) {
        suffice::cli::say("The computation failed: " + std::string(problem.what()) + ".\n");
        return 1;
    }
}
