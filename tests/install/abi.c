/* The C interface used as a stranger would, and then with everything wrong that an argument can be. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suffice.h"

#define EXPECT(truth) \
    do { \
        if (!(truth)) { \
            fprintf(stderr, "abi.c, line %d: %s\n", __LINE__, #truth); \
            exit(1); \
        } \
    } while (0)

static const double january[] = {1.0, 2.0, 1.2, 1.8, 0.8, 2.3, 5.0, 6.1, 5.3, 6.0, 4.7, 6.4};
static const double february[] = {0.9, 2.2, 1.1, 2.1, 1.4, 1.7, 5.2, 5.9, 4.8, 6.2, 5.5, 5.6};
static const char *const labels[] = {"stays", "stays", "stays", "leaves", "leaves", "leaves"};
static const char *const settings = "{\"model\": \"qda\", \"columns\": [\"calls\", \"minutes\"]}";

static void models_are_fitted_merged_saved_and_loaded(const char *path) {
    suffice_error error;
    suffice_model *one = suffice_fit_rows(january, 6, 2, labels, settings, &error);
    suffice_model *two = suffice_fit_rows(february, 6, 2, labels, settings, &error);
    EXPECT(one != NULL && two != NULL && error.code == SUFFICE_OK && error.message[0] == '\0');
    suffice_model *both = suffice_merge(one, two, &error);
    EXPECT(both != NULL && suffice_row_count(both) == 12);
    EXPECT(suffice_class_count(both) == 2 && strcmp(suffice_class_name(both, 0), "leaves") == 0);
    EXPECT(suffice_column_count(both) == 2 && strcmp(suffice_column_name(both, 1), "minutes") == 0);
    double out[4], again[4], alone[2];
    const double rows[] = {5.1, 6.0, 1.0, 2.0};
    EXPECT(suffice_posteriors(both, rows, 2, out, &error) == 0);
    EXPECT(out[0] > 0.99 && out[3] > 0.99 && fabs(out[0] + out[1] - 1) < 1e-12);
    EXPECT(suffice_save(both, path, &error) == 0);
    suffice_model *loaded = suffice_load(path, &error);
    EXPECT(loaded != NULL && suffice_posteriors(loaded, rows, 2, again, &error) == 0);
    EXPECT(memcmp(out, again, sizeof out) == 0);
    void *bytes = NULL;
    size_t size = 0;
    EXPECT(suffice_save_bytes(both, &bytes, &size, &error) == 0 && size > 100);
    suffice_model *copy = suffice_load_bytes(bytes, size, &error);
    EXPECT(copy != NULL);
    suffice_model *rest = suffice_subtract(copy, one, &error);
    EXPECT(rest != NULL && suffice_row_count(rest) == 6);
    EXPECT(suffice_posteriors(rest, rows, 2, out, &error) == 0 && suffice_posteriors(two, rows, 2, again, &error) == 0);
    for (int k = 0; k < 4; ++k) EXPECT(fabs(out[k] - again[k]) < 1e-9);
    suffice_scorer *scorer = suffice_scorer_new(two, &error);
    EXPECT(scorer != NULL && suffice_scorer_posteriors(scorer, rows, alone, &error) == 0);
    EXPECT(fabs(alone[0] - again[0]) < 1e-12);
    suffice_model *lda = suffice_derive(both, "{\"model\": \"lda\", \"shrinkage\": 0.1}", &error);
    EXPECT(lda != NULL);
    suffice_model *older = suffice_decay(both, 0.5, &error);
    EXPECT(older != NULL);
    suffice_scorer_free(scorer);
    suffice_free_bytes(bytes);
    suffice_free(one), suffice_free(two), suffice_free(both), suffice_free(loaded), suffice_free(copy);
    suffice_free(rest), suffice_free(lda), suffice_free(older);
}

static void what_is_wrong_is_a_code_and_a_sentence(void) {
    suffice_error error;
    EXPECT(suffice_load("/nowhere/at all.suf", &error) == NULL && error.code != 0 && strlen(error.message) > 10);
    EXPECT(suffice_load(NULL, NULL) == NULL);
    EXPECT(suffice_load_bytes(NULL, 1000, &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    EXPECT(suffice_load_bytes("short", 5, &error) == NULL && error.code == SUFFICE_BAD_INPUT);
    EXPECT(suffice_fit_rows(NULL, 6, 2, labels, NULL, &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    EXPECT(suffice_fit_rows(january, 6, 2, NULL, NULL, &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    EXPECT(suffice_fit_rows(january, 0, 2, labels, NULL, &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    EXPECT(suffice_fit_rows(january, SIZE_MAX, 2, labels, NULL, &error) == NULL && error.code != 0);
    EXPECT(suffice_fit_rows(january, SIZE_MAX / 64, 4, labels, NULL, &error) == NULL && error.code != 0);
    EXPECT(suffice_fit_rows(january, 6, 2, labels, "{\"model\": 3}", &error) == NULL && error.code != 0);
    EXPECT(suffice_fit_rows(january, 6, 2, labels, "{\"modle\": \"qda\"}", &error) == NULL && error.code != 0);
    EXPECT(suffice_fit_rows(january, 6, 2, labels, "not json", &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    const size_t deep = 300000;
    char *brackets = malloc(deep + 10);
    memset(brackets, '[', deep);
    memcpy(brackets, "{\"model\":", 9);
    brackets[deep] = '\0';
    EXPECT(suffice_fit_rows(january, 6, 2, labels, brackets, &error) == NULL && error.code == SUFFICE_BAD_USAGE);
    free(brackets);
    suffice_model *model = suffice_fit_rows(january, 6, 2, labels, settings, &error);
    double out[4];
    EXPECT(suffice_posteriors(model, NULL, 1, out, &error) == SUFFICE_BAD_USAGE);
    EXPECT(suffice_posteriors(model, january, SIZE_MAX, out, &error) == SUFFICE_BAD_USAGE);
    EXPECT(suffice_posteriors(model, NULL, 0, NULL, NULL) == 0);
    EXPECT(suffice_posteriors(NULL, january, 1, out, NULL) != 0);
    EXPECT(suffice_class_name(model, 2) == NULL && suffice_column_name(model, SIZE_MAX) == NULL);
    EXPECT(suffice_level_count(model, 7) == 0 && isnan(suffice_level_code(model, 0, "x")));
    EXPECT(suffice_save(model, "/nowhere/m.suf", &error) == SUFFICE_MACHINE);
    EXPECT(suffice_merge(model, NULL, &error) == NULL && suffice_subtract(model, model, &error) == NULL);
    suffice_free(model);
    suffice_free(NULL);
    suffice_scorer_free(NULL);
}

static void categories_are_codes(void) {
    suffice_error error;
    const double codes[] = {0, 0, 1, 1, 1, 0};
    suffice_model *model =
        suffice_fit_rows(codes, 6, 1, labels, "{\"columns\": [{\"name\": \"country\", \"levels\": [\"NL\", \"DE\"]}]}",
                         &error);
    EXPECT(model != NULL && suffice_level_count(model, 0) == 2 && suffice_level_code(model, 0, "DE") == 1);
    EXPECT(strcmp(suffice_level_name(model, 0, 0), "NL") == 0);
    suffice_free(model);
}

int main(int argument_count, char **arguments) {
    EXPECT(argument_count == 2);
    EXPECT(suffice_abi_version() == SUFFICE_ABI_VERSION && strlen(suffice_version()) >= 5);
    models_are_fitted_merged_saved_and_loaded(arguments[1]);
    what_is_wrong_is_a_code_and_a_sentence();
    categories_are_codes();
    puts("the C interface does what it says");
    return 0;
}
