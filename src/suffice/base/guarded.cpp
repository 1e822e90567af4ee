// Turns exceptions into Errors.
#include "suffice/base/guarded.hpp"

#include <stdexcept>
#include <system_error>

namespace suffice {
namespace {

// A sentence that is held within its string: there may be no memory for any other.
Error out_of_memory() { return {ErrorKind::io, "out of memory"}; }

// Of what was thrown; throws where there is no memory for its sentence.
Error told_error() {
    try {
        throw;
    } catch (const Exception& known) {
        return known.error();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (const std::length_error&) {  // what containers throw for sizes beyond all memory
        return out_of_memory();
    } catch (const std::system_error& problem) {  // threads
        return {ErrorKind::io, std::string("the machine refused: ") + problem.what()};
    } catch (const std::exception& problem) {
        return {ErrorKind::internal, std::string("this should not happen: ") + problem.what()};
    } catch (...) {
        return {ErrorKind::internal, "something unknown was thrown"};
    }
}

}  // namespace

Error caught_error() {
    try {
        return told_error();
    } catch (const std::exception&) {
        return out_of_memory();
    }
}

}  // namespace suffice
