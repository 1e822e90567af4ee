"""Pieces make the whole, rows can be taken out, weights are rows: for every classifier, through Python."""
import pickle

import numpy as np
import pytest

import suffice


def problem(counts=False):
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 300)
    X = rng.poisson(1 + y[:, None] * np.array([1, 0, 2, 1]), (300, 4)) if counts else \
        rng.normal(size=(300, 4)) + y[:, None] * np.array([1, 0, 2, -1])
    return X, y


CLASSES = [(suffice.GaussianNB, {}, False), (suffice.LinearDiscriminantAnalysis, {}, False),
           (suffice.LinearDiscriminantAnalysis, {"solver": "lsqr", "shrinkage": 0.1}, False),
           (suffice.QuadraticDiscriminantAnalysis, {}, False), (suffice.MultinomialNB, {}, True),
           (suffice.ComplementNB, {}, True), (suffice.BernoulliNB, {}, True),
           (suffice.CategoricalNB, {"min_categories": 20}, True), (suffice.GaussianDiscriminant, {}, False),
           (suffice.GaussianDiscriminant, {"shared": [[0, 1], [2]]}, False),
           (suffice.RegularizedDiscriminantAnalysis, {}, False), (suffice.NaiveBayes, {}, False),
           (suffice.PoissonNB, {}, True)]
NAMES = [f"{each.__name__}-{k}" for k, (each, _, _) in enumerate(CLASSES)]
every = pytest.mark.parametrize("made", CLASSES, ids=NAMES)


def close(a, b, X, tolerance=1e-9):
    assert list(a.classes_) == list(b.classes_)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=0, atol=tolerance)


@every
def test_merging_pieces_gives_the_whole(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    whole = kind(**parameters).fit(X, y)
    close(kind(**parameters).fit(X[:120], y[:120]) + kind(**parameters).fit(X[120:], y[120:]), whole, X)


@every
def test_partial_fit_over_pieces_equals_fit(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    pieces = kind(**parameters)
    for rows in (slice(0, 100), slice(100, 110), slice(110, 300)):
        pieces.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    close(pieces, kind(**parameters).fit(X, y), X)


@every
def test_subtracting_rows_equals_never_having_had_them(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    rest = kind(**parameters).fit(X, y) - kind(**parameters).fit(X[200:], y[200:])
    close(rest, kind(**parameters).fit(X[:200], y[:200]), X, 1e-8)


@every
def test_weight_two_equals_two_rows_and_weight_zero_none(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    weight = np.where(np.arange(300) % 3 == 0, 2.0, np.where(np.arange(300) % 3 == 1, 1.0, 0.0))
    times = weight.astype(int)
    close(kind(**parameters).fit(X, y, sample_weight=weight),
          kind(**parameters).fit(np.repeat(X, times, axis=0), np.repeat(y, times)), X)


@every
def test_decay_keeps_the_answer_and_scales_the_weight(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    model = kind(**parameters).fit(X, y)
    assert model.decay(0.5).statistics_.weight == pytest.approx(150)


@every
def test_statistics_survive_bytes_and_pickle(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    model = kind(**parameters).fit(X, y)
    assert suffice.Statistics.from_bytes(model.statistics_.to_bytes()) == model.statistics_
    close(pickle.loads(pickle.dumps(model)), model, X, 0)


@every
def test_contributions_and_intercept_sum_to_the_log_joint(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    model = kind(**parameters).fit(X, y)
    contributions, intercepts = model.explain(X[:50])
    assert contributions.shape == (50, 3, 4)
    joint = contributions.sum(axis=2) + intercepts
    joint -= joint.max(axis=1, keepdims=True)
    posterior = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior, model.predict_proba(X[:50]), rtol=0, atol=1e-9)


@every
def test_saved_models_load_with_the_same_answers(made, tmp_path):
    kind, parameters, counts = made
    X, y = problem(counts)
    if kind is suffice.CategoricalNB:
        pytest.skip("a loaded model reads categories by name, not by position")
    if kind is suffice.BernoulliNB:
        X = (X > 0).astype(float)
    model = kind(**parameters).fit(X, y)
    model.save(tmp_path / "model.suf")
    loaded = suffice.load(tmp_path / "model.suf")
    assert loaded.predict(X).dtype.kind == "i"
    np.testing.assert_allclose(loaded.predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-9)


@every
def test_threads_do_not_change_a_bit(made, monkeypatch):
    kind, parameters, counts = made
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 60_000)
    X = rng.poisson(2 + y[:, None], (60_000, 4)) if counts else rng.normal(size=(60_000, 4)) + y[:, None]
    if kind is suffice.CategoricalNB:
        X = np.minimum(X, 19)
    bits = set()
    for threads in ("1", "2", "3", "7"):
        monkeypatch.setenv("SUFFICE_THREADS", threads)
        bits.add(kind(**parameters).fit(X, y).statistics_.to_bytes())
    assert len(bits) == 1


@every
def test_samples_follow_the_model(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    model = kind(**parameters).fit(X, y)
    if kind is suffice.ComplementNB:
        with pytest.raises(NotImplementedError):
            model.sample(3)
        return
    rows, labels = model.sample(2000, random_state=1)
    assert rows.shape == (2000, 4)
    again, _ = model.sample(2000, random_state=1)
    assert np.array_equal(rows, again)
    if kind not in (suffice.MultinomialNB, suffice.BernoulliNB, suffice.CategoricalNB):
        mean = np.array([X[y == c].mean(axis=0) for c in range(3)])
        drawn = np.array([np.asarray(rows[labels == c], dtype=float).mean(axis=0) for c in range(3)])
        assert abs(mean - drawn).max() < 0.5


def test_models_of_different_settings_do_not_merge():
    X, y = problem()
    with pytest.raises(ValueError, match="different parameters"):
        suffice.GaussianNB().fit(X, y) + suffice.GaussianNB(var_smoothing=1e-3).fit(X, y)


def test_rows_that_were_never_there_cannot_be_taken_out():
    X, y = problem()
    with pytest.raises(ValueError, match="not all in this model"):
        suffice.GaussianNB().fit(X[:10], y[:10]) - suffice.GaussianNB().fit(X, y)


def test_hostile_bytes_are_refused():
    X, y = problem()
    good = suffice.GaussianNB().fit(X, y).statistics_.to_bytes()
    for bad in (b"", b"SUFSTAT1", good[:-1], good + b"x", good[:40] + b"\xff" * 8 + good[48:]):
        with pytest.raises(ValueError):
            suffice.Statistics.from_bytes(bad)


@pytest.mark.parametrize("made", [each for each in CLASSES if each[0] in (
    suffice.GaussianNB, suffice.LinearDiscriminantAnalysis, suffice.QuadraticDiscriminantAnalysis,
    suffice.GaussianDiscriminant, suffice.NaiveBayes)])
def test_leave_one_out_equals_refitting(made):
    kind, parameters, counts = made
    X, y = problem(counts)
    X, y = X[:60], y[:60]
    scores = kind(**parameters).fit(X, y).leave_one_out(X, y)
    for row in (0, 17, 59):
        rest = np.arange(60) != row
        refitted = kind(**parameters).fit(X[rest], y[rest])
        np.testing.assert_allclose(scores[row], refitted.predict_log_proba(X[row : row + 1])[0], rtol=0, atol=1e-6)
