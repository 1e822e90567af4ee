// A value or an Error. C++20 has no std::expected; this is the small part of it we use.
#pragma once
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "suffice/base/remedy.hpp"

namespace suffice {

// What went wrong decides the exit code of the command and the exception type in Python.
enum class ErrorKind : std::uint8_t { input, usage, singular, not_fitted, io, cancelled, internal };

struct Error {
    ErrorKind kind = ErrorKind::input;
    std::string message;                      // one sentence; says what is allowed and names no surface's options
    std::string file = {};                    // empty: not about a file
    std::optional<std::uint64_t> row = {};    // counted from one, as an editor shows it
    std::string column = {};                  // by name
    std::optional<std::uint32_t> place = {};  // of a column among the rows, until a schema gives its name
    std::vector<Remedy> remedies = {};        // told behind the message, as whoever asked spells them

    Error(std::string sentence) : message(std::move(sentence)) {}
    Error(ErrorKind what, std::string sentence) : kind(what), message(std::move(sentence)) {}

    Error in_file(std::string name) && { return file = std::move(name), std::move(*this); }
    Error at_row(std::uint64_t number) && { return row = number, std::move(*this); }
    Error in_column(std::string name) && { return column = std::move(name), std::move(*this); }

    Error in_place(std::uint32_t number) && { return place = number, std::move(*this); }
    Error advise(Remedy remedy) && { return remedies.push_back(std::move(remedy)), std::move(*this); }

    // "prices.csv, row 7, column age: ...; use ..." with only what is known in front.
    std::string sentence(Spelling spell = spell_plainly) const {
        std::string where = file;
        const auto add = [&where](const std::string& text) { where += (where.empty() ? "" : ", ") + text; };
        if (row) add("row " + std::to_string(*row));
        if (!column.empty()) add("column " + column);
        return with_remedies(where.empty() ? message : where + ": " + message, remedies, spell);
    }
};

// Thrown by Result::value() for callers who prefer exceptions (bindings, tests, examples).
class Exception : public std::exception {
public:
    explicit Exception(Error what_happened) : error_(std::move(what_happened)), sentence_(error_.sentence()) {}
    const char* what() const noexcept override { return sentence_.c_str(); }
    const Error& error() const { return error_; }

private:
    Error error_;
    std::string sentence_;
};

// Within the library, so that those who compile without exceptions can include this.
[[noreturn]] void throw_error(const Error& error);

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : held_(std::move(value)) {}
    Result(Error error) : held_(std::move(error)) {}

    explicit operator bool() const { return std::holds_alternative<T>(held_); }
    const Error& error() const { return std::get<Error>(held_); }

    const T& value() const& {
        if (!*this) throw_error(error());
        return std::get<T>(held_);
    }
    T& value() & {
        if (!*this) throw_error(error());
        return std::get<T>(held_);
    }
    T value() && {
        if (!*this) throw_error(error());
        return std::move(std::get<T>(held_));
    }
    // For code that has checked already.
    const T& operator*() const& { return *std::get_if<T>(&held_); }
    T& operator*() & { return *std::get_if<T>(&held_); }
    const T* operator->() const { return std::get_if<T>(&held_); }
    T* operator->() { return std::get_if<T>(&held_); }

private:
    std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_; }
    const Error& error() const { return *error_; }
    void value() const {
        if (error_) throw_error(*error_);
    }

private:
    std::optional<Error> error_;
};

}  // namespace suffice
