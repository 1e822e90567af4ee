// The same table, however it is cut, packed, piped or shared among threads.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <zlib.h>
#include <zstd.h>

#include "read/table_text.hpp"
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "suffice/read/csv_reader.hpp"

namespace suffice {
namespace {

using testing::complaint;
using testing::Rows;
using testing::rows_of;
using testing::TemporaryFile;

std::string mixed_table(int rows, bool hostile) {
    std::mt19937_64 random(7);
    std::string text = "id,x,word,note\n";
    const char* const words[] = {"red",    "NA",   "\"a,b\"",    "\"two\nlines\"", "\"say \"\"x\"\"\"",
                                 " blue ", "\"\"", "caf\xC3\xA9"};
    const char* const odd[] = {"5\" pipe", " \"z\" ", "\"a\"b"};
    for (int k = 0; k < rows; ++k) {
        text += std::to_string(k) + "," + std::to_string(static_cast<double>(random() >> 40) / 77) + ",";
        text += hostile && random() % 20 == 0 ? odd[random() % 3] : words[random() % 8];
        text += random() % 3 == 0 ? ",?" : ",yes";
        text += k % 5 == 0 ? "\r\n" : "\n";
        if (k % 97 == 0) text += "\n";
    }
    return text;
}

std::string gzip(const std::string& text) {
    std::string packed(::compressBound(text.size()) + 64, '\0');
    z_stream stream{};
    ::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
}

std::string zstd(const std::string& text) {
    std::string packed(::ZSTD_compressBound(text.size()), '\0');
    packed.resize(::ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

// Several threads draw in turn and decode side by side; rows are put back in order of units.
Rows rows_by_threads(TableReader& reader, unsigned threads) {
    std::mutex turn, keep;
    std::vector<Rows> of_unit;
    const auto work = [&] {
        TableUnit unit;
        for (;;) {
            {
                const std::lock_guard lock(turn);
                if (!reader.draw(unit).value()) return;
            }
            reader.decode(unit).value();
            Rows rows(unit.row_count);
            for (std::size_t row = 0; row < unit.row_count; ++row)
                for (const Cells& cells : unit.columns) rows[row].push_back(testing::written(cells, row));
            const std::lock_guard lock(keep);
            if (of_unit.size() <= unit.index) of_unit.resize(unit.index + 1);
            of_unit[unit.index] = std::move(rows);
        }
    };
    std::vector<std::thread> others;
    for (unsigned k = 1; k < threads; ++k) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    Rows all;
    for (Rows& rows : of_unit) all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

TEST(Units, AnySizeOfUnitGivesTheSameTable) {
    for (const bool hostile : {false, true}) {
        const TemporaryFile file(mixed_table(2000, hostile));
        const Rows whole = rows_of(*testing::open_text(file).value()).value();
        ASSERT_EQ(whole.size(), 2000u);
        for (const std::size_t bytes : {16u, 63u, 64u, 100u, 1000u, 4096u, 65536u})
            EXPECT_EQ(rows_of(*testing::open_text(file, {}, bytes).value()).value(), whole) << bytes;
    }
}

TEST(Units, AnyNumberOfThreadsGivesTheSameTable) {
    const TemporaryFile file(mixed_table(20'000, true));
    const Rows whole = rows_of(*testing::open_text(file).value()).value();
    for (const unsigned threads : {1u, 2u, 3u})
        EXPECT_EQ(rows_by_threads(*testing::open_text(file, {}, 4096).value(), threads), whole) << threads;
}

TEST(Units, RowsAndLinesAreCountedThrough) {
    const TemporaryFile file("a,b\n1,\"x\ny\"\n\n2,z\n3,\"u\"\n");
    auto reader = testing::open_text(file, {}, 8).value();
    std::vector<std::uint64_t> first_rows, first_lines;
    for (TableUnit unit; reader->draw(unit).value();) {
        first_rows.push_back(unit.first_row);
        first_lines.push_back(unit.first_line);
    }
    EXPECT_EQ(first_rows, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(first_lines, (std::vector<std::uint64_t>{2, 4, 6}));
}

TEST(Units, PackedFilesGiveTheSameTable) {
    const std::string text = mixed_table(5000, false);
    const Rows whole = testing::read_text(text).value();
    EXPECT_EQ(testing::read_text(gzip(text)).value(), whole);
    EXPECT_EQ(testing::read_text(zstd(text)).value(), whole);
    const std::size_t half = text.size() / 2;
    EXPECT_EQ(testing::read_text(gzip(text.substr(0, half)) + gzip(text.substr(half))).value(), whole);
    EXPECT_EQ(testing::read_text(zstd(text.substr(0, half)) + zstd(text.substr(half))).value(), whole);
}

TEST(Units, CutOffAndDamagedPackingIsNamed) {
    const std::string text = mixed_table(50'000, false);
    for (std::string packed : {gzip(text), zstd(text)}) {
        const std::string name = packed[0] == '\x1f' ? "gzip" : "zstd";
        EXPECT_EQ(complaint(testing::read_text(packed.substr(0, packed.size() / 2))),
                  "the file ends in the middle of its " + name + " data; it was cut off");
        EXPECT_EQ(complaint(testing::read_text(packed.substr(0, packed.size() - 1))),
                  "the file ends in the middle of its " + name + " data; it was cut off");
        if (name == "gzip") packed[packed.size() - 6] ^= 1;  // in its checksum, which comes last
        if (name == "zstd")
            for (std::size_t k = 0; k < 200; ++k) packed[packed.size() / 2 + k] ^= 0x55;
        EXPECT_EQ(complaint(testing::read_text(packed)), "the " + name + " data of the file is damaged");
    }
    const TemporaryFile file("PK\x03\x04 something");
    const auto opened = open_table({file.name()}, {});
    EXPECT_NE(opened.error().message.find("zip archive"), std::string::npos);
}

TEST(Units, APipeGivesTheSameTableTwice) {
    const std::string text = mixed_table(5000, true);
    const Rows whole = testing::read_text(text).value();
    const std::string name = "/tmp/suffice-pipe-" + std::to_string(::getpid());
    for (const std::string& bytes : {text, gzip(text)}) {
        ::unlink(name.c_str());
        ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
        std::thread writer([&] {  // in small pieces, as pipes do
            const int pipe = ::open(name.c_str(), O_WRONLY);
            for (std::size_t at = 0; at < bytes.size();) {
                const ssize_t done = ::write(pipe, bytes.data() + at, std::min<std::size_t>(777, bytes.size() - at));
                if (done <= 0) break;
                at += static_cast<std::size_t>(done);
            }
            ::close(pipe);
        });
        auto reader = open_csv({name}, {}, true, 1000).value();
        TableUnit unit;
        ASSERT_TRUE(reader->draw(unit).value());
        reader->rewind().value();  // before its end
        EXPECT_EQ(rows_of(*reader).value(), whole);
        writer.join();
        reader->rewind().value();
        EXPECT_EQ(rows_of(*reader).value(), whole);
    }
    ::unlink(name.c_str());
}

TEST(Units, SeveralFilesAreOneTableWhateverTheOrderOfTheirColumns) {
    const TemporaryFile one("a,b\n1,x\n2,y\n"), two("b,a\nz,3\n"), three("a,c\n1,2\n"), four("a,b,c\n1,x,2\n");
    auto reader = open_csv({one.name(), two.name()}, {}, false).value();
    const Rows expected = {{"1", "x"}, {"2", "y"}, {"3", "z"}};
    EXPECT_EQ(rows_of(*reader).value(), expected);
    reader->rewind().value();
    EXPECT_EQ(rows_of(*reader).value(), expected);
    EXPECT_EQ(reader->progress().bytes, reader->progress().total_bytes);
    EXPECT_EQ(complaint(rows_of(*open_csv({one.name(), three.name()}, {}, false).value())),
              "the file has no column \"b\", which " + one.name() +
                  " has; use allow_missing_columns = true to treat it as missing");
    EXPECT_EQ(complaint(rows_of(*open_csv({one.name(), four.name()}, {}, false).value())),
              "the file has a column \"c\", which " + one.name() +
                  " has not; use allow_missing_columns = true to treat it as missing");
}

TEST(Units, AColumnThatSomeFileLacksIsMissingThereWhicheverFileComesFirst) {
    const TemporaryFile one("a,b\n1,x\n"), two("c,a\n7.5,2\n"), three("b\ny\n");
    ReadOptions options;
    options.missing_columns = true;
    std::vector<std::string> files = {one.name(), two.name(), three.name()};
    std::ranges::sort(files);
    do {
        auto reader = open_csv(files, options, false).value();
        std::map<std::string, std::vector<std::string>> values;
        for (const auto& row : rows_of(*reader).value())
            for (std::size_t k = 0; k < row.size(); ++k) values[reader->columns()[k].name].push_back(row[k]);
        for (auto& [name, column] : values) std::ranges::sort(column);
        EXPECT_EQ(values["a"], (std::vector<std::string>{"1", "2", "<missing>"}));
        EXPECT_EQ(values["b"], (std::vector<std::string>{"<missing>", "x", "y"}));
        EXPECT_EQ(values["c"], (std::vector<std::string>{"7.5", "<missing>", "<missing>"}));
        for (const auto& column : reader->columns()) EXPECT_NE(column.lacked_by, "") << column.name;
    } while (std::ranges::next_permutation(files).found);
}

TEST(Units, UnwantedColumnsAreLeftOut) {
    const TemporaryFile file("a,b,c\n1,x,2\n3,y,4\n");
    auto reader = testing::open_text(file).value();
    reader->want(1, false, ColumnKind::category);
    reader->want(2, true, ColumnKind::category);
    EXPECT_EQ(rows_of(*reader).value(), (Rows{{"1", "2"}, {"3", "4"}}));
}

TEST(Units, PathsAreExpandedInByteOrderAndTroubleIsNamed) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("suffice-paths-" + std::to_string(::getpid()));
    fs::create_directories(folder / "empty");
    for (const auto& [name, value] : {std::pair{"b.csv", "2"}, {"a.csv", "1"}, {"B.csv", "0"}, {"notes.md", "9"}})
        std::ofstream(folder / name) << "a,b\n" << value << ",x\n";
    const auto first_column = [](const std::vector<std::string>& paths) {
        std::string text;
        for (const auto& row : rows_of(*open_table(paths, {}).value()).value()) text += row[0];
        return text;
    };
    EXPECT_EQ(first_column({folder.string()}), "012");
    EXPECT_EQ(first_column({(folder / "[ab].csv").string()}), "12");
    EXPECT_EQ(first_column({(folder / "b.csv").string(), (folder / "a.csv").string()}), "21");
    EXPECT_EQ(complaint(open_table({(folder / "none.csv").string()}, {})), "there is no such file");
    EXPECT_EQ(complaint(open_table({(folder / "*.tsv").string()}, {})), "no file matches this pattern");
    EXPECT_NE(complaint(open_table({(folder / "empty").string()}, {})).find("holds no data"), std::string::npos);
    EXPECT_NE(complaint(open_table({}, {})).find("no data was named"), std::string::npos);
    std::ofstream(folder / "p.parquet") << "PAR1....PAR1";
    // With Arrow the file is found damaged; without it, the sentence says how to get it.
    const std::string refused = complaint(open_table({(folder / "p.parquet").string()}, {}));
    EXPECT_TRUE(refused.find("cannot be read") != std::string::npos ||
                refused.find("SUFFICE_ARROW") != std::string::npos)
        << refused;
    fs::remove_all(folder);
}

}  // namespace
}  // namespace suffice
