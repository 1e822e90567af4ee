// Arrow arrays turned into cells: numbers with NaN for null, words, or a dictionary kept as one.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <unordered_map>

#include "suffice/read/table.hpp"

namespace arrow {
class Array;
}

namespace suffice {

// What a first look at some rows says of one column.
FoundColumn look_at_arrow(const std::string& name, const arrow::Array& values);

// The same of a column that was read as numbers.
FoundColumn look_at_numbers(const std::string& name, const std::vector<double>& numbers);

// `kind` as wanted: number, flag, category or text. An Error says which type cannot be read so.
Result<void> fill_cells(const std::string& name, const arrow::Array& values, ColumnKind kind, Cells& into);

void start_cells(ColumnKind kind, Cells& into);  // empty, of this kind

// A number as a text file would have it: whole ones without a point.
std::string spelling(std::int64_t value);
std::string spelling(std::uint64_t value);
std::string spelling(float value);
std::string spelling(double value);

// Numbers that are wanted as words: codes into a dictionary in which each value is spelled once.
class Speller {
public:
    explicit Speller(Cells& into) : into_(into) {
        into_.spelled.clear();
        small_.fill(-1);
    }
    void add_missing() { into_.codes.push_back(-1); }
    template <class T>
    void add(T value) {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(value)) return add_missing();
        std::int32_t& code = code_of(value);
        if (code < 0) {
            code = static_cast<std::int32_t>(into_.spelled.size());
            into_.spelled.push_back(word(value));
        }
        into_.codes.push_back(code);
    }
    void finish() { into_.dictionary.assign(into_.spelled.begin(), into_.spelled.end()); }

private:
    template <class T>
    std::int32_t& code_of(T value) {
        const auto number = static_cast<double>(value);
        if (number >= 0 && number < static_cast<double>(small_.size()) && std::trunc(number) == number)
            return small_[static_cast<std::size_t>(number)];
        std::uint64_t key = 0;
        if constexpr (std::is_floating_point_v<T> || sizeof(T) < sizeof(double))
            key = std::bit_cast<std::uint64_t>(number);
        else
            key = static_cast<std::uint64_t>(value);
        return large_.try_emplace(key, -1).first->second;
    }
    template <class T>
    static std::string word(T value) {
        if constexpr (std::is_same_v<T, bool>)
            return value ? "true" : "false";
        else if constexpr (std::is_floating_point_v<T>)
            return spelling(value);
        else
            return spelling(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value));
    }

    Cells& into_;
    std::array<std::int32_t, 128> small_;                    // codes of small whole numbers, as most are; -1: none yet
    std::unordered_map<std::uint64_t, std::int32_t> large_;  // of the others, by their bits
};

}  // namespace suffice
