// Feeds arbitrary bytes to the reader of delimited files: no crash, and the same table whatever the size of units.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>

#include "suffice/read/csv_reader.hpp"

namespace {

using namespace suffice;

// The bytes of every cell, or the kind of error.
std::string table_of(const std::string& path, const ReadOptions& options, std::size_t unit_bytes) {
    auto reader = open_csv({path}, options, false, unit_bytes);
    if (!reader) return "refused";
    std::string text;
    TableUnit unit;
    for (;;) {
        auto drawn = (*reader)->draw(unit);
        if (!drawn) return "error";
        if (!*drawn) return text;
        if (!(*reader)->decode(unit)) return "error";
        for (std::size_t row = 0; row < unit.row_count; ++row) {
            for (const Cells& cells : unit.columns) {
                if (!cells.numbers.empty())
                    text.append(reinterpret_cast<const char*>(&cells.numbers[row]), sizeof(double));
                else if (cells.words[row].data() != nullptr)
                    text.append(cells.words[row]);
                text += '\x1f';
            }
            text += '\x1e';
        }
    }
}

ReadOptions options_of(std::uint8_t choice) {
    ReadOptions options;
    if ((choice & 1) != 0) options.header = false;
    if ((choice & 2) != 0) options.skip_ragged = true;
    if ((choice & 4) != 0) options.comment = '#';
    if ((choice & 8) != 0) options.latin1 = true;
    if ((choice & 16) != 0) options.delimiter = ' ';
    if ((choice & 32) != 0) options.quoting = true;
    if ((choice & 64) != 0) options.missing = {"-1", "x"};
    return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const int file = ::memfd_create("csv_fuzz", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data + 1, size - 1, 0) != static_cast<ssize_t>(size - 1)) return 0;
    const ReadOptions options = options_of(data[0]);
    const std::size_t unit_bytes = (data[0] & 128) != 0 ? 16 : 200;
    if (table_of(path, options, unit_bytes) != table_of(path, options, 1 << 12)) std::abort();
    return 0;
}
