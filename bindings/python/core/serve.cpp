// The server of `suffice serve` within this process, on threads that never touch the interpreter.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/bind.hpp"
#include "core/running.hpp"
#include "server/options.hpp"
#include "server/server.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace suffice::python {
namespace {

class InProcess {
public:
    using Words = std::vector<std::pair<std::string, std::string>>;

    InProcess(std::vector<std::string> models, const Words& given, int threads) {
        options_.models = std::move(models);
        options_.threads = thread_count_of(threads);
        options_.stops_on_signals = false;
        for (const auto& [name, value] : given)
            if (auto set = server::set_option(options_, name, value); !set)
                throw Exception(Error(ErrorKind::usage, name.substr(2) + " " + set.error().message));
        const nb::gil_scoped_release release;
        thread_ = std::thread([this] { run(); });
        std::unique_lock lock(guard_);
        changed_.wait(lock, [&] { return ended_ || !address_.empty(); });
        if (!ended_ || result_) return;
        lock.unlock();
        thread_.join();
        throw Exception(result_.error());
    }
    InProcess(const InProcess&) = delete;
    InProcess& operator=(const InProcess&) = delete;
    ~InProcess() {
        if (!thread_.joinable()) return;
        const nb::gil_scoped_release release;
        stop_();
        thread_.join();
    }

    const std::string& address() const { return address_; }
    void stop() const { stop_(); }
    // Whether it has ended within these seconds; an Error of its end is thrown.
    bool wait(double seconds) {
        const nb::gil_scoped_release release;
        std::unique_lock lock(guard_);
        if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return ended_; })) return false;
        if (!result_) throw Exception(result_.error());
        return true;
    }
    std::vector<std::string> said() {
        const std::scoped_lock lock(guard_);
        return std::exchange(said_, {});
    }

private:
    void run() {
        auto result = server::serve(
            options_,
            [this](std::string_view line) {
                const std::scoped_lock lock(guard_);
                said_.emplace_back(line);
            },
            [this](const std::string& address, std::function<void()> stop) {
                const std::scoped_lock lock(guard_);
                address_ = address;
                stop_ = std::move(stop);
                changed_.notify_all();
            });
        const std::scoped_lock lock(guard_);
        result_ = std::move(result);
        ended_ = true;
        changed_.notify_all();
    }

    server::ServerOptions options_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::string address_;
    std::function<void()> stop_ = [] {};
    std::vector<std::string> said_;
    Result<void> result_ = {};
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace

void bind_serve(nb::module_& module) {
    nb::class_<InProcess>(module, "InProcessServer")
        .def(nb::init<std::vector<std::string>, const InProcess::Words&, int>())
        .def_prop_ro("address", &InProcess::address)
        .def("stop", &InProcess::stop)
        .def("wait", &InProcess::wait)
        .def("said", &InProcess::said);
    module.def("server_options", [] {
        nb::list all;
        for (const auto& each : server::option_texts)
            all.append(nb::make_tuple(nb::str(each.name.data(), each.name.size()),
                                      nb::str(each.value.data(), each.value.size()),
                                      nb::str(each.help.data(), each.help.size())));
        return all;
    });
}

}  // namespace suffice::python
