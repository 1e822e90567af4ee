// Models as text for other programs: names, numbers and bytes as their languages have them. That the posteriors are the
// model's is tested where those languages run, in tests/python/export.
#include "suffice/export/export.hpp"

#include <gtest/gtest.h>

#include "suffice/export/onnx_graph.hpp"
#include "suffice/export/sql_writer.hpp"
#include "suffice/flow/given_text.hpp"

namespace suffice {
namespace {

Model stated() {
    return model_of_text(R"({"priors": {"a'b": 0.25, "c": 0.75}, "columns": ["x\"y", "z"],
                            "means": {"a'b": [0, 0], "c": [2, 1]}, "covariance": [[1, 0], [0, 4]]})")
        .value();
}

TEST(ProtoMessage, WritesTheExamplesOfTheSpecification) {
    ProtoMessage number, text;
    EXPECT_EQ(number.number(1, 150).bytes(), "\x08\x96\x01");
    EXPECT_EQ(text.text(2, "testing").bytes(), "\x12\x07testing");
    ProtoMessage outer;
    EXPECT_EQ(outer.message(3, number).bytes(), "\x1a\x03\x08\x96\x01");
}

TEST(SqlText, QuotesWhatWouldEndIt) {
    EXPECT_EQ(sql_name("a\"b'c"), "\"a\"\"b'c\"");
    EXPECT_EQ(sql_text("a\"b'c"), "'a\"b''c'");
    EXPECT_EQ(sql_number(0.1), "1.0000000000000001e-01");
    EXPECT_EQ(sql_number(-2), "(-2.0000000000000000e+00)");
}

TEST(Export, SqlNamesEveryColumnAndClass) {
    const std::string query = to_sql(stated(), SqlDialect::duckdb, "my\"table").value();
    for (const char* part :
         {"\"x\"\"y\"", "\"z\"", "\"my\"\"table\"", "\"p(a'b)\"", "\"p(c)\"", "\"prediction\"", "'a''b'"})
        EXPECT_NE(query.find(part), std::string::npos) << part;
}

TEST(Export, CHasTheNamesOfItsPrefix) {
    const CSource made = to_c(stated(), "two").value();
    for (const char* part : {"void two_posteriors(const double *values, double *posteriors);",
                             "int two_level(int column, const char *word);", "two_class_count = 2",
                             "two_column_count = 2", "two_classes[]", "two_columns[]"})
        EXPECT_NE(made.header.find(part), std::string::npos) << part;
    EXPECT_NE(made.source.find("#include \"two.h\""), std::string::npos);
    EXPECT_EQ(to_c(stated(), "2 x").error().message, "a prefix is a name in C, not \"2 x\"");
}

TEST(Export, OtherPriorsAndDecisionsGoAlong) {
    ExportOptions options;
    options.rule.reject_below = 0.8;
    EXPECT_NE(to_c(stated(), "two", options).value().source, to_c(stated(), "two").value().source);
    options.rule.novelty_below = -3.0;
    EXPECT_EQ(to_onnx(stated(), options).error().message,
              "novelty needs the density of a row, and an export has posteriors alone");
}

}  // namespace
}  // namespace suffice
