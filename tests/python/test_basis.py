"""Basis functions: each spans what SciPy's or the formula's does, and comes back from files and pickles."""
import pickle

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_interp_spline
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.pipeline import make_pipeline

import suffice

rng = np.random.default_rng(7)
x = np.round(rng.gamma(2.0, 2.0, 300), 6)
low, high = x.min(), x.max()


def natural(count):
    knots = np.quantile(x, np.linspace(0, 1, count + 1))
    return make_interp_spline(knots, np.eye(count + 1), bc_type="natural")(x)


def b_splines(count):
    inner = np.quantile(x, np.linspace(0, 1, count - 1)[1:-1])
    return BSpline.design_matrix(x, np.r_[[low] * 4, inner, [high] * 4], 3).toarray()


def bumps(count):
    centres = np.linspace(low, high, count)
    return np.exp(-(((x[:, None] - centres) / (centres[1] - centres[0])) ** 2) / 2)


def steps(count):
    centres = np.linspace(low, high, count)
    return 1 / (1 + np.exp(-(x[:, None] - centres) / (centres[1] - centres[0])))


def waves(count):
    turn = 2 * np.pi * (x[:, None] - low) / (high - low) * np.arange(1, count + 1)
    return np.hstack([np.sin(turn), np.cos(turn)])


EACH = {"poly(3)": (suffice.basis.polynomial(3), np.vander(x, 4)[:, :3]), "spline(5)": (suffice.basis.spline(5), natural(5)),
        "bspline(6)": (suffice.basis.b_spline(6), b_splines(6)), "radial(4)": (suffice.basis.radial(4), bumps(4)),
        "sigmoid(4)": (suffice.basis.sigmoid(4), steps(4)), "fourier(2)": (suffice.basis.fourier(2), waves(2))}
each_basis = pytest.mark.parametrize("term", EACH)


def left_over(functions, others):
    """How much of the functions the others and a constant do not span, as a share of the functions' size."""
    space = np.column_stack([np.ones(len(x)), others])
    found = np.linalg.lstsq(space, functions, rcond=1e-13)[0]
    return np.abs(space @ found - functions).max() / np.abs(functions).max()


@each_basis
def test_the_functions_span_what_the_formula_does(term):
    basis, expected = EACH[term]
    found = basis.fit(x[:, None]).transform(x[:, None])
    assert found.shape[1] == len(basis.get_feature_names_out())
    assert left_over(found, expected) < 1e-9
    assert left_over(expected, found) < 1e-9


@each_basis
def test_a_basis_comes_back_from_pickles_and_model_files(term, tmp_path):
    y = (np.sin(x) + rng.normal(size=len(x)) > 0).astype(int)
    basis = EACH[term][0].fit(x[:, None])
    values = basis.transform(x[:, None])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(basis)).transform(x[:, None]), values)
    expected = Theirs(C=2.0, tol=1e-10, max_iter=10000).fit(values, y).predict_proba(values)
    (tmp_path / "rows.csv").write_text("x,y\n" + "".join(f"{a:.6f},{b}\n" for a, b in zip(x, y)))
    model = suffice.fit_files(tmp_path / "rows.csv", target="y", model="logistic_regression", penalty=0.5, basis=[f"x={term}"],
                              units="raw")
    np.testing.assert_allclose(model.predict_proba(x[:, None]), expected, atol=1e-5)
    model.save(tmp_path / "m.suf")
    np.testing.assert_array_equal(suffice.load(tmp_path / "m.suf").predict_proba(x[:, None]), model.predict_proba(x[:, None]))


def test_natural_splines_are_linear_beyond_the_outer_knots():
    outside = np.array([high + 1, high + 2, high + 3, low - 3, low - 2, low - 1])[:, None]
    values = suffice.basis.spline(4).fit(x[:, None]).transform(outside)
    np.testing.assert_allclose(np.diff(values[:3], 2, axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(np.diff(values[3:], 2, axis=0), 0, atol=1e-8)


def test_products_of_named_columns_go_through_a_pipeline():
    X = np.column_stack([x, rng.normal(size=len(x))])
    y = (X[:, 0] * X[:, 1] > 0.5).astype(int)
    model = make_pipeline(suffice.basis.interactions(["x0", "x1"]), suffice.LogisticRegression()).fit(X, y)
    assert model[0].get_feature_names_out().tolist() == ["x0", "x1", "x0*x1"]
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("terms, words", [("x0=wave(3)", "neither"), ("size=poly(2)", "no column size"),
                                          ("x0=poly(99)", "between 1 and 30"), ("x0=bspline(2)", "bspline"), ("x0", "neither")])
def test_bad_terms_are_one_sentence(terms, words):
    with pytest.raises((TypeError, ValueError), match=words):
        suffice.basis.Basis(terms).fit(x[:, None])
