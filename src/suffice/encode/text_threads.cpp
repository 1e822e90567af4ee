// Starts threads for parts of work and brings back what they throw.
#include "suffice/encode/text_threads.hpp"

#include <atomic>
#include <exception>
#include <vector>

#include "suffice/base/together.hpp"

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
    std::atomic<std::size_t> next{0};
    if (count > 0) together(count, [&] { run(next++); });
    for (const std::exception_ptr& each : thrown)
        if (each) std::rethrow_exception(each);
}

}  // namespace suffice
