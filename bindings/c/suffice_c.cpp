// The half of the C interface that makes models: fitted, combined and saved.
#include <cstdlib>

#include "arrow_rows.hpp"
#include "handles.hpp"
#include "settings_json.hpp"

#include "suffice/flow/algebra.hpp"
#include "suffice/flow/fit.hpp"

namespace {

using suffice::Error;
using suffice::ErrorKind;
using suffice::Model;
using suffice::Result;
using suffice::c::check_size;
using suffice::c::make;
using suffice::c::missing_argument;
using suffice::c::run;

Result<Model> fit_rows(const double* rows, std::size_t n, std::size_t d, const char* const* labels,
                       const char* settings) {
    if (auto sized = check_size(n, d); !sized) return sized.error();
    if (rows == nullptr) return missing_argument("rows");
    if (labels == nullptr) return missing_argument("labels");
    const auto options = suffice::options_from_json(settings);
    if (!options) return options.error();
    std::vector<std::string> names;
    names.reserve(n);
    for (std::size_t row = 0; row < n; ++row) names.emplace_back(labels[row] == nullptr ? "" : labels[row]);
    return suffice::fit(suffice::rows(rows, n, d), names, *options);
}

Result<Model> fit_arrow(const ArrowSchema* schema, const ArrowArray* array, const char* target, const char* settings) {
    if (schema == nullptr || array == nullptr) return missing_argument("schema and array");
    if (target == nullptr) return missing_argument("target");
    auto options = suffice::options_from_json(settings);
    if (!options) return options.error();
    options->target = target;
    const auto read = suffice::read_arrow(*schema, *array, target);
    if (!read) return read.error();
    return suffice::fit(read->table, read->labels, *options);
}

}  // namespace

extern "C" {

int suffice_save(const suffice_model* model, const char* path, suffice_error* error) {
    return run(error, [&]() -> Result<void> {
        if (model == nullptr || path == nullptr) return missing_argument("model and path");
        return suffice::save(model->model, path);
    });
}

int suffice_save_bytes(const suffice_model* model, void** bytes, size_t* size, suffice_error* error) {
    return run(error, [&]() -> Result<void> {
        if (model == nullptr || bytes == nullptr || size == nullptr) return missing_argument("model, bytes and size");
        const std::string saved = suffice::to_file_bytes(model->model.file());
        void* copy = std::malloc(saved.size());
        if (copy == nullptr) return Error(ErrorKind::io, "out of memory");
        std::memcpy(copy, saved.data(), saved.size());
        *bytes = copy;
        *size = saved.size();
        return {};
    });
}

void suffice_free_bytes(void* bytes) { std::free(bytes); }

suffice_model* suffice_fit_rows(const double* rows, size_t n, size_t d, const char* const* labels,
                                const char* settings_json, suffice_error* error) {
    return make(error, [&] { return fit_rows(rows, n, d, labels, settings_json); });
}

suffice_model* suffice_fit_arrow(const struct ArrowSchema* schema, const struct ArrowArray* array, const char* target,
                                 const char* settings_json, suffice_error* error) {
    return make(error, [&] { return fit_arrow(schema, array, target, settings_json); });
}

suffice_model* suffice_merge(const suffice_model* a, const suffice_model* b, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (a == nullptr || b == nullptr) return missing_argument("a model");
        return suffice::merge(a->model, b->model);
    });
}

suffice_model* suffice_subtract(const suffice_model* a, const suffice_model* b, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (a == nullptr || b == nullptr) return missing_argument("a model");
        return suffice::subtract(a->model, b->model);
    });
}

suffice_model* suffice_decay(const suffice_model* model, double factor, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (model == nullptr) return missing_argument("model");
        return suffice::decay(model->model, factor);
    });
}

suffice_model* suffice_derive(const suffice_model* model, const char* settings_json, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (model == nullptr) return missing_argument("model");
        const auto options = suffice::options_from_json(settings_json);
        if (!options) return options.error();
        return suffice::derive(model->model, *options);
    });
}

}  // extern "C"
