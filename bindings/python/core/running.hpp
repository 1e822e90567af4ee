// How the library runs when Python calls it: without the interpreter's lock, stopped by Ctrl-C, Errors as exceptions.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"

namespace suffice::python {

namespace nb = nanobind;

// Input -> ValueError, usage -> TypeError, singular -> LinAlgError, and so on for every kind of Error.
void bind_errors(nb::module_& module);

// Computes without the lock. While the main thread computes, SIGINT also sets a flag that passes look at.
class Running {
public:
    explicit Running(int thread_count);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    const Context& context() const { return context_; }

private:
    Context context_;
    bool watching_ = false;
};

// 0 or less: as many as the process may use, or SUFFICE_THREADS.
unsigned thread_count_of(int wanted);

}  // namespace suffice::python
