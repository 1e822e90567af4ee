/* Suffice from C and from any language that can call C: models fitted, merged, saved, loaded and asked for posteriors.
 *
 * Handles are opaque and belong to who got them, until suffice_free. A model never changes, so any number of threads may
 * use one at once; a scorer belongs to one thread. Functions that can fail return NULL or a code that is not zero and
 * fill in the error, which may be NULL. Nothing is thrown and nothing is printed. Text is UTF-8.
 *
 * Within a major version functions are added and none is changed (SUFFICE_ABI_VERSION counts).
 */
#ifndef SUFFICE_H
#define SUFFICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUFFICE_VERSION_MAJOR 0
#define SUFFICE_VERSION_MINOR 1
#define SUFFICE_VERSION_PATCH 0
#define SUFFICE_ABI_VERSION 1

#if defined(__GNUC__)
#define SUFFICE_API __attribute__((visibility("default")))
#else
#define SUFFICE_API
#endif

/* Codes of errors. */
enum {
    SUFFICE_OK = 0,
    SUFFICE_BAD_INPUT = 1,  /* rows or a file that cannot be used */
    SUFFICE_BAD_USAGE = 2,  /* an argument or a setting that cannot be used */
    SUFFICE_SINGULAR = 3,   /* a covariance that has no inverse */
    SUFFICE_NOT_FITTED = 4,
    SUFFICE_MACHINE = 5,    /* memory, disk, threads */
    SUFFICE_CANCELLED = 6,
    SUFFICE_INTERNAL = 7    /* should not happen */
};

typedef struct suffice_error {
    int code;
    char message[512]; /* one sentence, cut where it is longer; empty where the code is SUFFICE_OK */
} suffice_error;

typedef struct suffice_model suffice_model;
typedef struct suffice_scorer suffice_scorer;

/* "0.1.0" and SUFFICE_ABI_VERSION of the library, which may be another than that of this header. */
SUFFICE_API const char *suffice_version(void);
SUFFICE_API int suffice_abi_version(void);

/* Files. Untrusted ones are refused with an error, whatever they hold. */
SUFFICE_API suffice_model *suffice_load(const char *path, suffice_error *error);
SUFFICE_API suffice_model *suffice_load_bytes(const void *bytes, size_t size, suffice_error *error);
SUFFICE_API int suffice_save(const suffice_model *model, const char *path, suffice_error *error);
/* The bytes of the file, to be given back by suffice_free_bytes. */
SUFFICE_API int suffice_save_bytes(const suffice_model *model, void **bytes, size_t *size, suffice_error *error);
SUFFICE_API void suffice_free_bytes(void *bytes);
SUFFICE_API void suffice_free(suffice_model *model); /* NULL: nothing */

/* Names live as long as the model. A place that is not there: NULL or 0. */
SUFFICE_API size_t suffice_class_count(const suffice_model *model);
SUFFICE_API const char *suffice_class_name(const suffice_model *model, size_t place);
SUFFICE_API size_t suffice_column_count(const suffice_model *model);
SUFFICE_API const char *suffice_column_name(const suffice_model *model, size_t place);
/* Words of a column of categories. In rows they stand as codes: 0 for the first level, and so on. */
SUFFICE_API size_t suffice_level_count(const suffice_model *model, size_t column);
SUFFICE_API const char *suffice_level_name(const suffice_model *model, size_t column, size_t level);
/* The code of a word; that of a word never seen where the column has no such level, NaN where it has no levels. */
SUFFICE_API double suffice_level_code(const suffice_model *model, size_t column, const char *word);
/* The weight of all rows seen. */
SUFFICE_API double suffice_row_count(const suffice_model *model);

/* n rows of d numbers each, one row behind the other; NaN: missing. labels: n names of classes; NULL or an empty one:
 * not known. settings_json: NULL, or an object such as
 *   {"model": "qda", "columns": ["age", "income"], "families": {"age": "poisson"}, "estimate": "map"}
 * with names and values as everywhere. A column may also be {"name": "country", "levels": ["NL", "DE"]}, whose
 * numbers are codes of the levels. */
SUFFICE_API suffice_model *suffice_fit_rows(const double *rows, size_t n, size_t d, const char *const *labels,
                                            const char *settings_json, suffice_error *error);
/* One record batch by the Arrow C data interface: a struct of columns, numbers, flags or words, of which `target` holds
 * the classes. Schema and array stay the caller's, who releases them. */
struct ArrowSchema;
struct ArrowArray;
SUFFICE_API suffice_model *suffice_fit_arrow(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                             const char *target, const char *settings_json, suffice_error *error);

/* Posteriors of n rows, with as many numbers each as the model has columns, into n times suffice_class_count numbers. */
SUFFICE_API int suffice_posteriors(const suffice_model *model, const double *rows, size_t n, double *out,
                                   suffice_error *error);
/* The same row by row, by one thread, in memory that is kept: scoring allocates nothing. */
SUFFICE_API suffice_scorer *suffice_scorer_new(const suffice_model *model, suffice_error *error);
SUFFICE_API int suffice_scorer_posteriors(suffice_scorer *scorer, const double *row, double *out,
                                          suffice_error *error);
SUFFICE_API void suffice_scorer_free(suffice_scorer *scorer);

/* New models: as if trained on the rows of both, as if it had never seen the other's rows, and with every row counting
 * less; and another model from the same sums, without rows. */
SUFFICE_API suffice_model *suffice_merge(const suffice_model *a, const suffice_model *b, suffice_error *error);
SUFFICE_API suffice_model *suffice_subtract(const suffice_model *a, const suffice_model *b, suffice_error *error);
SUFFICE_API suffice_model *suffice_decay(const suffice_model *model, double factor, suffice_error *error);
SUFFICE_API suffice_model *suffice_derive(const suffice_model *model, const char *settings_json,
                                          suffice_error *error);

#ifdef __cplusplus
}
#endif

#endif
