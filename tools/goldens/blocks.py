"""Writes tests/goldens/blocks_values.csv: edges that astropy.stats.bayesian_blocks finds (p0 = 0.05) in the samples of
tests/goldens/bandwidth_rows.csv.

usage: python tools/goldens/blocks.py      (from the root of the repository; needs astropy)
"""
import csv
from collections import defaultdict

from astropy.stats import bayesian_blocks

samples = defaultdict(list)
with open("tests/goldens/bandwidth_rows.csv") as rows:
    for row in csv.DictReader(rows):
        samples[row["name"]].append(float(row["value"]))
with open("tests/goldens/blocks_values.csv", "w") as values:
    values.write("name,edge\n")
    for name, sample in samples.items():
        for edge in bayesian_blocks(sample, p0=0.05):
            values.write(f"{name},{edge:.17g}\n")
