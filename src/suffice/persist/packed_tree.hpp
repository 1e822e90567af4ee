// Values with `fields` as a run of bytes that names them: for what a model holds per class or per column, of which a
// readable header would be longer than it may be.
//
// First the names, then the values: each a tag, the number of its name and what it holds. Lengths of words and lists
// are whole numbers of seven bits a byte; lists and records say how many bytes they hold, so that they can be passed
// over.
#pragma once
#include <optional>
#include <unordered_map>

#include "suffice/base/archive.hpp"

namespace suffice {

class PackedSink final : public FieldSink {
public:
    void number(std::string_view name, double value) override;
    void whole(std::string_view name, std::uint64_t value) override;
    void text(std::string_view name, std::string_view value) override;
    void numbers(std::string_view name, std::span<const double> values) override;
    void texts(std::string_view name, std::span<const std::string> values) override;
    void open_list(std::string_view name, std::size_t count) override;
    void open_record(std::string_view name) override;
    void close() override;
    std::string packed() const;

private:
    void start(char tag, std::string_view name);
    void open();

    std::string bytes_;
    std::string names_;
    std::unordered_map<std::string, std::uint64_t> numbers_of_names_;
    std::vector<std::size_t> open_;  // where their lengths stand
};

// Reads such bytes. Each length is checked against the bytes left; nothing here recurses.
class PackedTree {
public:
    static std::optional<PackedTree> open(std::string_view bytes);
    bool used_up() const { return at_ == bytes_.size(); }

    // The next value. A record that nobody opened is passed into: its fields are asked for in their order.
    std::optional<double> number();
    std::optional<std::uint64_t> whole();
    std::optional<std::string> text();
    std::optional<std::vector<double>> numbers();
    std::optional<std::vector<std::string>> texts();
    std::optional<std::uint64_t> list();
    bool open_record();
    bool in_record() const { return !frames_.empty(); }
    bool has_field(std::string_view name);
    bool close_record();  // false: it holds fields that nobody asked for

private:
    struct Start {
        char tag;
        std::string_view name;
    };
    struct Frame {
        std::size_t begin, end;
        std::size_t found = 0;
        bool in_order = true;  // so far no field was asked for before another that stands in front of it
    };
    explicit PackedTree(std::string_view bytes) : bytes_(bytes) {}
    std::optional<Start> start();
    bool start_leaf(char tag);
    std::optional<std::uint64_t> take_whole();
    std::optional<std::string_view> take(std::uint64_t size);
    std::optional<std::string_view> take_text();
    std::optional<std::size_t> take_length();  // of what a list or a record holds
    bool skip_held(char tag);

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::vector<std::string_view> names_{std::string_view()};
    std::vector<Frame> frames_;
};

}  // namespace suffice
