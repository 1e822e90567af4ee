// The half of the C interface that asks models: loaded, looked at and scored. By itself it is libsuffice_score.so.
#include <cmath>

#include "handles.hpp"

namespace {

using suffice::Error;
using suffice::Model;
using suffice::Result;
using suffice::c::check_size;
using suffice::c::make;
using suffice::c::missing_argument;
using suffice::c::run;

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

}  // extern "C"
