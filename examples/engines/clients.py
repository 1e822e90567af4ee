"""Federated learning in one round: ten clients give statistics and keep their rows, and the server merges bytes.

usage: python examples/engines/clients.py FILE.csv TARGET

Which network carries the bytes does not matter: in Flower, a client's fit returns them as its parameters (an array of
uint8) and the strategy's aggregate_fit calls `merge_bytes`; in MPI they are what `gather` or `reduce` takes.
"""
import sys

import numpy
import pyarrow.csv

import suffice


class Client:
    def __init__(self, rows):
        self._rows = rows

    def fit(self, plan, target):
        made = suffice.statistics_of(self._rows, target=target, model="naive_bayes", plan=plan)
        return [numpy.frombuffer(made, numpy.uint8)]


if __name__ == "__main__":
    path, target = sys.argv[1:3]
    rows = pyarrow.csv.read_csv(path)
    clients = [Client(rows.take(list(range(k, rows.num_rows, 10)))) for k in range(10)]
    plan = suffice.plan_statistics(rows.slice(0, 20), target=target, model="naive_bayes")
    answers = [client.fit(plan, target)[0].tobytes() for client in clients]
    model = suffice.model_from_bytes(suffice.merge_bytes(answers))
    again = suffice.model_from_bytes(suffice.merge_bytes([suffice.merge_bytes(answers[:8]), suffice.merge_bytes(answers[8:])]))
    pooled = suffice.fit_stream(rows, target=target, model="naive_bayes")
    found, same, expected = (suffice.predict_stream(each, rows).read_all() for each in (model, again, pooled))
    names = [name for name in found.column_names if name.startswith("p(")]
    difference = max(abs(found[name].to_numpy() - expected[name].to_numpy()).max() for name in names)
    print(f"{len(clients)} clients, merged in two steps: {'the same bits' if found.equals(same) else 'other bits'}; pooled: "
          f"{'the same' if difference < 1e-12 else 'another model'} to 1e-12")
