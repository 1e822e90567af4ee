"""A fit over parts by a pool of processes: the same model as of all rows in one place.

usage: python examples/engines/pool.py FILE.csv TARGET
"""
import sys
from concurrent.futures import ProcessPoolExecutor

import pyarrow.csv

import suffice
from suffice.rounds import fit_parts

if __name__ == "__main__":
    path, target = sys.argv[1:3]
    rows = pyarrow.csv.read_csv(path)
    third = -(-rows.num_rows // 3)
    parts = [rows.slice(start, third) for start in range(0, rows.num_rows, third)]
    whole = suffice.fit_stream(rows, target=target, model="lda")
    with ProcessPoolExecutor(2) as pool:
        model = fit_parts(parts, target=target, model="lda", map=pool.map)
    print(f"{len(parts)} parts, means differ by {abs(model.means_ - whole.means_).max():.0e}")
