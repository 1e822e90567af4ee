"""MPI: every rank sums its own rows, and the bytes are reduced by an operator of ours.

usage: mpirun -n 4 python examples/engines/mpi_ranks.py FILE.csv TARGET
"""
import sys

import pyarrow.csv
from mpi4py import MPI

import suffice

path, target = sys.argv[1:3]
world = MPI.COMM_WORLD
rows = pyarrow.csv.read_csv(path)
each = -(-rows.num_rows // world.size)
own = rows.slice(world.rank * each, each)  # a rank would have a file of its own

plan = world.bcast(suffice.plan_statistics(rows.slice(0, 20), target=target) if world.rank == 0 else None)
mine = suffice.statistics_of(own, target=target, plan=plan, name=f"rank {world.rank}")
reduced = world.reduce(mine, op=lambda left, right: suffice.merge_bytes([left, right]))
gathered = world.gather(mine)
if world.rank == 0:
    whole = suffice.fit_stream(rows, target=target)
    expected = suffice.predict_stream(whole, rows).read_all()
    names = [name for name in expected.column_names if name.startswith("p(")]
    for how, data in (("reduced", reduced), ("gathered", suffice.merge_bytes(gathered))):
        found = suffice.predict_stream(suffice.model_from_bytes(data), rows).read_all()
        difference = max(abs(found[name].to_numpy() - expected[name].to_numpy()).max() for name in names)
        print(f"{world.size} ranks, {how}: posteriors differ by {difference:.0e}")
