// Every decimal gives the bits that strtod gives.
#include "suffice/kernel/number_scan.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "kernel/every_target.hpp"

#include "suffice/kernel/byte_scan.hpp"
#include "suffice/kernel/decimal.hpp"

namespace suffice::kernel {
namespace {

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

// Fields side by side, as a reader has them.
class Fields {
public:
    void add(const std::string& field) {
        begin_.push_back(static_cast<std::uint32_t>(text_.size() - text_padding));
        text_ += field;
        end_.push_back(static_cast<std::uint32_t>(text_.size() - text_padding));
        text_ += ',';
        fields_.push_back(field);
    }
    std::size_t check() {  // returns how many were no number
        text_.append(text_padding, '9');
        std::size_t failures = 0;
        on_every_target([&] { failures = check_target(); });
        return failures;
    }

private:
    std::size_t check_target() const {
        std::vector<double> values(fields_.size());
        std::vector<std::uint32_t> failed(fields_.size());
        const std::size_t failures = parse_numbers(text_.data() + text_padding, begin_.data(), end_.data(),
                                                   fields_.size(), values.data(), failed.data());
        std::size_t next = 0;
        for (std::size_t k = 0; k < fields_.size(); ++k) {
            double alone = -1;
            const std::string& field = fields_[k];
            const bool number = parse_decimal(field.data(), field.data() + field.size(), alone);
            const bool has_failed = next < failures && failed[next] == k;
            next += has_failed;
            EXPECT_NE(number, has_failed) << field;
            const double expected = std::strtod(field.c_str(), nullptr);
            if (!number || (same_bits(alone, expected) && same_bits(values[k], expected))) continue;
            ADD_FAILURE() << field << ": " << values[k] << " in a column, " << alone << " alone, strtod " << expected;
        }
        return failures;
    }

    std::string text_ = std::string(text_padding, '1');
    std::vector<std::uint32_t> begin_, end_;
    std::vector<std::string> fields_;
};

std::string digits(std::mt19937_64& random, std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += static_cast<char>('0' + random() % 10);
    return text;
}

TEST(NumberScan, NastyNumbersAreReadAsStrtodReadsThem) {
    Fields fields;
    for (const char* field : {"0",
                              "-0",
                              "0.0",
                              "-0.0",
                              "1",
                              "-1",
                              "+1",
                              "+3.25",
                              ".5",
                              "5.",
                              "-.5",
                              "00012",
                              "0.1",
                              "0.3",
                              "1e22",
                              "1e23",
                              "9007199254740992",
                              "9007199254740993",
                              "9007199254740993.0",
                              "18446744073709551615",
                              "18446744073709551616",
                              "99999999999999999999",
                              "0.000000000000000000000000000001",
                              "1e-300",
                              "1e+300",
                              "1e308",
                              "1.8e308",
                              "1e309",
                              "-1e309",
                              "1e-323",
                              "4.9e-324",
                              "2.4e-324",
                              "2.5e-324",
                              "1e-400",
                              "1e-99999999999",
                              "1e99999999999",
                              "0e999999999",
                              "2.2250738585072011e-308",
                              "2.2250738585072014e-308",
                              "1.7976931348623157e308",
                              "1.7976931348623159e308",
                              "123456789012345678901234567890",
                              "0.12345678901234567890123456789",
                              "8.5e-5",
                              "1.5E3",
                              "1.5e+03",
                              "inf",
                              "-inf",
                              "Infinity",
                              "nan",
                              "NaN",
                              "0.500000000000000166533453693773481063544750213623046875",
                              "3.14159265358979323846264338327950288419716939937510",
                              "1152921504606846977",
                              "0.0000000000000000001",
                              "0000000000000000000000000000000000000001.5",
                              "1234567890123456789.5",
                              "12345678.90123456",
                              "1234567890123456"})
        fields.add(field);
    EXPECT_EQ(fields.check(), 0u);
}

TEST(NumberScan, WhatIsNoNumberFails) {
    const std::vector<std::string> wrong = {"",
                                            "-",
                                            "+",
                                            ".",
                                            "-.",
                                            "1e",
                                            "1e+",
                                            "e5",
                                            "1.2.3",
                                            "--1",
                                            "+-1",
                                            "1 ",
                                            " 1",
                                            "0x10",
                                            "1,5",
                                            "1_000",
                                            "12a",
                                            "a12",
                                            "1e5.5",
                                            "infinit",
                                            "nanx",
                                            "1-1",
                                            "1-",
                                            "..5",
                                            "5..",
                                            "1.5.",
                                            ".1.",
                                            "-1-1",
                                            "1+1",
                                            "NA",
                                            "?",
                                            "\"1\"",
                                            "1e--5",
                                            "1234567890123456x",
                                            "12345678901234567x.5"};
    Fields fields;
    for (const std::string& field : wrong) fields.add(field);
    EXPECT_EQ(fields.check(), wrong.size());
}

TEST(NumberScan, RandomDecimalsAreReadAsStrtodReadsThem) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20; ++round) {
        Fields fields;
        for (int k = 0; k < 10'000; ++k) {
            std::string field = random() % 2 ? "-" : "";
            const std::size_t whole = random() % (round < 10 ? 7 : 22), fraction = random() % (round < 10 ? 9 : 24);
            field += digits(random, whole);
            if (random() % 4 != 0) field += "." + digits(random, fraction + (whole == 0));
            if (field.find_first_of("0123456789") == std::string::npos) field += "7";
            if (random() % 8 == 0) field += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
            fields.add(field);
        }
        EXPECT_EQ(fields.check(), 0u);
    }
}

TEST(NumberScan, PrintedDoublesComeBackBitByBit) {
    std::mt19937_64 random(2);
    for (const std::string format : {"%.17g", "%.6g", "%.16g", "%.15f", "%.18f", "%.19f", "%g", "%.3f"}) {
        Fields fields;
        for (int k = 0; k < 20'000; ++k) {
            double value = std::bit_cast<double>(random());
            if (k % 2 == 0 || !std::isfinite(value)) value = (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5) * 20;
            if (std::abs(value) > 1e15 && format.back() == 'f') value = 1 / value;
            char text[400];
            std::snprintf(text, sizeof text, format.c_str(), value);
            fields.add(text);
        }
        EXPECT_EQ(fields.check(), 0u);
    }
}

// Halfway between two doubles, and a hair beside it: rounding to even must hold.
TEST(NumberScan, HalvesRoundToEven) {
    std::mt19937_64 random(3);
    Fields fields;
    for (int k = 0; k < 20'000; ++k) {
        const std::uint64_t even = (std::uint64_t{1} << 53) + (random() >> 12) * 2 + random() % 2 * 2;
        for (const char* end : {"", ".0", ".5", "0", "00"}) {
            fields.add(std::to_string(even + 1) + end);
            fields.add(std::to_string(even) + end);
        }
        fields.add("0.0" + std::to_string(even + 1));
        fields.add(std::to_string((random() >> 11) | (std::uint64_t{1} << 52)) + ".5");
    }
    EXPECT_EQ(fields.check(), 0u);
}

}  // namespace
}  // namespace suffice::kernel
