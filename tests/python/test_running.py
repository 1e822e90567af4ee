"""How the package runs: quick to import, no copy of X, the lock released, safe in threads and after fork, Ctrl-C."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone

import suffice


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_does_not_import_scikit_learn():
    assert run("import sys, suffice; print('sklearn' in sys.modules)").strip() == "False"


LAYOUTS = {
    "rows": lambda base: base,
    "Fortran order": lambda base: base.reshape(50, -1).T,
    "every other column": lambda base: base[:, ::2],
    "rows from the last": lambda base: base[::-1],
    "columns behind a gap": lambda base: base[:, 3:],
}


def _peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024


def _grown(action):
    """By how much the resident memory rose above what it was, at its highest."""
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = _peak()
    action()
    return _peak() - before


@pytest.fixture(scope="module")
def gigabyte():
    base = np.empty((2_500_000, 50))  # 1 GB
    base.reshape(5, -1, 50)[:] = np.random.default_rng(0).normal(size=(500_000, 50))
    return base


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_gigabyte_is_not_copied_whatever_its_layout(gigabyte, layout):
    X = LAYOUTS[layout](gigabyte)
    X.setflags(write=False)
    y = (np.arange(len(X)) % 3).astype(np.int64)
    kinds = [suffice.GaussianNB, suffice.LinearDiscriminantAnalysis, suffice.NaiveBayes]
    for kind in kinds[: 3 if layout == "rows" else 1]:
        model = kind()
        assert _grown(lambda: model.fit(X, y)) < 0.1 * gigabyte.nbytes  # codes of y are 1 % of it
        assert _grown(lambda: model.predict(X[:500_000])) < 0.1 * gigabyte.nbytes


def test_single_precision_is_not_copied():
    X = np.random.default_rng(0).random((640_000, 50), dtype=np.float32)  # 128 MB
    X.setflags(write=False)
    y = np.arange(len(X)) % 3
    for kind in (suffice.GaussianNB, suffice.LinearDiscriminantAnalysis, suffice.NaiveBayes):
        model = kind()
        assert _grown(lambda: model.fit(X, y)) < 0.1 * X.nbytes
        assert _grown(lambda: model.predict(X[:100_000])) < 0.1 * X.nbytes


def test_groups_are_found_where_rows_lie():
    """k-means keeps a copy in single precision of up to 256 MiB, and of more rows makes it tile by tile."""
    few = np.random.default_rng(0).normal(size=(100_000, 50))
    few[:50_000] += 3
    many = np.empty((1_500_000, 50))  # 600 MB
    many.reshape(15, -1, 50)[:] = few
    centres = suffice.KMeans(3, init=few[[0, 1, -1]], n_init=1, max_iter=5, tol=0)
    components = suffice.GaussianMixture(2, covariance_type="diag", max_iter=2, init_params="random_from_data", random_state=0)
    expected = clone(centres).fit(few)
    components.fit(few)  # whatever the first fit loads
    for X in (many, many.reshape(50, -1).T, many.astype(np.float32)):
        X.setflags(write=False)
        for model in (centres, components):
            assert _grown(lambda: model.fit(X)) < 0.15 * X.nbytes, f"{model} of {X.dtype}"
            assert _grown(lambda: model.predict(X)) < 0.1 * X.nbytes, f"{model} of {X.dtype}"
        if X is many:
            np.testing.assert_allclose(centres.cluster_centers_, expected.cluster_centers_, rtol=1e-9, atol=1e-9)
            np.testing.assert_array_equal(centres.labels_[:100_000], expected.labels_)


def test_python_runs_while_the_library_computes():
    X = np.random.default_rng(0).normal(size=(200_000, 60))
    y = np.arange(200_000) % 3
    suffice.QuadraticDiscriminantAnalysis().fit(X[:1000], y[:1000])
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    started = time.perf_counter()
    for _ in range(3):
        suffice.QuadraticDiscriminantAnalysis().fit(X, y)
    ended = time.perf_counter()
    done.set()
    counter.join()
    assert sum(started < tick < ended for tick in ticks) > 5


def test_several_threads_get_the_same_answer():
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    y = np.arange(20_000) % 3
    alone = suffice.LinearDiscriminantAnalysis().fit(X, y).statistics_.to_bytes()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: suffice.LinearDiscriminantAnalysis().fit(X, y).statistics_.to_bytes(),
                                 range(16)))
    assert set(together) == {alone}


def _in_child(queue):
    X = np.random.default_rng(0).normal(size=(50_000, 10))
    queue.put(suffice.GaussianNB().fit(X, np.arange(50_000) % 2).theta_.sum())


def test_forked_children_can_fit():
    X = np.random.default_rng(0).normal(size=(50_000, 10))
    here = suffice.GaussianNB().fit(X, np.arange(50_000) % 2).theta_.sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == here
    child.join()


def test_interrupt_stops_a_long_fit():
    X = np.random.default_rng(0).normal(size=(300_000, 100))
    y = np.arange(300_000) % 3
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores Ctrl-C
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            for _ in range(500):
                suffice.QuadraticDiscriminantAnalysis().fit(X, y)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_patched_programs_use_our_classes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from sklearn.naive_bayes import GaussianNB\nprint(GaussianNB.__module__)\n")
    done = subprocess.run([sys.executable, "-m", "suffice.patch", str(script)], capture_output=True, text=True,
                          check=True)
    assert done.stdout.strip() == "suffice.naive_bayes.gaussian"


def test_threadpoolctl_limits_our_threads():
    import threadpoolctl

    from suffice import _core

    suffice.GaussianNB()
    with threadpoolctl.threadpool_limits(1):
        assert {"suffice": 1}.items() <= {
            each["internal_api"]: each["num_threads"] for each in threadpoolctl.threadpool_info()}.items()
    assert _core.default_thread_count() >= 1


def test_the_number_of_threads_can_be_set_from_outside():
    told = "import suffice; from suffice import _core, threads; threads.register(); import ctypes; " \
           "print(ctypes.CDLL(_core.__file__).suffice_get_num_threads())"
    for name in ("SUFFICE_THREADS", "OMP_NUM_THREADS"):
        done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True,
                              env={**os.environ, name: "1"})
        assert done.stdout.strip() == "1"


def _threads_in_worker(_):
    import ctypes

    from suffice import _core

    suffice.GaussianNB()
    return ctypes.CDLL(_core.__file__).suffice_get_num_threads()


def test_workers_of_joblib_share_the_cores():
    import joblib

    cores = joblib.cpu_count()
    seen = joblib.Parallel(n_jobs=cores, backend="loky")(joblib.delayed(_threads_in_worker)(k) for k in range(cores))
    assert set(seen) == {1}
