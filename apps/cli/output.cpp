// Writes results and words.
#include "cli/output.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "cli/spelling.hpp"

#include "suffice/base/visible.hpp"

namespace suffice::cli {
namespace {

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

Result<void> print_as_is(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return Error(ErrorKind::io, std::string(closed_pipe));
        if (written <= 0) return Error(ErrorKind::io, std::string("cannot write the output: ") + std::strerror(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

// Of a stream that people look at; a file or a program behind a pipe gets data as they are.
std::string as_shown(std::string_view text, int stream) {
    return ::isatty(stream) != 0 ? visible_lines(text) : std::string(text);
}

}  // namespace

Result<void> print(std::string_view text) { return print_as_is(as_shown(text, STDOUT_FILENO)); }

Result<Output> Output::open(const std::string& path) {
    Output output;
    if (is_stdout(path)) return output;
    auto file = AtomicFile::open(path);
    if (!file) return file.error();
    output.file_ = std::move(*file);
    return output;
}

Result<void> Output::write(std::string_view text) {
    return file_ ? file_->write(text) : write_coloured(as_shown(text, STDOUT_FILENO));
}

Result<void> Output::write_coloured(std::string_view text) {
    if (file_) return file_->write(text);
    if (!holds_) return print_as_is(text);
    held_ += text;
    if (held_.size() <= held_bytes) return {};
    holds_ = false;
    return print_as_is(std::exchange(held_, {}));
}

Result<void> Output::finish() { return file_ ? file_->commit() : print_as_is(std::exchange(held_, {})); }

Result<void> check_model_output(const std::string& path) {
    if (is_stdout(path) && ::isatty(STDOUT_FILENO) != 0)
        return Error(ErrorKind::usage,
                     "a model is not written to a terminal; name a file with -o, such as -o model.suf");
    return {};
}

Result<void> write_model(const Model& model, const std::string& path) {
    auto output = Output::open(path);
    if (!output) return output.error();
    if (auto written = output->write(to_file_bytes(model.file())); !written) return written;
    return output->finish();
}

void say(std::string_view text) { steer(visible_lines(text)); }

void steer(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void say_notes(const std::vector<Note>& notes) {
    for (const auto& note : notes) say("note: " + note.told(spell_option) + "\n");
}

Result<void> write_picture(const Figure& figure, const std::string& path) {
    auto output = Output::open(path);
    if (!output) return output.error();
    if (auto written = output->write(standalone_svg(figure)); !written) return written;
    return output->finish();
}

}  // namespace suffice::cli
