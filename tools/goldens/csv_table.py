"""Writes a hostile CSV file and what pandas (round_trip) reads from it: one line per cell, numbers as hexadecimal bits.

Blanks around unquoted words are trimmed by us and kept by pandas, so there are none."""
import csv
import pathlib
import random
import struct

import pandas

here = pathlib.Path(__file__).parents[2] / "tests" / "goldens"
random.seed(1)
marks = ["", "NA", "N/A", "NaN", "nan", "null", "?"]
nasty = ["0", "-0.0", ".5", "5.", "+3.25", "1e300", "1e-300", "4.9e-324", "1.7976931348623157e308", "9007199254740993",
         "123456789012345678901", "0.1234567890123456789", "-1234567.125", "1E5", "2.5e-7"]
words = ["a,b", "two\nlines", 'say "x"', "caf\u00e9", "x\r\ny", "plain", '"', "''", "a;b|c\td"]


def number():
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(nasty)
    if kind == 1:
        return "%.6g" % random.gauss(0, 100)
    return repr(random.gauss(0, 1) * 10 ** random.randint(-8, 8))


with open(here / "csv_hostile.csv", "w", newline="", encoding="utf-8") as file:
    file.write("\ufeff")
    for row in [["id", "x", "y", 'w"q', "z"]] + [
        [str(k), number(), random.choice(marks[:1] + [number()] * 4), random.choice(words), random.choice(marks + [number()])]
        for k in range(600)
    ]:
        csv.writer(file, lineterminator=random.choice(["\n", "\r\n"]),
                   quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])).writerow(row)
        if random.random() < 0.05:
            file.write("\n")
table = pandas.read_csv(here / "csv_hostile.csv", na_values=marks, keep_default_na=False, float_precision="round_trip")
with open(here / "csv_hostile_expected.txt", "w", encoding="utf-8", newline="") as file:
    for row in table.itertuples(index=False):
        for value in row:
            if isinstance(value, str):
                file.write("word " + value.encode("utf-8").hex() + "\n")
            elif value != value:
                file.write("missing\n")
            else:
                file.write("number " + struct.pack(">d", value).hex() + "\n")
