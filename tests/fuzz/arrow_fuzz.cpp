// Feeds arbitrary bytes to the reader of Parquet and Arrow files: refused with a sentence, or a table with a cell for
// each row of each column, and the same one when it is read again. Arrow itself is not instrumented; what is looked for
// is what our side makes of what Arrow tells it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>

#include "suffice/read/arrow_library.hpp"
#include "suffice/read/arrow_start.hpp"

extern "C" void suffice_open_arrow_table(const std::vector<suffice::ArrowSource>& files,
                                         const suffice::ReadOptions& options,
                                         suffice::Result<std::unique_ptr<suffice::TableReader>>& into);

namespace {

using namespace suffice;

constexpr std::size_t most_cells = 1 << 16;

void add(std::string& text, const Cells& cells, std::size_t row, std::size_t row_count) {
    if (!cells.numbers.empty()) {
        if (cells.numbers.size() != row_count) std::abort();
        text.append(reinterpret_cast<const char*>(&cells.numbers[row]), sizeof(double));
    } else if (!cells.codes.empty()) {
        if (cells.codes.size() != row_count) std::abort();
        const std::int32_t code = cells.codes[row];
        if (code < -1 || code >= static_cast<std::int32_t>(cells.dictionary.size())) std::abort();
        if (code >= 0) text.append(cells.dictionary[static_cast<std::size_t>(code)]);
    } else {
        if (cells.words.size() != row_count) std::abort();
        if (cells.words[row].data() != nullptr) text.append(cells.words[row]);
    }
    text += '\x1f';
}

// The bytes of every cell, or the sentence of the error.
std::string table_of(TableReader& reader) {
    std::string text;
    std::size_t seen = 0;
    TableUnit unit;
    for (;;) {
        auto drawn = reader.draw(unit);
        if (!drawn) return drawn.error().sentence();
        if (!*drawn) return text;
        if (auto decoded = reader.decode(unit); !decoded) return decoded.error().sentence();
        for (const Cells& cells : unit.columns)
            for (std::size_t row = 0; row < unit.row_count; ++row) {
                if (++seen > most_cells) return text;  // a few bytes can stand for very many rows
                add(text, cells, row, unit.row_count);
            }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const ArrowStart start = arrow_start(bytes.substr(0, 8));
    if (start == ArrowStart::none || start == ArrowStart::old_feather) return -1;  // never comes to this reader
    static const int file = ::memfd_create("arrow_fuzz", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) return 0;
    Result<std::unique_ptr<TableReader>> reader = Error("");
    suffice_open_arrow_table({{path, "input", "input"}}, {}, reader);
    if (!reader) {
        if (reader.error().sentence().empty()) std::abort();
        return 0;
    }
    for (std::uint32_t k = 0; k < (*reader)->columns().size(); ++k)
        (*reader)->want(k, true, (*reader)->columns()[k].kind);
    const std::string first = table_of(**reader);
    if (!(*reader)->rewind() || table_of(**reader) != first) std::abort();
    return 0;
}
