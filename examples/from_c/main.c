/* Suffice from C: two months of rows, fitted apart and merged, then a row scored into our own memory. */
#include <stdio.h>

#include <suffice.h>

int main(void) {
    const double january[] = {1.0, 2.0, 1.2, 1.8, 0.8, 2.3, 5.0, 6.1, 5.3, 6.0, 4.7, 6.4};
    const double february[] = {0.9, 2.2, 1.1, 2.1, 1.4, 1.7, 5.2, 5.9, 4.8, 6.2, 5.5, 5.6};
    const char *const labels[] = {"stays", "stays", "stays", "leaves", "leaves", "leaves"};
    const char *settings = "{\"model\": \"qda\", \"columns\": [\"calls\", \"minutes\"]}";
    suffice_error error = {0};
    suffice_model *one = suffice_fit_rows(january, 6, 2, labels, settings, &error);
    suffice_model *two = suffice_fit_rows(february, 6, 2, labels, settings, &error);
    suffice_model *both = suffice_merge(one, two, &error);
    double posterior[2];
    const double caller[] = {5.1, 6.0};
    if (both != NULL && suffice_posteriors(both, caller, 1, posterior, &error) == 0)
        for (size_t k = 0; k < suffice_class_count(both); ++k)
            printf("%s %.4f\n", suffice_class_name(both, k), posterior[k]);
    else
        fprintf(stderr, "%s\n", error.message);
    suffice_free(one), suffice_free(two), suffice_free(both);
    return error.code;
}
