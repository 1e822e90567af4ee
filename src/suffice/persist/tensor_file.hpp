// Any value with `fields` as a file in the safetensors layout: 8 bytes of length, a JSON header, raw little-endian
// tensors. Numbers in bulk and long lists of words are tensors; everything small stands readable in the header. A list
// of many items, as of columns or classes, is one tensor of packed bytes, so that the header stays short.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

inline constexpr unsigned tensor_file_version = 2;
inline constexpr unsigned packed_tensor_file_version = 3;  // of files that hold packed lists
inline constexpr std::size_t largest_header = 100'000'000;
inline constexpr std::size_t packed_from = 64;  // items of a list

class TensorSink final : public FieldSink {
public:
    // Lists of so many items are packed.
    explicit TensorSink(std::size_t pack_from = packed_from);
    ~TensorSink() override;
    void number(std::string_view name, double value) override;
    void whole(std::string_view name, std::uint64_t value) override;
    void text(std::string_view name, std::string_view value) override;
    void numbers(std::string_view name, std::span<const double> values) override;
    void texts(std::string_view name, std::span<const std::string> values) override;
    void open_list(std::string_view name, std::size_t count) override;
    void open_record(std::string_view name) override;
    void close() override;

    std::string file() const;  // the bytes; empty: the header would be longer than it may be

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Checks every length, offset, shape and the checksum before anything is read from the bytes.
class TensorSource final : public FieldSource {
public:
    static Result<std::unique_ptr<TensorSource>> open(std::string_view bytes);
    ~TensorSource() override;
    double number() override;
    std::uint64_t whole() override;
    std::string text() override;
    std::vector<double> numbers() override;
    std::vector<std::string> texts() override;
    std::size_t list() override;
    void open_record() override;
    bool has_field(std::string_view name) override;
    void close_record() override;
    bool used_up() const;

private:
    struct State;
    explicit TensorSource(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

template <class T>
std::string to_tensor_file(const T& value) {
    TensorSink sink;
    write_value(sink, "value", value);
    if (std::string bytes = sink.file(); !bytes.empty()) return bytes;
    TensorSink packs_all(0);
    write_value(packs_all, "value", value);
    return packs_all.file();
}

template <class T>
Result<T> from_tensor_file(std::string_view bytes) {
    auto source = TensorSource::open(bytes);
    if (!source) return source.error();
    T value{};
    read_value(**source, value);
    if (!(*source)->why().empty()) return Error((*source)->why());
    if ((*source)->failed() || !(*source)->used_up()) return Error("the model file does not describe a model");
    if constexpr (requires { value.valid(); })
        if (!value.valid()) return Error("the model file describes a model that contradicts itself");
    return value;
}

}  // namespace suffice
