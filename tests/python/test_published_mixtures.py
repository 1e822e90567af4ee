"""Mixtures and kernel densities against published truths: the mixture of Hastie, Tibshirani and Friedman, Old Faithful."""
import os
import pathlib

import numpy as np
import pytest

import suffice

DATA = pathlib.Path(os.environ.get("SUFFICE_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))


def table(*names):
    path = DATA.joinpath(*names)
    if not path.exists():
        pytest.skip(f"{'/'.join(names)} is not among the data sets here")
    return np.genfromtxt(path, delimiter=",", skip_header=1)


def posterior(zero, one):
    """p(class 1 | x) of two equally frequent classes from their log densities."""
    return 1 / (1 + np.exp(zero - one))


def test_given_components_have_the_posterior_and_density_of_the_book():
    grid, means = table("esl_mixture", "mixture_grid_truth.csv"), table("esl_mixture", "mixture_means.csv")
    train = table("esl_mixture", "mixture_train.csv")
    log_density = []
    for own in (means[:10], means[10:]):
        made = suffice.GaussianMixture(10, covariance_type="spherical", weights_init=np.full(10, 0.1), means_init=own,
                                       precisions_init=np.full(10, 5.0), max_iter=0)
        log_density.append(made.fit(train[:, :2]).score_samples(grid[:, :2]))
    np.testing.assert_allclose(posterior(*log_density), grid[:, 2], atol=1e-6)
    marginal = np.exp(np.logaddexp(*log_density)) / 2
    np.testing.assert_allclose(marginal / marginal.sum(), grid[:, 3] / grid[:, 3].sum(), atol=1e-9)


@pytest.mark.parametrize(("model", "allowed"), [
    (suffice.GaussianMixture(5, covariance_type="full", reg_covar=0.02, n_init=10, random_state=0), 0.1),
    (suffice.KernelDensity(bandwidth=0.45), 0.1)])
def test_densities_of_each_class_come_near_the_true_posterior(model, allowed):
    grid, train = table("esl_mixture", "mixture_grid_truth.csv"), table("esl_mixture", "mixture_train.csv")
    log_density = [model.fit(train[train[:, 2] == label, :2]).score_samples(grid[:, :2]) for label in (0, 1)]
    found, weight = posterior(*log_density), grid[:, 3] / grid[:, 3].sum()
    error = weight @ np.abs(found - grid[:, 2])
    nothing = weight @ np.abs(0.5 - grid[:, 2])
    assert error < allowed < nothing / 2
    # Who decides by it does nearly as well as who knows the truth (0.21 errors).
    wrong = weight @ np.where(found > 0.5, 1 - grid[:, 2], grid[:, 2])
    best = weight @ np.minimum(grid[:, 2], 1 - grid[:, 2])
    assert best == pytest.approx(0.21, abs=0.005)
    assert wrong < best + 0.03


def test_old_faithful_has_the_published_maxima():
    X = table("faithful", "faithful.csv")[:, -2:]
    best = suffice.GaussianMixture(2, n_init=5, tol=1e-10, max_iter=2000, reg_covar=0, random_state=0).fit(X)
    assert best.score(X) * len(X) == pytest.approx(-1130.2641, abs=1e-3)
    assert -best.bic(X) == pytest.approx(2 * -1130.2641 - 11 * np.log(272), abs=1e-2)
