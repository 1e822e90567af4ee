/* A model loaded and asked with libsuffice_score.so alone: prints the posteriors of each row of numbers on standard input, one row by
 * row, then all of them at once; they must be the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suffice.h"

static void fail(const char *why) {
    fprintf(stderr, "score.c: %s\n", why);
    exit(1);
}

int main(int argument_count, char **arguments) {
    suffice_error error;
    if (argument_count != 2) fail("usage: score MODEL <ROWS");
    if (suffice_abi_version() != SUFFICE_ABI_VERSION) fail("another version");
    if (suffice_load_bytes("nothing", 7, &error) != NULL || error.message[0] == '\0') fail("took bytes that are no model");
    suffice_model *model = suffice_load(arguments[1], &error);
    if (model == NULL) fail(error.message);
    const size_t columns = suffice_column_count(model), classes = suffice_class_count(model);
    double rows[64], one[64], all[64];
    size_t count = 0;
    if (columns * classes == 0 || columns > 16 || classes > 16) fail("a model of another size");
    while (count < 4 * columns && scanf("%lf", &rows[count]) == 1) ++count;
    if (count == 0 || count % columns != 0) fail("half a row");
    suffice_scorer *scorer = suffice_scorer_new(model, &error);
    for (size_t row = 0; row < count / columns; ++row) {
        if (suffice_scorer_posteriors(scorer, rows + row * columns, one + row * classes, &error) != 0) fail(error.message);
        for (size_t k = 0; k < classes; ++k) printf("%s%.12f", k == 0 ? "" : " ", one[row * classes + k]);
        printf("\n");
    }
    if (suffice_posteriors(model, rows, count / columns, all, &error) != 0) fail(error.message);
    for (size_t k = 0; k < count / columns * classes; ++k)
        if (all[k] - one[k] > 1e-12 || one[k] - all[k] > 1e-12) fail("one by one is not as all at once");
    suffice_scorer_free(scorer);
    suffice_free(model);
    return 0;
}
