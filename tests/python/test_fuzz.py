"""Whatever is passed in: an answer or one of scikit-learn's exceptions, never a crash and never another type."""
import datetime
import warnings

import numpy as np
import pytest
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import suffice

THEIRS = {name: getattr(module, name) for module, names in (
    (sklearn.naive_bayes, ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]),
    (sklearn.discriminant_analysis, ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]))
    for name in names}
OURS = ["GaussianDiscriminant", "NaiveBayes", "PoissonNB", "RegularizedDiscriminantAnalysis"]
REFUSALS = (ValueError, TypeError, np.linalg.LinAlgError, IndexError, NotImplementedError)
RELAXED = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck), derandomize=True)

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 5), st.floats(), st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -0.0]),
    st.text(max_size=3), st.complex_numbers(max_magnitude=9), st.binary(max_size=2), st.just(object()),
    st.just(datetime.date(2020, 1, 1)), st.lists(st.integers(), max_size=2))
DTYPES = ["f8", "f4", "f2", "i8", "i1", "u4", "u8", "?", "c16", "O", "U3", "S2", "M8[s]", "m8[s]", ">f8", ">i4", "V4",
          "longdouble"]


@st.composite
def arrays(draw, most=4):
    shape = tuple(draw(st.lists(st.integers(0, 7), min_size=0, max_size=most)))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    count = int(np.prod(shape)) if shape else 1
    if dtype == object:
        made = np.empty(shape, dtype=object)
        for place in np.ndindex(shape):
            made[place] = draw(SCALARS)
    else:
        raw = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 4, count).reshape(shape)
        if dtype.kind in "fc" and draw(st.booleans()):
            raw = np.where(raw == 0, draw(st.sampled_from([np.nan, np.inf, -np.inf, -1.0, 1e200])), raw)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = np.zeros(shape, dtype) if dtype.kind == "V" else raw.astype(dtype)
    if made.ndim and draw(st.booleans()):
        made = made[::draw(st.sampled_from([1, -1, 2]))]
    if made.ndim > 1 and draw(st.booleans()):
        made = made.T
    if draw(st.booleans()):
        made.setflags(write=False)
    return draw(st.sampled_from([made, made.tolist()])) if draw(st.booleans()) else made


@st.composite
def regular(draw):
    rows, columns = draw(st.integers(2, 12)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    return rng.integers(0, 5, (rows, columns)).astype(draw(st.sampled_from(["f8", "f4", "i8", "u1"])))


def outcome(action):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return action(), None
        except Exception as error:  # noqa: BLE001  (its type is what is looked at)
            return None, error


def labels_for(draw, X):
    count = len(X) if isinstance(X, list) or getattr(X, "ndim", 0) else 1
    if draw(st.booleans()):
        return draw(arrays(2))
    return np.arange(count + draw(st.sampled_from([0, 0, 0, 1]))) % draw(st.integers(1, 3))


@RELAXED
@given(st.data(), st.sampled_from(list(THEIRS)))
def test_drop_ins_answer_or_refuse_as_scikit_learn_does(data, name):
    X = data.draw(st.one_of(arrays(), regular()))
    y = labels_for(data.draw, X)
    ours, our_error = outcome(lambda: getattr(suffice, name)().fit(X, y))
    theirs, their_error = outcome(lambda: THEIRS[name]().fit(X, y))
    assert our_error is None or isinstance(our_error, REFUSALS), repr(our_error)
    if their_error is not None and isinstance(their_error, (ValueError, TypeError, np.linalg.LinAlgError)):
        assert our_error is not None, f"theirs: {their_error!r}"
        assert isinstance(our_error, type(their_error)) or isinstance(their_error, type(our_error)), \
            f"ours {our_error!r}, theirs {their_error!r}"
    if ours is None or theirs is None:
        return
    Z = data.draw(st.one_of(st.just(X), arrays(), regular()))
    mine, our_error = outcome(lambda: ours.predict_proba(Z))
    other, their_error = outcome(lambda: theirs.predict_proba(Z))
    assert our_error is None or isinstance(our_error, REFUSALS), repr(our_error)
    if isinstance(their_error, (ValueError, TypeError)):
        assert our_error is not None, f"theirs: {their_error!r}"
    if mine is not None and other is not None and np.isfinite(other).all():
        assert mine.shape == other.shape


@RELAXED
@given(st.data(), st.sampled_from(OURS))
def test_our_own_answer_or_refuse(data, name):
    X = data.draw(st.one_of(arrays(), regular()))
    y = labels_for(data.draw, X)
    weight = data.draw(st.one_of(st.none(), st.none(), arrays(1)))
    model, error = outcome(lambda: getattr(suffice, name)().fit(X, y, sample_weight=weight))
    assert error is None or isinstance(error, REFUSALS), repr(error)
    if model is None:
        return
    for action in (model.predict_proba, model.predict, model.log_evidence, model.explain):
        Z = data.draw(st.one_of(st.just(X), arrays(), regular()))
        _, error = outcome(lambda action=action, Z=Z: action(Z))
        assert error is None or isinstance(error, REFUSALS), repr(error)


@RELAXED
@given(arrays(3), arrays(3), st.one_of(st.none(), arrays(2)), st.one_of(st.none(), st.floats(), st.text(max_size=2)))
def test_measures_and_decisions_answer_or_refuse(y, proba, cost, reject):
    for action in (lambda: suffice.evaluate(y, proba), lambda: suffice.evaluate(y, proba, sample_weight=cost),
                   lambda: suffice.decide(proba, cost=cost, reject=reject)):
        _, error = outcome(action)
        assert error is None or isinstance(error, REFUSALS), repr(error)


@RELAXED
@given(st.binary(max_size=200), st.integers(0, 10**6))
def test_damaged_bytes_are_refused(noise, place):
    model = suffice.GaussianNB().fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    good = model.statistics_.to_bytes()
    at = place % len(good)
    for damaged in (noise, good[:at], good[:at] + noise[:3] + good[at + 3:]):
        seen, error = outcome(lambda damaged=damaged: suffice.Statistics.from_bytes(damaged))
        assert isinstance(error, ValueError) or seen is not None, repr(error)


@RELAXED
@given(st.sampled_from(["Poisson", "Bernoulli", "Categorical", "Gaussian", "Gamma", "Beta", "GaussianVector"]), arrays(2),
       arrays(1))
def test_families_answer_or_refuse(name, x, weights):
    family = getattr(suffice.families, name)()
    parameter, error = outcome(lambda: family.fit(x, weights))
    assert error is None or isinstance(error, REFUSALS), repr(error)
    if parameter is not None:
        _, error = outcome(lambda: family.log_density(parameter, x))
        assert error is None or isinstance(error, REFUSALS), repr(error)
    _, error = outcome(lambda: family.posterior(dict(alpha=1.0, shape=x), x))
    assert error is None or isinstance(error, REFUSALS), repr(error)


@pytest.mark.parametrize("name", list(THEIRS) + OURS)
def test_an_unfitted_model_says_so(name):
    from sklearn.exceptions import NotFittedError

    for method in ("predict", "predict_proba", "log_evidence", "explain"):
        if name == "ComplementNB" and method == "log_evidence":
            continue
        with pytest.raises(NotFittedError):
            getattr(getattr(suffice, name)(), method)(np.ones((2, 2)))
