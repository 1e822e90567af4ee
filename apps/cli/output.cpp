// Writes results and words.
#include "cli/output.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "cli/spelling.hpp"

namespace suffice::cli {
namespace {

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

}  // namespace

Result<Output> Output::open(const std::string& path) {
    Output output;
    if (is_stdout(path)) return output;
    auto file = AtomicFile::open(path);
    if (!file) return file.error();
    output.file_ = std::move(*file);
    return output;
}

Result<void> print(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return Error(ErrorKind::io, std::string(closed_pipe));
        if (written <= 0) return Error(ErrorKind::io, std::string("cannot write the output: ") + std::strerror(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> Output::write(std::string_view text) {
    if (file_) return file_->write(text);
    if (!holds_) return print(text);
    held_ += text;
    if (held_.size() <= held_bytes) return {};
    holds_ = false;
    return print(std::exchange(held_, {}));
}

Result<void> Output::finish() { return file_ ? file_->commit() : print(std::exchange(held_, {})); }

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

void say(std::string_view text) {
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
