// Named values on their way to and from an outside form. Each form is one Sink or Source; no
// statistic writes itself, because write_value and read_value walk its `fields`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "suffice/base/enum_names.hpp"
#include "suffice/base/fields.hpp"

namespace suffice {

class FieldSink {
public:
    virtual ~FieldSink() = default;
    virtual void number(std::string_view name, double value) = 0;
    virtual void whole(std::string_view name, std::uint64_t value) = 0;
    virtual void text(std::string_view name, std::string_view value) = 0;
    virtual void numbers(std::string_view name, std::span<const double> values) = 0;  // one tensor
    virtual void texts(std::string_view name, std::span<const std::string> values) {  // a form may pack many words
        open_list(name, values.size());
        for (const auto& value : values) text({}, value);
        close();
    }
    virtual void open_list(std::string_view name, std::size_t count) = 0;
    virtual void open_record(std::string_view name) = 0;
    virtual void close() = 0;
};

// Answers in the order written. After the first failure every answer is empty, so that readers
// need one check at the end; lengths are checked before memory is asked for.
class FieldSource {
public:
    virtual ~FieldSource() = default;
    virtual double number() = 0;
    virtual std::uint64_t whole() = 0;
    virtual std::string text() = 0;
    virtual std::vector<double> numbers() = 0;
    virtual std::size_t list() = 0;
    virtual std::vector<std::string> texts() {
        std::vector<std::string> values;
        for (std::size_t left = list(); left > 0 && !failed(); --left) values.push_back(text());
        return values;
    }
    // Around the fields of a record. A form that keeps names says which fields are there, so that a record written
    // before a field existed leaves it as it starts out; others are read by position.
    virtual void open_record() {}
    virtual bool has_field(std::string_view) { return true; }
    virtual void close_record() {}

    void fail(std::string why = {}) {
        if (!failed_) why_ = std::move(why);
        failed_ = true;
    }
    bool failed() const { return failed_; }
    const std::string& why() const { return why_; }  // a sentence for the user; empty: the bytes make no sense

private:
    bool failed_ = false;
    std::string why_;
};

template <class T>
concept List = std::derived_from<T, std::vector<typename T::value_type>>;
template <class T>
concept Map = std::same_as<T, std::map<typename T::key_type, typename T::mapped_type>>;

// A value whose members are all doubles: lists of these are kept as one list per member, so that a table of statistics
// is a few long runs of numbers and not many small records.
template <class T>
constexpr bool all_doubles = false;
template <Fielded T>
constexpr bool all_doubles<T> = T::fields.apply([](const auto&... each) {
    return sizeof...(each) > 0 && (std::same_as<decltype(each.member), double T::*> && ...);
});
template <class T>
concept RecordList = List<T> && all_doubles<typename T::value_type>;

template <class T>
void write_value(FieldSink& sink, std::string_view name, const T& value) {
    if constexpr (requires { value.write(sink, name); }) {
        value.write(sink, name);
    } else if constexpr (std::floating_point<T>) {
        sink.number(name, value);
    } else if constexpr (NamedEnum<T>) {
        sink.text(name, name_of(value));
    } else if constexpr (std::unsigned_integral<T> || std::is_enum_v<T>) {
        sink.whole(name, static_cast<std::uint64_t>(value));
    } else if constexpr (std::same_as<T, std::string>) {
        sink.text(name, value);
    } else if constexpr (std::same_as<T, std::vector<double>>) {
        sink.numbers(name, value);
    } else if constexpr (std::same_as<T, std::vector<std::string>>) {
        sink.texts(name, value);
    } else if constexpr (RecordList<T>) {
        sink.open_record(name);
        T::value_type::fields.apply([&](const auto&... each) {
            std::vector<double> run(value.size());
            const auto write_one = [&](const auto& field) {
                for (std::size_t k = 0; k < value.size(); ++k) run[k] = value[k].*field.member;
                sink.numbers(field.name, run);
            };
            (write_one(each), ...);
        });
        sink.close();
    } else if constexpr (List<T>) {
        sink.open_list(name, value.size());
        for (const auto& item : value) write_value(sink, {}, item);
        sink.close();
    } else if constexpr (Map<T>) {
        sink.open_list(name, value.size());
        for (const auto& [key, item] : value) {
            sink.open_record({});
            write_value(sink, "key", key);
            write_value(sink, "value", item);
            sink.close();
        }
        sink.close();
    } else {
        static_assert(Fielded<T>, "give the type its `fields`");
        sink.open_record(name);
        for_each_field(value, [&](const auto& each, const auto& member) { write_value(sink, each.name, member); });
        sink.close();
    }
}

template <class T>
void read_value(FieldSource& source, T& value) {
    if constexpr (requires { value.read(source); }) {
        value.read(source);
    } else if constexpr (std::floating_point<T>) {
        value = source.number();
    } else if constexpr (NamedEnum<T>) {
        const auto known = value_named<T>(source.text());
        if (known)
            value = *known;
        else
            source.fail();
    } else if constexpr (std::unsigned_integral<T> || std::is_enum_v<T>) {
        const std::uint64_t wide = source.whole();
        value = static_cast<T>(wide);
        if (static_cast<std::uint64_t>(value) != wide) source.fail();
    } else if constexpr (std::same_as<T, std::string>) {
        value = source.text();
    } else if constexpr (std::same_as<T, std::vector<double>>) {
        value = source.numbers();
    } else if constexpr (std::same_as<T, std::vector<std::string>>) {
        value = source.texts();
    } else if constexpr (RecordList<T>) {
        value.clear();
        T::value_type::fields.apply([&](const auto&... each) {
            bool first = true;
            const auto read_one = [&](const auto& field) {
                const std::vector<double> run = source.numbers();
                if (first) value.resize(run.size());
                first = false;
                if (run.size() != value.size()) return source.fail();
                for (std::size_t k = 0; k < run.size(); ++k) value[k].*field.member = run[k];
            };
            (read_one(each), ...);
        });
    } else if constexpr (List<T>) {
        value.clear();
        for (std::size_t left = source.list(); left > 0 && !source.failed(); --left)
            read_value(source, value.emplace_back());
    } else if constexpr (Map<T>) {
        value.clear();
        for (std::size_t left = source.list(); left > 0 && !source.failed(); --left) {
            typename T::key_type key{};
            read_value(source, key);
            read_value(source, value[key]);
        }
    } else {
        static_assert(Fielded<T>, "give the type its `fields`");
        source.open_record();
        for_each_field(value, [&](const auto& each, auto& member) {
            if (source.has_field(each.name)) read_value(source, member);
        });
        source.close_record();
    }
}

}  // namespace suffice
