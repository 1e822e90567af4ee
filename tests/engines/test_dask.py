"""suffice.dask: the answers of local fits, whatever the partitions, with a worker that dies among them."""
import numpy as np
import pytest

import suffice

pytest.importorskip("dask.dataframe", reason="Dask is not here; tools/bootstrap engines installs it")
pa = pytest.importorskip("pyarrow")


def frame(table, parts):
    import dask.dataframe

    return dask.dataframe.from_pandas(table.to_pandas(), npartitions=parts, sort=False)


def posteriors(model, table):
    read = suffice.predict_stream(model, table).read_all()
    return np.column_stack([read[name].to_numpy() for name in read.column_names if name.startswith("p(")])


def close(a, b, tolerance=1e-9):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def test_fit_predict_and_evaluate_are_those_of_all_rows(mixed_rows):
    from suffice import dask as engine

    table = mixed_rows()
    rows = frame(table, 5)
    made = engine.fit(rows, target="bought")
    close(posteriors(made, table), posteriors(suffice.fit_stream(table, "bought"), table))
    predicted = engine.predict(made, rows).compute()
    close(predicted["p(yes)"].to_numpy(), posteriors(made, table)[:, 1])
    assert engine.evaluate(made, rows)["rows"] == 2000


def test_partitions_do_not_change_a_bit(mixed_rows):
    from suffice import dask as engine
    from suffice.streams import bytes_of

    table = mixed_rows(rows=12_000)
    expected = bytes_of(suffice.fit_stream(table, "bought"))
    for parts in (1, 3, 7):
        assert bytes_of(engine.fit(frame(table, parts), target="bought")) == expected
    numbers = table.select(["width", "visits"])
    found = [engine.fit(frame(numbers, parts), model="k_means", k=2, starts=1, steps=3).cluster_centers_ for parts in (1, 4)]
    np.testing.assert_array_equal(found[0], found[1])


def test_rounds(grouped_rows):
    from suffice import dask as engine
    from suffice.rounds import fit_parts

    table = grouped_rows()
    close(engine.fit(frame(table, 4), model="gaussian_mixture", k=3, starts=1).means_, fit_parts([table], model="gaussian_mixture", k=3, starts=1).means_)
    close(engine.fit(frame(table, 4), model="k_means", k=3, starts=1).cluster_centers_, fit_parts([table], model="k_means", k=3, starts=1).cluster_centers_)


def test_explanations_and_comparisons_are_those_of_all_rows(mixed_rows):
    from suffice import dask as engine
    from suffice.part_comparison import compare_parts

    table = mixed_rows()
    rows = frame(table, 5)
    made = engine.fit(rows, target="bought")
    explained = engine.explain(made, rows).compute()
    joint = [explained[[name for name in explained if name == f"intercept({k})" or name.startswith(f"{k}: ")]].sum(axis=1) for k in ("no", "yes")]
    close(1 / (1 + np.exp(joint[0] - joint[1])), posteriors(made, table)[:, 1])
    found, expected = engine.compare(rows, "bought", ["naive_bayes", "gaussian_nb"], folds=3, exclude=["town"]), compare_parts([table], "bought", ["naive_bayes", "gaussian_nb"], folds=3, exclude=["town"])
    assert [(row["model"], row["log_loss"], row["bic"]) for row in found] == [(row["model"], row["log_loss"], row["bic"]) for row in expected]
    with pytest.raises(ValueError, match="prediction already"):
        engine.predict(made, rows.assign(prediction=1))


def test_a_worker_that_dies_changes_no_bit(mixed_rows):
    distributed = pytest.importorskip("distributed")
    from suffice import dask as engine
    from suffice.streams import bytes_of

    table = mixed_rows()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster, \
            distributed.Client(cluster) as client:
        rows = frame(table, 8)
        first = bytes_of(engine.fit(rows, target="bought"))
        victim = next(iter(client.scheduler_info()["workers"]))
        client.run(_die_soon, workers=[victim])
        assert bytes_of(engine.fit(rows, target="bought")) == first


def _die_soon():
    import os
    import threading

    threading.Timer(0.2, lambda: os._exit(1)).start()
