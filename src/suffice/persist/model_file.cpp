// Saves and loads models.
#include "suffice/persist/model_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "suffice/persist/atomic_file.hpp"
#include "suffice/persist/tensor_file.hpp"

namespace suffice {
namespace {

// The kinds of model by their place in PredictorState.
constexpr std::array<std::string_view, std::variant_size_v<PredictorState>> kinds{"classifier", "logistic_regression",
                                                                                  "mixture_discriminant"};

template <std::size_t K = 0>
PredictorState blank_state(std::size_t kind) {
    if constexpr (K + 1 < kinds.size())
        if (kind != K) return blank_state<K + 1>(kind);
    return PredictorState(std::in_place_index<K>);
}

Error io_error(const std::string& doing, const std::string& path) {
    return Error(ErrorKind::io, "cannot " + doing + ": " + std::strerror(errno)).in_file(path);
}

// Closes at the end.
struct OpenFile {
    int number = -1;
    ~OpenFile() {
        if (number >= 0) ::close(number);
    }
};

}  // namespace

void Provenance::merge(const Provenance& from) {
    rows += from.rows;
    compared.clear();  // it was of other rows
    for (const auto& file : from.files)
        if (std::ranges::find(files, file) == files.end()) files.push_back(file);
}

void ModelFile::write(FieldSink& sink, std::string_view name) const {
    sink.open_record(name);
    sink.text("kind", kinds[state.index()]);
    std::visit([&](const auto& each) { write_value(sink, "state", each); }, state);
    write_value(sink, "seen", seen);
    write_value(sink, "calibration", calibration);
    if (!decision.empty()) write_value(sink, "decision", decision);
    if (!shards.empty()) sink.texts("shards", shards);
    if (!author.empty()) sink.text("author", author);
    sink.close();
}

void ModelFile::read(FieldSource& source) {
    source.open_record();
    const std::string name = source.has_field("kind") ? source.text() : "";
    const auto kind = std::ranges::find(kinds, name);
    if (kind == kinds.end())
        return source.fail("the model file holds a model of the kind \"" + name +
                           "\", which this suffice does not know; it may be newer");
    state = blank_state(static_cast<std::size_t>(kind - kinds.begin()));
    if (source.has_field("state")) std::visit([&](auto& each) { read_value(source, each); }, state);
    if (source.has_field("seen")) read_value(source, seen);
    if (source.has_field("calibration")) read_value(source, calibration);
    if (source.has_field("decision")) read_value(source, decision);
    if (source.has_field("shards")) shards = source.texts();
    if (source.has_field("author")) author = source.text();
    source.close_record();
}

std::string to_file_bytes(const ModelFile& model) { return to_tensor_file(model); }
Result<ModelFile> from_file_bytes(std::string_view bytes) { return from_tensor_file<ModelFile>(bytes); }

Result<void> write_atomically(const std::string& path, std::string_view bytes) {
    auto file = AtomicFile::open(path);
    if (!file) return file.error();
    if (auto written = (*file)->write(bytes); !written) return written;
    return (*file)->commit();
}

Result<std::string> read_whole_file(const std::string& path) {
    const OpenFile in{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (in.number < 0) {
        Error error = io_error("open", path);
        error.kind = ErrorKind::input;
        return error;
    }
    std::string bytes;
    for (;;) {
        constexpr std::size_t piece = std::size_t{1} << 20;
        const std::size_t size = bytes.size();
        bytes.resize(size + piece);
        const auto got = ::read(in.number, bytes.data() + size, piece);
        bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            Error error = io_error("read", path);
            if (errno == EISDIR) error.kind = ErrorKind::input;
            return error;
        }
        if (got == 0) return bytes;
    }
}

Result<void> save_model_file(const ModelFile& model, const std::string& path) {
    return write_atomically(path, to_file_bytes(model));
}

Result<ModelFile> load_model_file(const std::string& path) {
    const auto bytes = read_whole_file(path);
    if (!bytes) return bytes.error();
    auto model = from_file_bytes(*bytes);
    if (!model) return Error(model.error()).in_file(path);
    return model;
}

bool looks_like_model(const std::string& path) {
    const OpenFile in{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    std::array<char, 9> first{};  // the length of a header, and how it begins
    if (in.number < 0 || ::read(in.number, first.data(), first.size()) < std::ssize(first)) return false;
    return first[6] == 0 && first[7] == 0 && first[8] == '{';
}

}  // namespace suffice
