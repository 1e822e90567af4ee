// Calls the C interface with hostile bytes, sizes, texts and Arrow structures: a code and a sentence, or a model whose
// posteriors are probabilities. Memory that is named is there: a size that is merely wrong cannot be seen from inside.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/arrow_layout.hpp"
#include "suffice.h"

namespace {

// What is left of the input, taken from the front; zeros behind its end.
struct Input {
    const std::uint8_t* data;
    std::size_t size;

    std::uint8_t byte() { return size == 0 ? 0 : (--size, *data++); }
    std::uint64_t word() {
        std::uint64_t value = 0;
        for (int k = 0; k < 8; ++k) value = value << 8 | byte();
        return value;
    }
    double number() {
        const std::uint64_t bits = word();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    // Small, or one of those that overflow something.
    std::int64_t hostile() {
        constexpr std::array<std::int64_t, 8> edges{-1,
                                                    0,
                                                    1,
                                                    std::numeric_limits<std::int64_t>::max(),
                                                    std::numeric_limits<std::int64_t>::min(),
                                                    std::int64_t{1} << 32,
                                                    std::int64_t{1} << 61,
                                                    1000};
        const std::uint8_t choice = byte();
        return choice < 16 ? edges[choice % 8] : choice % 8;
    }
    std::string text() {
        std::string made;
        for (std::uint8_t letter = byte(); letter != 0 && made.size() < 200; letter = byte())
            made += static_cast<char>(letter);
        return made;
    }
};

void check(const suffice_error& error, bool failed) {
    if (failed != (error.code != SUFFICE_OK)) std::abort();
    if (failed && error.message[0] == '\0') std::abort();
    if (std::memchr(error.message, 0, sizeof error.message) == nullptr) std::abort();
}

void use(suffice_model* model, const suffice_error& told, Input& input) {
    check(told, model == nullptr);
    if (model == nullptr) return;
    suffice_error error;
    const std::size_t classes = suffice_class_count(model), columns = suffice_column_count(model);
    (void)suffice_class_name(model, static_cast<std::size_t>(input.hostile()));
    (void)suffice_level_name(model, static_cast<std::size_t>(input.hostile()),
                             static_cast<std::size_t>(input.hostile()));
    (void)suffice_level_code(model, static_cast<std::size_t>(input.hostile()), input.text().c_str());
    if (columns > 0 && columns * classes < 1 << 16) {
        std::vector<double> row(columns), out(classes);
        for (double& value : row) value = input.number();
        check(error, suffice_posteriors(model, row.data(), static_cast<std::size_t>(-1), out.data(), &error) != 0);
        const int code = suffice_posteriors(model, row.data(), 1, out.data(), &error);
        check(error, code != 0);
        double total = 0;
        for (const double p : out) total += p;
        if (code == 0 && !(std::abs(total - 1) < 1e-9)) std::abort();
    }
    suffice_model* less = suffice_decay(model, input.number(), &error);
    check(error, less == nullptr);
    suffice_free(less);
    suffice_model* other = suffice_derive(model, input.text().c_str(), &error);
    check(error, other == nullptr);
    suffice_free(other);
    suffice_free(model);
}

void fit_rows(Input& input) {
    suffice_error error;
    std::vector<double> rows(12);
    for (double& value : rows) value = input.byte() % 7;
    const std::array<const char*, 6> labels{"a", "b", "a", "b", input.byte() % 2 == 0 ? nullptr : "c", "a"};
    const std::string settings = input.text();
    const std::size_t d = 1 + input.byte() % 2;
    use(suffice_fit_rows(rows.data(), 12 / d > 6 ? 6 : 12 / d, d, labels.data(), settings.c_str(), &error), error,
        input);
    const auto most = std::numeric_limits<std::size_t>::max();
    for (const std::size_t many : {most, most / 2, most / 8 + 1})
        if (suffice_fit_rows(rows.data(), many, 3, labels.data(), "", &error) != nullptr) std::abort();
}

// Two columns and the classes, with whatever the input makes of formats, counts and pointers.
void fit_arrow(Input& input) {
    static const std::array<const char*, 10> formats{"g", "f", "l", "i", "C", "b", "u", "vu", "d:9,2", "e"};
    const std::array<double, 64> values{1, 2, 3, 2, 1, 4, 5, 3};
    const std::array<std::int32_t, 9> ends{0, 1, 2, 3, 4, 5, 6, 7, 8};
    std::array<ArrowSchema, 3> types{};
    std::array<ArrowArray, 3> columns{};
    std::array<std::array<const void*, 3>, 3> buffers{};
    std::array<ArrowSchema*, 3> type_of{};
    std::array<ArrowArray*, 3> column_of{};
    const std::array<std::string, 3> names{input.text(), input.text(), "kind"};
    ArrowSchema entry{};
    ArrowArray entries{};
    entry.format = input.byte() % 4 == 0 ? nullptr : formats[input.byte() % formats.size()];
    std::array<const void*, 3> of_entries{nullptr, ends.data(), "abababab"};
    entries.length = input.byte() % 5;
    entries.n_buffers = 3;
    entries.buffers = input.byte() % 4 == 0 ? nullptr : of_entries.data();
    for (std::size_t k = 0; k < 3; ++k) {
        const bool words = k == 2;
        types[k].format = words ? "u" : formats[input.byte() % formats.size()];
        types[k].name = names[k].c_str();
        const bool laid_out_as_words = types[k].format[0] == 'u';
        buffers[k] = {nullptr, laid_out_as_words ? static_cast<const void*>(ends.data()) : values.data(), "abababab"};
        columns[k].length = 6;
        columns[k].n_buffers = 3;
        columns[k].buffers = buffers[k].data();
        if (input.byte() % 8 == 0) types[k].dictionary = &entry;
        if (input.byte() % 8 == 0) columns[k].dictionary = &entries;
        if (input.byte() % 8 == 0) columns[k].buffers = nullptr;
        if (input.byte() % 8 == 0) buffers[k][1] = nullptr;
        if (input.byte() % 8 == 0) columns[k].n_buffers = std::min<std::int64_t>(input.hostile(), 3);
        if (const std::int64_t length = input.hostile(); length < 6) columns[k].length = length;
        if (input.byte() % 2 == 0) columns[k].length = 6;
        type_of[k] = input.byte() % 16 == 1 ? nullptr : &types[k];
        column_of[k] = input.byte() % 16 == 1 ? nullptr : &columns[k];
    }
    ArrowSchema schema{};
    ArrowArray array{};
    schema.format = input.byte() % 16 == 1 ? "+l" : "+s";
    schema.n_children = array.n_children = input.byte() % 16 == 1 ? std::min<std::int64_t>(input.hostile(), 3) : 3;
    schema.children = type_of.data();
    array.children = input.byte() % 16 == 1 ? nullptr : column_of.data();
    array.length = input.byte() % 16 == 1 ? input.hostile() : 6;
    suffice_error error;
    const std::string target = input.byte() % 4 == 0 ? input.text() : "kind", settings = input.text();
    use(suffice_fit_arrow(&schema, &array, target.c_str(), settings.c_str(), &error), error, input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input{data, size};
    suffice_error error;
    switch (input.byte() % 3) {
        case 0: {
            suffice_model* loaded = suffice_load_bytes(input.data, input.size, &error);
            Input rest{input.data, std::min<std::size_t>(input.size, 64)};
            use(loaded, error, rest);
            break;
        }
        case 1:
            fit_rows(input);
            break;
        default:
            fit_arrow(input);
    }
    return 0;
}
