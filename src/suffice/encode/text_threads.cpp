// Starts threads for parts of work and brings back what they throw.
#include "suffice/encode/text_threads.hpp"

#include <exception>
#include <thread>
#include <vector>

namespace suffice {

void run_parts(std::size_t count, const std::function<void(std::size_t)>& act) {
    std::vector<std::exception_ptr> thrown(count);
    const auto run = [&](std::size_t part) {
        try {
            act(part);
        } catch (...) {
            thrown[part] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t part = 1; part < count; ++part) threads.emplace_back(run, part);
        if (count > 0) run(0);
    }
    for (const std::exception_ptr& each : thrown)
        if (each) std::rethrow_exception(each);
}

}  // namespace suffice
