"""Flower: ten clients, one round. Each gives the bytes of its statistics and keeps its rows; the server merges them.

usage: python examples/engines/flower_clients.py FILE.csv TARGET
"""
import sys
import time

import pyarrow.csv
from flwr.app import ConfigRecord, Message, MessageType, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import ServerApp
from flwr.simulation import run_simulation

import suffice

CLIENTS = 10
client, server = ClientApp(), ServerApp()


def rows_of(path, part):
    rows = pyarrow.csv.read_csv(path)
    return rows.take(list(range(part, rows.num_rows, CLIENTS)))  # a client would have a file of its own


@client.train()
def train(message, context):
    job, part = message.content["job"], int(context.node_config["partition-id"])
    made = suffice.statistics_of(rows_of(job["path"], part), target=job["target"], plan=job["plan"], name=f"client {part}")
    return Message(RecordDict({"answer": ConfigRecord({"part": part, "statistics": made})}), reply_to=message)


@server.main()
def main(grid, context):
    path, target = sys.argv[1:3]
    while len(nodes := list(grid.get_node_ids())) < CLIENTS:
        time.sleep(0.1)
    job = ConfigRecord({"path": path, "target": target, "plan": suffice.plan_statistics(rows_of(path, 0), target=target)})
    asked = [Message(RecordDict({"job": job}), dst_node_id=node, message_type=MessageType.TRAIN) for node in nodes]
    answers = [reply.content["answer"] for reply in grid.send_and_receive(asked)]
    merged = suffice.merge_bytes([bytes(each["statistics"]) for each in sorted(answers, key=lambda each: each["part"])])
    rows = pyarrow.csv.read_csv(path)
    found, expected = (suffice.predict_stream(model, rows).read_all()
                       for model in (suffice.model_from_bytes(merged), suffice.fit_stream(rows, target=target)))
    names = [name for name in found.column_names if name.startswith("p(")]
    difference = max(abs(found[name].to_numpy() - expected[name].to_numpy()).max() for name in names)
    print(f"{len(answers)} clients of Flower: posteriors differ from those of pooled rows by {difference:.0e}", flush=True)


if __name__ == "__main__":
    run_simulation(server, client, num_supernodes=CLIENTS)
