// Where results go: a file that appears whole or not at all, or standard output. Words for people go to stderr.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/persist/atomic_file.hpp"
#include "suffice/report/figure.hpp"
#include "suffice/suffice.hpp"

namespace suffice::cli {

// Standard output cannot be taken back, so what comes first is held until there is more of it than `held_bytes` or the
// end is reached: an error before that leaves nothing there, a later one whole lines.
class Output {
public:
    static constexpr std::size_t held_bytes = std::size_t{1} << 20;

    static Result<Output> open(const std::string& path);  // empty or "-": standard output
    Result<void> write(std::string_view text);            // a terminal gets nothing that steers it
    Result<void> write_coloured(std::string_view text);   // with colours of our own, other people's words made visible
    Result<void> finish();

private:
    std::unique_ptr<AtomicFile> file_;
    std::string held_;
    bool holds_ = true;
};

Result<void> print(std::string_view text);  // to standard output, at once

// Nobody reads the output any more: end without a word.
inline constexpr std::string_view closed_pipe = "the reader of the output has gone";

// A model is not for terminals: asked before any work is done.
Result<void> check_model_output(const std::string& path);
Result<void> write_model(const Model& model, const std::string& path);
Result<void> write_picture(const Figure& figure, const std::string& path);  // as SVG

void say(std::string_view text);    // nothing in it steers the terminal
void steer(std::string_view text);  // the same with codes of our own, such as those of a progress bar
void say_notes(const std::vector<Note>& notes);

}  // namespace suffice::cli
