// Delimited text as people write it, and as it arrives broken.
#include <bit>

#include "read/table_text.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

using testing::columns_of;
using testing::complaint;
using testing::read_text;
using testing::Rows;

std::vector<std::string> names_of(const std::string& content, const ReadOptions& options = {}) {
    std::vector<std::string> names;
    for (const FoundColumn& column : columns_of(content, options)) names.push_back(column.name);
    return names;
}

std::string as_golden(const Cells& cells, std::size_t row) {
    char hex[24];
    if (!cells.numbers.empty()) {
        if (std::isnan(cells.numbers[row])) return "missing";
        std::snprintf(hex, sizeof hex, "%016llx",
                      static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(cells.numbers[row])));
        return std::string("number ") + hex;
    }
    if (cells.words[row].data() == nullptr) return "missing";
    std::string text = "word ";
    for (const char byte : cells.words[row]) {
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += hex;
    }
    return text;
}

TEST(Csv, NumbersAndWordsComeOut) {
    const Rows expected = {{"1.5", "x"}, {"-2", "<missing>"}, {"<missing>", "y z"}};
    EXPECT_EQ(read_text("a,b\n1.5,x\n-2,NA\n?,y z\n").value(), expected);
    EXPECT_EQ(read_text("a,b\r\n1.5,x\r\n-2,\r\n,y z\r\n").value(), expected);
    EXPECT_EQ(read_text("a,b\r1.5,x\r-2,\r,y z").value(), expected);
    EXPECT_EQ(read_text("\xEF\xBB\xBF"
                        "a;b\n1.5;x\n-2;null\nNaN;y z")
                  .value(),
              expected);
    EXPECT_EQ(read_text("a\tb\n1.5\tx\n\n-2\tN/A\n\n\nnan\ty z\n\n").value(), expected);
    EXPECT_EQ(read_text("a|b\n 1.5 | x\n-2|  \n? | y z  \n").value(), expected);
    EXPECT_EQ(read_text("a, b\n1.5, x\n-2, NA\n?, y z\n").value(), expected);
    EXPECT_EQ(read_text("\"a\",\"b\"\n\"1.5\",\"x\"\n\"-2\",\"\"\n\"?\",\"y z\"\n").value(), expected);
}

TEST(Csv, QuotesHoldDelimitersNewlinesAndQuotes) {
    const Rows expected = {{"1", "a,b"}, {"2", "line\nbreak"}, {"3", "say \"yes\""}, {"4", " kept "}, {"5", "\"\""}};
    EXPECT_EQ(
        read_text("n,w\n1,\"a,b\"\n2,\"line\nbreak\"\n3,\"say \"\"yes\"\"\"\n4,\" kept \"\n5,\"\"\"\"\"\"\n").value(),
        expected);
}

TEST(Csv, AQuoteInsideAnUnquotedFieldIsAnOrdinaryByte) {
    const Rows expected = {{"1", "5\" pipe"}, {"2", "x, y"}, {"3", "\"a\"b"}, {"4", "z"}};
    EXPECT_EQ(read_text("n,w\n1,5\" pipe\n2,\"x, y\"\n3,\"a\"b\n4, \"z\" \n").value(), expected);
}

// Made by tools/goldens/csv_table.py.
TEST(Csv, AHostileFileIsReadAsPandasReadsIt) {
    const std::string folder = std::string(SUFFICE_SOURCE_DIR) + "/tests/goldens/";
    std::ifstream expected(folder + "csv_hostile_expected.txt");
    ASSERT_TRUE(expected);
    for (const std::size_t unit_bytes : {std::size_t{64}, csv_unit_bytes}) {
        expected.clear();
        expected.seekg(0);
        auto reader = open_csv({folder + "csv_hostile.csv"}, {}, false, unit_bytes).value();
        std::string line;
        for (TableUnit unit; reader->draw(unit).value();) {
            reader->decode(unit).value();
            for (std::size_t row = 0; row < unit.row_count; ++row)
                for (const Cells& cells : unit.columns) {
                    std::getline(expected, line);
                    ASSERT_EQ(as_golden(cells, row), line) << "row " << unit.first_row + row;
                }
        }
        EXPECT_FALSE(std::getline(expected, line));
    }
}

TEST(Csv, TextThatWasNeverQuotedIsReadAsItStands) {
    std::string content;
    for (int k = 0; k < 50; ++k) content += "ham\tgo now, he said\nspam\t\"win now\nham\tno \"really\" no\n";
    const Rows rows = read_text(content).value();
    ASSERT_EQ(rows.size(), 150u);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"spam", "\"win now"}));
}

TEST(Csv, RunsOfBlanksSeparateFields) {
    const Rows expected = {{"1", "2.5", "a"}, {"10", "-3", "b c"}};
    EXPECT_EQ(read_text("x   y  w\n  1 2.5\ta \n10  -3   \"b c\"\n\n").value(), expected);
}

TEST(Csv, CommentsAreSkippedWhateverTheyHold) {
    ReadOptions options;
    options.comment = '|';
    const Rows expected = {{"1", "2"}, {"3", "4"}};
    EXPECT_EQ(read_text("|1x3 Cross \"validator\na,b\n1,2\n| x, \" y\n3,4\n|end", options).value(), expected);
    EXPECT_EQ(read_text("|junk\na,b\n1,2\n|x,y\n3,4\n", options).value(), expected);
}

TEST(Csv, MissingMarksCanBeSet) {
    ReadOptions options;
    options.missing = {"-999", "none"};
    const Rows expected = {{"1", "a"}, {"<missing>", "<missing>"}, {"<missing>", "NA"}, {"<missing>", "<missing>"}};
    EXPECT_EQ(read_text("x,w\n1,a\n-999,none\n-999.0,NA\n,\n", options).value(), expected);
}

TEST(Csv, Latin1BecomesUtf8AndOtherBytesAreReplaced) {
    ReadOptions options;
    const std::string content = "n,w\n1,abc\n2,caf\xE9\n";
    EXPECT_EQ(read_text(content).value()[1][1], "caf\xEF\xBF\xBD");
    options.latin1 = true;
    EXPECT_EQ(read_text(content, options).value()[1][1], "caf\xC3\xA9");
    EXPECT_EQ(read_text("n,w\n1,abc\n2,caf\xC3\xA9\n").value()[1][1], "caf\xC3\xA9");
    EXPECT_EQ(complaint(read_text(std::string("\xFF\xFE", 2) + "a")), "the file is UTF-16; save it as UTF-8");
}

TEST(Csv, RaggedRowsAreAnErrorOrSkippedAndRemembered) {
    const std::string content = "a,b\n1,2\n\n3\n4,5\n6,7,8\n9,10\n";
    EXPECT_EQ(complaint(read_text(content)),
              "row 4: the row has 1 field, but the first has 2; use ragged = skip to leave such rows out");
    ReadOptions options;
    options.skip_ragged = true;
    const testing::TemporaryFile file(content);
    auto reader = testing::open_text(file, options).value();
    TableUnit unit;
    ASSERT_TRUE(reader->draw(unit).value());
    EXPECT_EQ(unit.row_count, 3u);
    EXPECT_EQ(unit.skipped_before, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(reader->skipped_rows(), 2u);
    EXPECT_EQ(reader->progress().rows, 5u);
}

TEST(Csv, AnUnterminatedQuoteNamesItsRow) {
    EXPECT_EQ(complaint(read_text("a,b\n1,x\n2,\"y\n3,z\n", {.quoting = true})),
              "row 3: a quote is opened in this row and never closed");
    EXPECT_EQ(complaint(read_text("\"a,b\n1,x\n", {.quoting = true})), "a quote is opened and never closed");
}

TEST(Csv, EmptyAndBlankFilesAreRefusedAndAHeaderAloneIsATableWithoutRows) {
    EXPECT_EQ(complaint(read_text("")), "the file is empty");
    EXPECT_EQ(complaint(read_text("\xEF\xBB\xBF")), "the file is empty");
    EXPECT_EQ(complaint(read_text("\n\n  \n")), "the file holds no rows");
    EXPECT_EQ(read_text("a,b\n").value(), Rows{});
    EXPECT_EQ(names_of("a,b"), (std::vector<std::string>{"a", "b"}));
}

TEST(Csv, HeadersAreFoundOrNot) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of("a,,c\n1,2,3\n"), (Names{"a", "c2", "c"}));
    EXPECT_EQ(names_of("5.1,3.5,setosa\n4.9,3.0,setosa\n"), (Names{"c1", "c2", "c3"}));
    EXPECT_EQ(names_of("39, State-gov, x\n50, Private, y\n"), (Names{"c1", "c2", "c3"}));
    EXPECT_EQ(names_of("republican,n,y\ndemocrat,y,y\nrepublican,n,n\n"), (Names{"c1", "c2", "c3"}));
    EXPECT_EQ(names_of("place,2019,2020,2021\na,1,5,3\nb,7,7,7\n"), (Names{"place", "2019", "2020", "2021"}));
    EXPECT_EQ(names_of("name,word\nx,y\nz,u\n"), (Names{"name", "word"}));
    EXPECT_EQ(names_of("1,2\n3,4\n", {.header = true}), (Names{"1", "2"}));
    EXPECT_EQ(names_of("f,g\nTRUE,a\nFALSE,b\n"), (Names{"f", "g"}));  // not "false", which is spelled otherwise here
    EXPECT_EQ(names_of("FALSE,a\nTRUE,b\nFALSE,c\n"), (Names{"c1", "c2"}));
    EXPECT_EQ(names_of("a,b\n3,4\n", {.header = false}), (Names{"c1", "c2"}));
    EXPECT_EQ(names_of("\"say \"\"x\"\"\",b\n3,4\n"), (Names{"say \"x\"", "b"}));
    EXPECT_EQ(complaint(read_text("a,b,a\n1,2,3\n")),
              "two columns are called \"a\"; rename one; or use header = false where the first row holds values");
}

TEST(Csv, KindsAreFoundByAFirstLook) {
    const auto columns = columns_of(
        "n,f,t,c,w,d,m,q\n1,0,true,red,the cat sat on it,2024-05-01,,\"1\"\n2.5,1,False,blue,a dog ran past us all,"
        "2024-05-02,NA,\"2\"\n");
    using enum ColumnKind;
    const std::vector<ColumnKind> expected = {number, flag, flag, category, text, category, number, number};
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(columns[k].kind, expected[k]) << columns[k].name;
    EXPECT_TRUE(columns[2].spelled_flag);
    EXPECT_FALSE(columns[1].spelled_flag);
    EXPECT_DOUBLE_EQ(columns[4].mean_words, 5.5);
    EXPECT_EQ(columns[3].distinct, 2u);
    EXPECT_TRUE(columns[5].looks_like_date);
    EXPECT_TRUE(columns[6].all_missing);
    EXPECT_EQ(columns[0].example, "1");
    EXPECT_EQ(read_text("n,t\n1,true\n2,FALSE\n3,?\n").value(), (Rows{{"1", "1"}, {"2", "0"}, {"3", "<missing>"}}));
}

TEST(Csv, TextInANumberColumnNamesRowAndColumnAndTheCure) {
    std::string content = "id,age\n";
    for (int k = 0; k < 200'000; ++k) content += std::to_string(k) + ",1\n";
    content += "200000,old\n";
    const auto outcome = read_text(content);
    EXPECT_EQ(
        complaint(outcome),
        "row 200002, column age: \"old\" is not a number, as the values before it are; to read the column as words "
        "use families = age=categorical, or name it with missing if it means that there is no value");
    const testing::TemporaryFile file(content);
    auto reader = testing::open_text(file).value();
    reader->want(1, true, ColumnKind::category);
    const Rows rows = testing::rows_of(*reader).value();
    EXPECT_EQ(rows.back()[1], "old");
    EXPECT_EQ(rows.front()[1], "1");
}

TEST(Csv, AColumnThatIsAllMissingAtFirstIsDecidedByItsFirstValue) {
    std::string content = "id,note,late\n";
    for (int k = 0; k < 300'000; ++k) content += std::to_string(k) + ",,?\n";
    content += "300000,\"a \"\"b\"\"\",\n300001,7,1.25\n";
    const Rows rows = read_text(content).value();
    EXPECT_EQ(rows[0], (std::vector<std::string>{"0", "<missing>", "<missing>"}));
    EXPECT_EQ(rows[300000], (std::vector<std::string>{"300000", "a \"b\"", "<missing>"}));
    EXPECT_EQ(rows[300001], (std::vector<std::string>{"300001", "7", "1.25"}));
}

TEST(Csv, ManyColumnsAndLongRowsAreRead) {
    std::string header, row;
    for (int k = 0; k < 20'000; ++k) {
        header += (k == 0 ? "x" : ",x") + std::to_string(k);
        row += (k == 0 ? "" : ",") + std::to_string(k) + ".5";
    }
    const Rows rows = read_text(header + "\n" + row + "\n" + row + "\n").value();
    ASSERT_EQ(rows.size(), 2u);
    ASSERT_EQ(rows[1].size(), 20'000u);
    EXPECT_EQ(rows[1][19'999], "19999.5");
    const std::string word(3'000'000, 'w');
    EXPECT_EQ(read_text("a,b\n1,x\n2," + word + "\n3,y\n").value()[1][1], word);
}

TEST(Csv, ARowBeyondTheLimitIsAnError) {
    std::string content = "a,b\n1,x\n2,\"";
    content.append(csv_row_limit + 1000, 'w');
    EXPECT_EQ(complaint(read_text(content + "\"\n")),
              "row 3: the row is longer than 64 MiB, the most that a row may have; is a quote left open?");
}

}  // namespace
}  // namespace suffice
