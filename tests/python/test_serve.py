"""The server within Python and its client: what they answer is what the model says."""
import signal
import subprocess
import sys

import numpy as np
import pytest

import suffice
from suffice.serve import Client, Problem, Server

RNG = np.random.default_rng(5)
X = np.concatenate([RNG.normal(0, 1, (40, 3)), RNG.normal(1.5, 1, (40, 3))])
Y = np.repeat(["a", "b"], 40)


@pytest.fixture(scope="module")
def model():
    return suffice.GaussianDiscriminant().fit(X, Y)


@pytest.fixture
def server(model):
    with Server({"small": model}, port=0, threads=1) as running:
        yield running


def records(client, values):
    names = client.columns("small")
    return [dict(zip(names, map(float, row))) for row in values]


def test_answers_are_those_of_the_model(server, model):
    with Client(server.address) as client:
        found = client.predict("small", records(client, X))
        assert [one["label"] for one in found] == list(model.predict(X))
        assert np.allclose([[one["probabilities"][name] for name in "ab"] for one in found], model.predict_proba(X), rtol=1e-12)
        explained = client.explain("small", records(client, X[:2]))
        total = [sum(explained[0]["contributions"]["a"].values()) + explained[0]["intercepts"]["a"]]
        assert np.allclose(total, model.predict_joint_log_proba(X[:1])[0, 0]) if hasattr(model, "predict_joint_log_proba") else explained
        assert len(client.sample("small", 5).splitlines()) == 6
        assert [each["name"] for each in client.models()] == ["small"]
        assert "suffice_requests_total" in client.metrics()


def test_frames_and_tables(server, model):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    with Client(server.address) as client:
        frame = pandas.DataFrame(X, columns=client.columns("small"))
        frame.iloc[0, 0] = np.nan
        assert [one["label"] for one in client.predict("small", frame)][1:] == list(model.predict(X))[1:]
        try:
            found = client.predict_table("small", pyarrow.Table.from_pandas(frame))
        except Problem as problem:
            assert "libsuffice_arrow" in problem.detail  # the package reads Arrow by another way than the command
        else:
            assert found["prediction"].to_pylist()[1:] == list(model.predict(X))[1:]


def test_sums_that_others_made_are_merged(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table({"u": X[:, 0], "v": X[:, 1], "w": X[:, 2], "kind": Y.tolist()})
    suffice.fit_stream(table.take(list(range(0, 80, 2))), target="kind", model="lda").save(str(tmp_path / "grows.suf"))
    whole = suffice.fit_stream(table, target="kind", model="lda")
    with Server(tmp_path / "grows.suf", port=0, learn=True, log=tmp_path / "log") as server, Client(server.address) as client:
        assert client.merge("grows", suffice.statistics_of(table.take(list(range(1, 80, 2))), target="kind", model="lda")) == {"sequence": 1}
        assert client.models()[0]["rows"] == 80
        found = client.predict("grows", [dict(zip("uvw", map(float, row))) for row in X[:5]])
        expected = suffice.predict_stream(whole, table.slice(0, 5)).read_all()["p(a)"].to_pylist()
        assert np.allclose([one["probabilities"]["a"] for one in found], expected, rtol=1e-9)


def test_tables_choose_what_they_are_told(server, model):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    with Client(server.address) as client:
        try:
            found = client.predict_table("small", pyarrow.table(dict(zip(client.columns("small"), X.T))), outputs=["decision", "log_evidence"], top=1, reject=0.9)
        except Problem as problem:
            assert "libsuffice_arrow" in problem.detail
            return
        assert found.column_names == ["prediction", "choice_1", "p_1", "decision", "log_evidence"]
        sure = model.predict_proba(X).max(axis=1) >= 0.9
        assert [label is not None for label in found["decision"].to_pylist()] == sure.tolist() and 0 < sure.sum() < len(X)


def test_learning_in_process(tmp_path):
    lines = ["u,v,w,kind", *(",".join(map(str, [*row, label])) for row, label in zip(X, Y))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    suffice.fit_files([str(tmp_path / "rows.csv")], target="kind", model="lda").save(str(tmp_path / "grows.suf"))
    with Server(tmp_path / "grows.suf", port=0, learn=True, log=tmp_path / "log", fsync="always") as server, Client(server.address) as client:
        about = client.models()[0]
        names = [column["name"] for column in about["columns"]]
        row = {**dict(zip(names, [0.1, 0.2, 0.3])), about["target"]: "a"}
        assert client.learn("grows", [row, row]) == {"rows": 2, "sequence": 1}
        assert client.models()[0]["rows"] == 82
        assert client.forget("grows", [row]) == {"rows": 1, "sequence": 2}
        assert client.decay("grows", 0.5)["sequence"] == 3
        assert client.merge("grows", tmp_path / "grows.suf")["sequence"] == 4
    assert list((tmp_path / "log").glob("grows.4.suf")), "its end writes a snapshot"


def test_what_is_wrong_is_raised(server, model, tmp_path):
    with Client(server.address) as client:
        with pytest.raises(Problem, match="row 1") as problem:
            client.predict("small", [{}])
        assert problem.value.status == 400
        with pytest.raises(Problem, match="no model none"):
            client.predict("none", [{}])
    with pytest.raises(TypeError, match="no option 'colour'"):
        Server({"small": model}, colour="red")
    with pytest.raises((ValueError, TypeError), match="port takes a whole number from 0 to 65535"):
        Server({"small": model}, port=70000)
    with pytest.raises((ValueError, OSError)):
        Server(tmp_path / "none.suf", port=0)


def test_two_servers_live_side_by_side_and_end(model):
    with Server({"one": model}, port=0) as first, Server({"two": model}, port=0) as second:
        assert first.address != second.address
        assert Client(second.address).models()[0]["name"] == "two"
    with pytest.raises(OSError):
        Client(first.address, timeout=2).models()


def test_the_module_is_the_command(model, tmp_path):
    model.save(str(tmp_path / "small.suf"))
    process = subprocess.Popen([sys.executable, "-m", "suffice.serve", str(tmp_path / "small.suf"), "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        address = process.stderr.readline().removeprefix("listening on ").strip()
        assert Client(address).models()[0]["name"] == "small"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.stderr.close()
    done = subprocess.run([sys.executable, "-m", "suffice.serve", str(tmp_path / "none.suf"), "--port", "0"], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "none.suf" in done.stderr and "Traceback" not in done.stderr
