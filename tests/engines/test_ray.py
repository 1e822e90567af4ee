"""suffice.ray: the answers of local fits, whatever the blocks, and a task that dies and runs again."""
import os

import numpy as np
import pytest

import suffice

ray = pytest.importorskip("ray", reason="Ray is not here; pip install 'ray[data]'")
pytest.importorskip("ray.data", reason="Ray's datasets are not here; pip install 'ray[data]'")
pa = pytest.importorskip("pyarrow")
CUTS = [0, 0, 1, 7003, 9000, 12_000]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def dataset(table, cuts=CUTS):
    return ray.data.from_arrow([table.slice(a, b - a) for a, b in zip(cuts, cuts[1:])])


def test_blocks_do_not_change_a_bit(mixed_rows):
    from suffice import ray as engine
    from suffice.rounds import fit_parts
    from suffice.streams import bytes_of

    table = mixed_rows(rows=12_000)
    assert bytes_of(engine.fit(dataset(table), target="bought")) == bytes_of(suffice.fit_stream(table, "bought"))
    numbers = table.select(["width", "visits"])
    words = {"model": "k_means", "k": 2, "starts": 1, "steps": 3}
    made = engine.fit(dataset(numbers), **words)
    np.testing.assert_array_equal(made.cluster_centers_, fit_parts([numbers], **words).cluster_centers_)
    assert len(engine.predict(made, dataset(numbers)).take_all()) == 12_000


def test_predictions_explanations_measures_and_comparisons(mixed_rows):
    from suffice import ray as engine
    from suffice.part_comparison import compare_parts

    table = mixed_rows()
    rows = dataset(table, [0, 500, 500, 2000])
    model = engine.fit(rows, target="bought")
    expected = suffice.predict_stream(model, table).read_all()["p(yes)"].to_numpy()
    predicted = engine.predict(model, rows, evidence=True).to_pandas()
    np.testing.assert_allclose(predicted["p(yes)"].to_numpy(), expected, rtol=1e-12)
    assert "log_evidence" in predicted
    explained = engine.explain(model, rows).to_pandas()
    joint = [explained[[name for name in explained if name == f"intercept({k})" or name.startswith(f"{k}: ")]].sum(axis=1) for k in ("no", "yes")]
    np.testing.assert_allclose(1 / (1 + np.exp(joint[0] - joint[1])), expected, rtol=1e-9)
    assert engine.evaluate(model, rows)["rows"] == 2000
    found, same = (each(*given, "bought", ["naive_bayes", "gaussian_nb"], folds=3, exclude=["town"])
                   for each, given in ((engine.compare, [rows]), (compare_parts, [[table]])))
    assert [(row["model"], row["log_loss"]) for row in found] == [(row["model"], row["log_loss"]) for row in same]
    with pytest.raises(ValueError, match="prediction already"):
        engine.predict(model, rows.add_column("prediction", lambda batch: np.zeros(len(batch))))


def test_a_task_that_dies_is_run_again_and_counts_once(mixed_rows, tmp_path):
    from suffice import ray as engine
    from suffice import rounds
    from suffice.streams import bytes_of

    table, take = mixed_rows(rows=12_000), rounds.PlacedTask.__call__

    class Dying(rounds.PlacedTask):
        def __call__(self, place):
            made, mark = take(self, place), tmp_path / place.name
            if not mark.exists():
                mark.touch()
                os._exit(1)
            return made

    expected, plain = bytes_of(suffice.fit_stream(table, "bought")), rounds.PlacedTask
    rounds.PlacedTask = Dying
    try:
        assert bytes_of(engine.fit(dataset(table), target="bought")) == expected
    finally:
        rounds.PlacedTask = plain
    assert len(list(tmp_path.iterdir())) == len(CUTS) - 1
