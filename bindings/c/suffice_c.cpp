// The C interface: arguments checked, results in handles, whatever is thrown or refused as a code and a sentence.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "arrow_rows.hpp"
#include "settings_json.hpp"
#include "suffice.h"

#include "suffice/base/guarded.hpp"
#include "suffice/flow/algebra.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/row_scorer.hpp"

struct suffice_model {
    suffice::Model model;
};

struct suffice_scorer {
    suffice::RowScorer scorer;
};

namespace {

using suffice::Error;
using suffice::ErrorKind;
using suffice::Model;
using suffice::Result;

int code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::input:
            return SUFFICE_BAD_INPUT;
        case ErrorKind::usage:
            return SUFFICE_BAD_USAGE;
        case ErrorKind::singular:
            return SUFFICE_SINGULAR;
        case ErrorKind::not_fitted:
            return SUFFICE_NOT_FITTED;
        case ErrorKind::io:
            return SUFFICE_MACHINE;
        case ErrorKind::cancelled:
            return SUFFICE_CANCELLED;
        case ErrorKind::internal:
            break;
    }
    return SUFFICE_INTERNAL;
}

void clear(suffice_error* error) {
    if (error == nullptr) return;
    error->code = SUFFICE_OK;
    error->message[0] = '\0';
}

// A sentence that is too long is cut between characters.
int tell(suffice_error* error, int code, std::string_view sentence) noexcept {
    if (error == nullptr) return code;
    error->code = code;
    std::size_t size = std::min(sentence.size(), sizeof error->message - 1);
    while (size > 0 && size < sentence.size() && (static_cast<unsigned char>(sentence[size]) & 0xC0) == 0x80) --size;
    std::memcpy(error->message, sentence.data(), size);
    error->message[size] = '\0';
    return code;
}

// Saying what is wrong may take memory that is not there.
int tell(suffice_error* error, const Error& told) noexcept {
    try {
        return tell(error, code_of(told.kind), told.sentence());
    } catch (...) {
        return tell(error, code_of(told.kind), "out of memory");
    }
}

// work() -> Result<void>; 0 or the code.
template <class Work>
int run(suffice_error* error, Work&& work) noexcept {
    clear(error);
    try {
        const Result<void> done = suffice::guarded(work);
        return done ? SUFFICE_OK : tell(error, done.error());
    } catch (...) {
        return tell(error, SUFFICE_MACHINE, "out of memory");
    }
}

// work() -> Result<Model>; a handle or null.
template <class Work>
suffice_model* make(suffice_error* error, Work&& work) noexcept {
    suffice_model* made = nullptr;
    run(error, [&]() -> Result<void> {
        auto model = work();
        if (!model) return model.error();
        made = new suffice_model{std::move(*model)};
        return {};
    });
    return made;
}

Error missing_argument(const char* what) { return {ErrorKind::usage, std::string(what) + " must not be NULL"}; }

Result<void> check_size(std::size_t n, std::size_t d) {
    if (n == 0 || d == 0) return Error(ErrorKind::usage, "there must be at least one row and one column");
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double) / d)
        return Error(ErrorKind::usage, "so many rows and columns are beyond all memory");
    return {};
}

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

const suffice::Column* column_of(const suffice_model* model, std::size_t place) {
    if (model == nullptr || place >= model->model.schema().columns.size()) return nullptr;
    return &model->model.schema().columns[place];
}

}  // namespace

extern "C" {

const char* suffice_version(void) { return "0.1.0"; }
int suffice_abi_version(void) { return SUFFICE_ABI_VERSION; }

suffice_model* suffice_load(const char* path, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (path == nullptr) return missing_argument("path");
        return suffice::load(path);
    });
}

suffice_model* suffice_load_bytes(const void* bytes, size_t size, suffice_error* error) {
    return make(error, [&]() -> Result<Model> {
        if (bytes == nullptr) return missing_argument("bytes");
        auto file = suffice::from_file_bytes({static_cast<const char*>(bytes), size});
        if (!file) return file.error();
        return Model::from(std::move(*file));
    });
}

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
void suffice_free(suffice_model* model) { delete model; }

size_t suffice_class_count(const suffice_model* model) {
    return model == nullptr ? 0 : model->model.schema().classes.size();
}

const char* suffice_class_name(const suffice_model* model, size_t place) {
    if (place >= suffice_class_count(model)) return nullptr;
    return model->model.schema().classes[place].c_str();
}

size_t suffice_column_count(const suffice_model* model) {
    return model == nullptr ? 0 : model->model.schema().columns.size();
}

const char* suffice_column_name(const suffice_model* model, size_t place) {
    const auto* column = column_of(model, place);
    return column == nullptr ? nullptr : column->name.c_str();
}

size_t suffice_level_count(const suffice_model* model, size_t column) {
    const auto* found = column_of(model, column);
    return found == nullptr ? 0 : found->levels.size();
}

const char* suffice_level_name(const suffice_model* model, size_t column, size_t level) {
    if (level >= suffice_level_count(model, column)) return nullptr;
    return column_of(model, column)->levels[level].c_str();
}

double suffice_level_code(const suffice_model* model, size_t column, const char* word) {
    const auto* found = column_of(model, column);
    if (found == nullptr || found->kind != suffice::ColumnKind::category || word == nullptr) return std::nan("");
    const auto at = std::ranges::find(found->levels, std::string_view(word));
    return at == found->levels.end() ? suffice::unseen_level : static_cast<double>(at - found->levels.begin());
}

double suffice_row_count(const suffice_model* model) { return model == nullptr ? 0 : model->model.seen().rows; }

suffice_model* suffice_fit_rows(const double* rows, size_t n, size_t d, const char* const* labels,
                                const char* settings_json, suffice_error* error) {
    return make(error, [&] { return fit_rows(rows, n, d, labels, settings_json); });
}

suffice_model* suffice_fit_arrow(const struct ArrowSchema* schema, const struct ArrowArray* array, const char* target,
                                 const char* settings_json, suffice_error* error) {
    return make(error, [&] { return fit_arrow(schema, array, target, settings_json); });
}

int suffice_posteriors(const suffice_model* model, const double* rows, size_t n, double* out, suffice_error* error) {
    return run(error, [&]() -> Result<void> {
        if (model == nullptr) return missing_argument("model");
        if (n == 0) return {};
        if (rows == nullptr || out == nullptr) return missing_argument("rows and out");
        const std::size_t d = suffice_column_count(model), classes = suffice_class_count(model);
        if (auto sized = check_size(n, std::max({d, classes, std::size_t{1}})); !sized) return sized;
        suffice::ScoreSink sink;
        sink.scores = out;
        sink.stride = static_cast<std::ptrdiff_t>(classes);
        return model->model.predictor().score(suffice::rows(rows, n, d), sink, {});
    });
}

suffice_scorer* suffice_scorer_new(const suffice_model* model, suffice_error* error) {
    suffice_scorer* made = nullptr;
    run(error, [&]() -> Result<void> {
        if (model == nullptr) return missing_argument("model");
        made = new suffice_scorer{suffice::RowScorer(model->model)};
        return {};
    });
    return made;
}

int suffice_scorer_posteriors(suffice_scorer* scorer, const double* row, double* out, suffice_error* error) {
    return run(error, [&]() -> Result<void> {
        if (scorer == nullptr || row == nullptr || out == nullptr) return missing_argument("scorer, row and out");
        return scorer->scorer.posteriors({row, scorer->scorer.column_count()}, {out, scorer->scorer.class_count()});
    });
}

void suffice_scorer_free(suffice_scorer* scorer) { delete scorer; }

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
