/* Asks an exported model on a Cortex-M: prints the posteriors of some rows as the bits of doubles, and the class decided for. */
#include "model.h"
#include "rows.h" /* static const double rows[][model_column_count] and row_count */

void put(const char *text); /* of start.c */

static void put_bits(double number) {
    union {
        double number;
        unsigned long long bits;
    } both;
    char text[18];
    int k;
    both.number = number;
    for (k = 0; k < 16; ++k) text[k] = "0123456789abcdef"[(both.bits >> (60 - 4 * k)) & 15U];
    text[16] = ' ';
    text[17] = '\0';
    put(text);
}

int main(void) {
    int row, k;
    for (row = 0; row < row_count; ++row) {
        double posteriors[model_class_count];
        int decided;
        model_posteriors(rows[row], posteriors);
        for (k = 0; k < model_class_count; ++k) put_bits(posteriors[k]);
        decided = model_decide(posteriors);
        put(decided < 0 ? "none" : model_classes[decided]);
        put("\n");
    }
    return 0;
}
