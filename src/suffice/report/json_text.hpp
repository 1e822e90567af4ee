// JSON as text, written from front to back: any value with `fields` goes in by write_value.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "suffice/base/archive.hpp"
#include "suffice/base/record.hpp"

namespace suffice {

// Names are empty at the root and inside lists. What is not a number is null.
class JsonText final : public FieldSink {
public:
    void number(std::string_view name, double value) override;
    void whole(std::string_view name, std::uint64_t value) override;
    void text(std::string_view name, std::string_view value) override;
    void numbers(std::string_view name, std::span<const double> values) override;
    void open_list(std::string_view name, std::size_t count = 0) override;
    void open_record(std::string_view name = {}) override;
    void close() override;

    void flag(std::string_view name, bool value);
    void record(std::string_view name, const Record& record);
    void maybe(std::string_view name, const std::optional<double>& value);
    void maybes(std::string_view name, std::span<const std::optional<double>> values);
    std::string take();  // what has been written so far

private:
    void lead(std::string_view name);

    std::string out_;
    std::string ends_;  // the closing letters of what is open
    bool first_ = true;
};

}  // namespace suffice
