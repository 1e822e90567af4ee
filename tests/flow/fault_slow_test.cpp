// Every allocation, read, write, fsync and rename fails in turn while models are fitted, saved and loaded: an Error
// comes out, nothing is thrown, the old file stays whole and nothing is left beside it. The leak sanitizer of the debug
// build sees what would be lost on the way.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/base/guarded.hpp"
#include "suffice/base/record.hpp"
#include "suffice/flow/algebra.hpp"
#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/predict.hpp"
#include "suffice/flow/update.hpp"

namespace {

enum class Call : unsigned { none, allocate, write, fsync, rename, link, read };
enum class Way : unsigned { once, from_then_on, interrupted, half };

std::atomic<Call> armed{Call::none};
std::atomic<Way> way{Way::once};
std::atomic<long> left{0};  // calls until the one that fails

bool fails_now(Call call) {
    if (armed.load(std::memory_order_relaxed) != call) return false;
    const long before = left.fetch_sub(1);
    return before == 0 || (before < 0 && way.load() == Way::from_then_on);
}

template <class Function>
Function* next_of(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// -1 with an errno, or less than was asked for.
template <class Real>
ssize_t faulty(std::size_t size, int problem, const Real& real) {
    if (way.load() == Way::half) return real(size > 1 ? size / 2 : size);
    errno = way.load() == Way::interrupted ? EINTR : problem;
    return -1;
}

void* allocated(std::size_t size, std::size_t alignment) {
    if (fails_now(Call::allocate)) return nullptr;
    return alignment == 0 ? std::malloc(size == 0 ? 1 : size)
                          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* or_throw(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return or_throw(allocated(size, 0)); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return or_throw(allocated(size, 0)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t to) {
    return or_throw(allocated(size, static_cast<std::size_t>(to)));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t to) {
    return or_throw(allocated(size, static_cast<std::size_t>(to)));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated(size, 0); }
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocated(size, 0); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
    static auto* const real = next_of<decltype(write)>("write");
    if (!fails_now(Call::write)) return real(file, bytes, size);
    return faulty(size, ENOSPC, [&](std::size_t less) { return real(file, bytes, less); });
}

ssize_t read(int file, void* bytes, size_t size) {
    static auto* const real = next_of<decltype(read)>("read");
    if (!fails_now(Call::read)) return real(file, bytes, size);
    return faulty(size, EIO, [&](std::size_t less) { return real(file, bytes, less); });
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
    static auto* const real = next_of<decltype(pread)>("pread");
    if (!fails_now(Call::read)) return real(file, bytes, size, at);
    return faulty(size, EIO, [&](std::size_t less) { return real(file, bytes, less, at); });
}

int fsync(int file) {
    static auto* const real = next_of<decltype(fsync)>("fsync");
    return fails_now(Call::fsync) ? (errno = EIO, -1) : real(file);
}

int rename(const char* from, const char* to) noexcept {
    static auto* const real = next_of<int(const char*, const char*)>("rename");
    return fails_now(Call::rename) ? (errno = EACCES, -1) : real(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
    static auto* const real = next_of<int(int, const char*, int, const char*, int)>("linkat");
    return fails_now(Call::link) ? (errno = EACCES, -1) : real(from_folder, from, to_folder, to, flags);
}

}  // extern "C"

namespace suffice {
namespace {

namespace fs = std::filesystem;

// Work that an Error may come out of; anything thrown ends the test.
using Work = std::function<bool()>;

struct Tried {
    long calls = 0, errors = 0;
};

// The work with its first call failing, its second, ... until it is done before one does; `after` sees each outcome.
// Of long work without it only all of the first hundred fail, and then ever fewer; SUFFICE_EVERY_FAULT=1 asks for all.
Tried fail_in_turn(Call call, Way how, const Work& work, const std::function<void(bool)>& after = {}) {
    const bool every = after || std::getenv("SUFFICE_EVERY_FAULT") != nullptr;
    Tried tried;
    way = how;
    for (long at = 0;; at += every || at < 100 ? 1 : at / 30) {
        left = at;
        armed = call;
        const bool done = work();
        armed = Call::none;
        ++tried.calls;
        tried.errors += !done;
        if (after) after(done);
        if (left.load() >= 0) return tried;  // none was left to fail
    }
}

class Faults : public testing::Test {
protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("suffice_faults_" + std::to_string(::getpid()));
        fs::create_directories(folder);
        std::ofstream rows(folder / "rows.csv");
        rows << "x,y,colour,kind\n";
        for (int k = 0; k < 60; ++k)
            rows << k % 7 + k % 2 << ',' << 0.5 * (k % 5) << ',' << "rgb"[k % 3] << ',' << "ab"[k % 2] << '\n';
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string path(const char* name) const { return (folder / name).string(); }
    Result<Model> fitted(const char* model) const {
        return fit({path("rows.csv")}, {.target = "kind", .model = model});
    }
    std::string bytes(const char* name) const {
        std::ifstream file(folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t file_count() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    fs::path folder;
};

class FaultsOf : public Faults, public testing::WithParamInterface<const char*> {};

TEST_P(FaultsOf, AllocationsOfFitAreErrors) {
    const Data data{path("rows.csv")};
    const FitOptions options{.target = "kind", .model = GetParam()};
    for (const Way how : {Way::once, Way::from_then_on})
        for (const unsigned threads : {1u, 2u}) {
            Context context;
            context.thread_count = threads;
            const auto tried = fail_in_turn(Call::allocate, how, [&] { return bool(fit(data, options, context)); });
            EXPECT_GT(tried.errors, 50) << GetParam();
        }
}

INSTANTIATE_TEST_SUITE_P(Models, FaultsOf, testing::Values("naive_bayes", "qda", "logistic_regression"));

TEST(CaughtError, IsAnErrorWithoutMemoryForItsSentence) {
    const Work work = [] {
        return bool(
            guarded([]() -> Result<void> { throw std::runtime_error("a sentence too long to be held in place"); }));
    };
    const auto tried = fail_in_turn(Call::allocate, Way::from_then_on, work);
    EXPECT_EQ(tried.errors, tried.calls);
    EXPECT_GT(tried.calls, 2);
}

TEST(Record, IsCopiedWholeOrNotAtAll) {
    const Record record{{{"rate", 1.0}, {"shares", std::vector<double>(40, 0.025)}}};
    const Work work = [&] { return bool(guarded([&]() -> Result<Record> { return Record(record); })); };
    EXPECT_EQ(fail_in_turn(Call::allocate, Way::once, work).errors, 2);
}

TEST_F(Faults, AllocationsOfSaveAndLoadAreErrors) {
    const Model model = fitted("naive_bayes").value(), other = fitted("qda").value();
    const std::string target = path("m.suf");
    save(model, target).value();
    const std::string before = bytes("m.suf");
    for (const Way how : {Way::once, Way::from_then_on}) {
        const auto saved = fail_in_turn(
            Call::allocate, how, [&] { return bool(save(other, target)); },
            [&](bool done) {
                if (done) return save(model, path("m.suf")).value();
                EXPECT_TRUE(bytes("m.suf") == before);
                EXPECT_EQ(file_count(), 2u);
            });
        EXPECT_GT(saved.errors, 10);
        const auto loaded = fail_in_turn(Call::allocate, how, [&] { return bool(load(target)); });
        EXPECT_GT(loaded.errors, 50);
    }
}

TEST_F(Faults, AllocationsOfWhatIsDoneWithAModelAreErrors) {
    const Model model = fitted("naive_bayes").value();
    const Data data{path("rows.csv")};
    const auto all = [&](const Work& work) {
        EXPECT_GT(fail_in_turn(Call::allocate, Way::once, work).errors, 10);
        EXPECT_GT(fail_in_turn(Call::allocate, Way::from_then_on, work).errors, 10);
    };
    const PredictOptions predicting;
    const ApplyOptions applying;
    all([&] { return bool(predict(model, data, predicting)); });
    all([&] { return bool(evaluate(model, data, applying)); });
    all([&] { return bool(update(model, data, applying)); });
    all([&] { return bool(merge(model, model)); });
}

TEST_F(Faults, FailedWritesLeaveTheOldFile) {
    const Model model = fitted("naive_bayes").value(), other = fitted("qda").value();
    save(other, path("n.suf")).value();
    save(model, path("m.suf")).value();
    const std::string before = bytes("m.suf"), after = bytes("n.suf"), target = path("m.suf");
    const auto save_other = [&] { return bool(save(other, target)); };
    const auto whole = [&](bool done) {
        EXPECT_TRUE(bytes("m.suf") == (done ? after : before));
        EXPECT_EQ(file_count(), 3u);
        save(model, path("m.suf")).value();
    };
    for (const Call call : {Call::write, Call::fsync, Call::rename, Call::link})
        EXPECT_EQ(fail_in_turn(call, Way::from_then_on, save_other, whole).errors, 1) << static_cast<unsigned>(call);
    // A system call that did less, or was interrupted, is no failure.
    EXPECT_EQ(fail_in_turn(Call::write, Way::half, save_other, whole).errors, 0);
    EXPECT_EQ(fail_in_turn(Call::write, Way::interrupted, save_other, whole).errors, 0);
}

TEST_F(Faults, FailedReadsAreErrors) {
    const Model model = fitted("naive_bayes").value();
    save(model, path("m.suf")).value();
    const std::string target = path("m.suf");
    const Data data{path("rows.csv")};
    const FitOptions options{.target = "kind"};
    const auto load_it = [&] { return bool(load(target)); };
    const auto fit_it = [&] { return bool(fit(data, options)); };
    for (const Work& work : {Work(load_it), Work(fit_it)}) {
        const auto failed = fail_in_turn(Call::read, Way::from_then_on, work);
        EXPECT_EQ(failed.errors, failed.calls - 1);
        EXPECT_GT(failed.errors, 0);
        EXPECT_EQ(fail_in_turn(Call::read, Way::half, work).errors, 0);
        EXPECT_EQ(fail_in_turn(Call::read, Way::interrupted, work).errors, 0);
    }
}

}  // namespace
}  // namespace suffice
