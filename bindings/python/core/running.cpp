// Translates Errors, and lets Ctrl-C through while the interpreter's lock is not held.
#include "core/running.hpp"

#include <atomic>
#include <csignal>
#include <unistd.h>

#include "core/spelling.hpp"
#include <sys/syscall.h>

namespace suffice::python {
namespace {

std::atomic<bool> interrupted{false};
struct sigaction python_action;
std::atomic<int> watchers{0};
std::atomic<int> thread_limit{0};  // set by threadpoolctl; 0: none

// Python's own handler notes the signal; this one also stops the pass that is under way.
void on_interrupt(int signal) {
    interrupted = true;
    if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN) python_action.sa_handler(signal);
}

bool in_main_thread() { return syscall(SYS_gettid) == getpid(); }

// What was asked cannot be. Wrong values and wrong types are often one (a list where one number is allowed), so it is
// both kinds of error of Python, as scikit-learn's InvalidParameterError is.
PyObject* usage_error = nullptr;

nb::object exception_type(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::input:
            return nb::borrow(PyExc_ValueError);
        case ErrorKind::usage:
            return nb::borrow(usage_error);
        case ErrorKind::singular:
            return nb::module_::import_("numpy.linalg").attr("LinAlgError");
        case ErrorKind::not_fitted:
            return nb::module_::import_("sklearn.exceptions").attr("NotFittedError");
        case ErrorKind::io:
            return nb::borrow(PyExc_OSError);
        case ErrorKind::cancelled:
            return nb::borrow(PyExc_KeyboardInterrupt);
        case ErrorKind::internal:
            break;
    }
    return nb::borrow(PyExc_RuntimeError);
}

}  // namespace

void bind_errors(nb::module_& module) {
    const nb::tuple both = nb::make_tuple(nb::borrow(PyExc_ValueError), nb::borrow(PyExc_TypeError));
    usage_error = PyErr_NewExceptionWithDoc("suffice.UsageError",
                                            "What was asked cannot be: a wrong value, or nothing the model can do.",
                                            both.ptr(), nullptr);
    module.attr("UsageError") = nb::borrow(usage_error);
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Exception& exception) {
            if (exception.error().kind == ErrorKind::cancelled && PyErr_CheckSignals() != 0) return;
            const std::string sentence = exception.error().sentence(spell_keyword);
            PyErr_SetString(exception_type(exception.error().kind).ptr(), sentence.c_str());
        }
    });
}

unsigned thread_count_of(int wanted) {
    if (wanted > 0) return static_cast<unsigned>(wanted);
    const int limit = thread_limit;
    return limit > 0 ? static_cast<unsigned>(limit) : default_thread_count();
}

Running::Running(int thread_count) {
    context_.thread_count = thread_count_of(thread_count);
    context_.cancelled = &interrupted;
    if (in_main_thread() && watchers.fetch_add(1) == 0) {
        watching_ = true;
        interrupted = false;
        struct sigaction ours = {};
        ours.sa_handler = on_interrupt;
        sigemptyset(&ours.sa_mask);
        sigaction(SIGINT, &ours, &python_action);
    } else if (in_main_thread()) {
        watchers.fetch_sub(1);
    } else {
        context_.cancelled = nullptr;
    }
}

Running::~Running() {
    if (!watching_) return;
    sigaction(SIGINT, &python_action, nullptr);
    watchers.fetch_sub(1);
}

}  // namespace suffice::python

// What threadpoolctl looks for in a shared library.
extern "C" {
__attribute__((visibility("default"))) void suffice_set_num_threads(int count) {
    suffice::python::thread_limit = count == static_cast<int>(suffice::default_thread_count()) ? 0 : count;
}
__attribute__((visibility("default"))) int suffice_get_num_threads() {
    return static_cast<int>(suffice::python::thread_count_of(0));
}
}
