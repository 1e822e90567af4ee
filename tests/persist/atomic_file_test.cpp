// Files that appear whole or not at all.
#include "suffice/persist/atomic_file.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace suffice {
namespace {

namespace fs = std::filesystem;

// Both ways: a file without a name, and one beside the target where the file system has no such files.
class AtomicFiles : public ::testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "suffice-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        path_ = (folder_ / "m.suf").string();
    }
    void TearDown() override { fs::remove_all(folder_); }
    Result<std::unique_ptr<AtomicFile>> open() const { return AtomicFile::open(path_, GetParam()); }
    Result<void> write(const std::string& content) const {
        auto file = open();
        if (!file) return file.error();
        if (auto written = (*file)->write(content); !written) return written;
        return (*file)->commit();
    }
    std::string content() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
    std::string path_;
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAName, AtomicFiles, ::testing::Bool(),
                         [](const auto& about) { return about.param ? "nameless" : "beside"; });

TEST_P(AtomicFiles, ReplaceTheOldOneAtCommitAndKeepItsMode) {
    ASSERT_TRUE(write("first"));
    ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
    {
        auto file = open().value();
        ASSERT_TRUE(file->write("second"));
        EXPECT_EQ(content(), "first");
        ASSERT_TRUE(file->commit());
    }
    EXPECT_EQ(content(), "second");
    EXPECT_EQ(count(), 1u);
    struct stat about{};
    ASSERT_EQ(::stat(path_.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0640u);
}

TEST_P(AtomicFiles, LeaveNothingBehindWithoutCommit) {
    {
        ASSERT_TRUE(open().value()->write("never"));
    }
    EXPECT_EQ(count(), 0u);
}

TEST_P(AtomicFiles, AKilledWriterLeavesTheOldOneAndNothingElseAfterTheNextWrite) {
    ASSERT_TRUE(write("old"));
    const pid_t child = ::fork();
    if (child == 0) {
        auto file = open();
        if (file && (*file)->write("half of the new o")) ::raise(SIGKILL);
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(content(), "old");
    EXPECT_LE(count(), 2u);  // one where there are files without a name
    ASSERT_TRUE(write("new"));
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(count(), 1u);
}

TEST_P(AtomicFiles, TwoWritersAtOnceBothFinish) {
    auto one = open().value(), two = open().value();
    ASSERT_TRUE(one->write("one") && two->write("two"));
    ASSERT_TRUE(one->commit());
    EXPECT_EQ(content(), "one");
    ASSERT_TRUE(two->commit());
    EXPECT_EQ(content(), "two");
    one.reset();
    two.reset();
    EXPECT_EQ(count(), 1u);
}

TEST_P(AtomicFiles, ManyWritersAtOnceAllFinishAndOneOfThemWins) {
    constexpr int writers = 8, turns = 60;
    std::atomic<int> refused = 0;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < writers; ++writer)
        threads.emplace_back([&, writer] {
            for (int turn = 0; turn < turns; ++turn)
                if (!write(std::string(2000, static_cast<char>('a' + writer)))) ++refused;
        });
    for (int turn = 0; turn < 200; ++turn) {
        const std::string now = content();
        EXPECT_TRUE(now.empty() || now == std::string(2000, now[0]));
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(content().size(), 2000u);
    EXPECT_EQ(count(), 1u);
}

TEST_P(AtomicFiles, TheMaskOfTheProcessIsKeptAndHonoured) {
    const mode_t before = ::umask(027);
    ASSERT_TRUE(write("masked"));
    EXPECT_EQ(::umask(before), 027u);
    struct stat about{};
    ASSERT_EQ(::stat(path_.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0640u);
}

// Two writers are killed again and again; what is there is always one of their files, whole.
TEST_P(AtomicFiles, KilledWritersNeverLeaveHalfAFile) {
    ASSERT_TRUE(write(std::string(50000, 'a')));
    const char* wanted = std::getenv("SUFFICE_KILLS");
    const int kills = wanted != nullptr ? std::atoi(wanted) : 40;
    for (int turn = 0; turn < kills; ++turn) {
        pid_t children[2];
        for (int k = 0; k < 2; ++k)
            if ((children[k] = ::fork()) == 0)
                for (;;)
                    if (!write(std::string(50000, static_cast<char>('b' + k)))) ::_exit(1);
        ::usleep(static_cast<useconds_t>(500 + turn % 37 * 100));
        for (const pid_t child : children) ::kill(child, SIGKILL);
        for (const pid_t child : children) {
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            EXPECT_TRUE(WIFSIGNALED(status)) << "a save failed";
        }
        const std::string now = content();
        ASSERT_EQ(now, std::string(50000, now.empty() ? '?' : now[0]));
    }
    ASSERT_TRUE(write("whole"));
    EXPECT_EQ(content(), "whole");
}

TEST_P(AtomicFiles, WhatAKillBetweenItsTwoStepsLeftIsTakenAwayByTheNextWrite) {
    ASSERT_TRUE(write("old"));
    std::ofstream(path_ + ".suffice-unfinished") << "whole, but not renamed yet";
    ASSERT_TRUE(write("new"));
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(count(), 1u);
}

TEST_P(AtomicFiles, ALinkStaysALinkAndWhatItPointsAtIsReplaced) {
    ASSERT_TRUE(write("old"));
    const std::string real = path_;
    path_ = (folder_ / "latest.suf").string();
    fs::create_symlink(real, path_);
    ASSERT_TRUE(write("new"));
    EXPECT_TRUE(fs::is_symlink(path_));
    path_ = real;
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(count(), 2u);
}

TEST_P(AtomicFiles, AFolderThatIsNotThereIsASentence) {
    path_ = (folder_ / "none" / "m.suf").string();
    const auto refused = write("x");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::io);
    EXPECT_EQ(refused.error().message, "cannot write: No such file or directory");
}

}  // namespace
}  // namespace suffice
