// Files that appear whole or not at all.
#include "suffice/persist/atomic_file.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

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
