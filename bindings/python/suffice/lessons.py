"""What courses draw: the steps of Newton's method, of EM and k-means, learning curves, families under a prior."""
import numpy as np

from suffice import _core, inputs
from suffice.labels import known_labels
from suffice.plots import Picture
from suffice.statistics import class_names

__all__ = ["gradient_steps", "group_steps", "learn_curve", "newton_steps", "plot_family"]


def newton_steps(X, y, penalty=0.0, lasso=0.0, start=None, sample_weight=None, link="logit", max_iter=200):
    """The steps of Newton's method (IRLS) to the coefficients of a logistic regression, one by one.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    penalty, lasso : float, default=0.0
        Half of ``penalty`` times the squared coefficients, and ``lasso`` times their magnitudes, are added to the loss.
    start : None, "zeros" or array-like of shape (n_classes - 1, n_features + 1), default=None
        Where to start: coefficients of each class against the first, the intercept first. None: the linear
        discriminant's, from where few steps are needed.
    sample_weight : array-like of shape (n_samples,), default=None
    link : {"logit", "probit"}, default="logit"
    max_iter : int, default=200

    Returns
    -------
    steps : list of dict
        From the start on: ``coefficients`` (a vector of two classes, else a matrix), ``log_likelihood``, ``objective``
        (with the penalties), ``gradient_norm``, ``step_length`` (1 is a whole step) and ``condition`` of the Hessian.

    See Also
    --------
    LogisticRegression : The fitted classifier.
    gradient_steps : The slower way.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> steps = suffice.newton_steps(X, y, start="zeros")
    >>> round(steps[0]["log_likelihood"], 4), round(steps[0]["gradient_norm"], 4)   # 4 log 1/2, and |Phi' (1/2 - t)|
    (-2.7726, 1.0)
    >>> steps[-1]["gradient_norm"] < 1e-8
    True
    """
    settings = {"penalty": float(penalty), "lasso": float(lasso), "link": link, "step_limit": int(max_iter)}
    return _regression_steps(X, y, settings, start, sample_weight, None)


def gradient_steps(X, y, rate="auto", penalty=0.0, start="zeros", sample_weight=None, link="logit", max_iter=100):
    """Steps against the gradient of a logistic regression's loss, w - rate * gradient, one by one.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    rate : "auto" or float, default="auto"
        How far a step goes. "auto": the inverse of the largest curvature that the loss can have, with which no step
        goes too far. With a larger one the loss may rise.
    penalty : float, default=0.0
    start : None, "zeros" or array-like, default="zeros"
        As in ``newton_steps``.
    sample_weight : array-like of shape (n_samples,), default=None
    link : {"logit", "probit"}, default="logit"
    max_iter : int, default=100

    Returns
    -------
    steps : list of dict
        As ``newton_steps`` has them; ``step_length`` is the rate.

    See Also
    --------
    newton_steps : Steps by the curvature where they stand, of which few are needed.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> steps = suffice.gradient_steps(X, y, rate=0.1, max_iter=2)
    >>> [step["coefficients"].round(4).tolist() for step in steps]  # w = 0.1 Phi' (t - y)
    [[0.0, 0.0], [0.0, 0.1], [-0.0149, 0.1652]]
    """
    settings = {"penalty": float(penalty), "link": link, "step_limit": int(max_iter)}
    if rate != "auto" and not (0 < float(rate) < np.inf):
        raise ValueError(f"rate must be 'auto' or a number above 0, not {rate!r}")
    return _regression_steps(X, y, settings, start, sample_weight, 0.0 if rate == "auto" else float(rate))


def _regression_steps(X, y, settings, start, sample_weight, descent):
    X = inputs.readable(np.asarray(X, dtype=np.float64))
    labels, codes = known_labels(y, None)
    if len(codes) != len(X):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(X)}, {len(codes)}]")
    weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    shape = (len(labels) - 1, X.shape[1] + 1)
    if start is not None:
        given = np.zeros(shape) if isinstance(start, str) and start == "zeros" else np.asarray(start, dtype=np.float64)
        given = np.vstack([np.zeros(shape[1]), given.reshape(shape)])  # the first class is what others are against
        start = np.ascontiguousarray(given[:, 1:]), np.ascontiguousarray(given[:, 0])
    steps = _core.newton_steps(X, codes, weight, class_names(labels), settings, start, descent)
    for step in steps:
        step["coefficients"] = np.array(step["coefficients"]).reshape(shape if shape[0] > 1 else shape[1:])
    return steps


def group_steps(X, n_groups, model="gaussian_mixture", covariance="full", start=None, starts=None, hard=False, sample_weight=None, max_iter=None, random_state=0):
    """The steps of EM or k-means to groups of rows, one by one, with the parameters of the groups.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_groups : int
    model : {"gaussian_mixture", "k_means", "variational_mixture"}, default="gaussian_mixture"
    covariance : str, default="full"
        Of Gaussians: "full", "tied", "diagonal", "spherical", or a name of mclust such as "VEI".
    start : array-like of int of shape (n_samples,), default=None
        The group that each row begins in. None: a start is looked for.
    starts : int, default=None
        Starts tried; the steps are those from the best. None: 10, and 1 of mixtures where rows are many.
    hard : bool, default=False
        Classification EM: each row counts for its most probable group alone.
    sample_weight : array-like of shape (n_samples,), default=None
    max_iter : int, default=None
    random_state : int, default=0

    Returns
    -------
    steps : list of dict
        From the start to the end: ``step``, ``objective`` (the log-likelihood, of k_means the sum of squares, of
        variational_mixture its bound), ``shares``, ``means`` (n_groups, n_features) and ``covariances``
        (n_groups, n_features, n_features; None of k_means). The heaviest group of the end is the first throughout.

    See Also
    --------
    GaussianMixture, KMeans : The fitted groups.
    newton_steps : The steps of logistic regression.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [12.0]])
    >>> steps = suffice.group_steps(X, 2, model="k_means", start=[0, 1, 0, 1, 0])
    >>> steps[0]["means"].round(3).tolist(), steps[-1]["means"].tolist()
    ([[4.667], [5.5]], [[1.0], [11.0]])
    >>> steps[-1]["objective"]
    4.0
    """
    X = inputs.readable(np.asarray(X, dtype=np.float64))
    weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    groups = [] if start is None else [int(each) for each in start]
    if groups and len(groups) != len(X):
        raise ValueError(f"start has {len(groups)} groups for {len(X)} rows")
    return _core.group_steps(X, weight, int(n_groups), model, covariance, bool(hard), groups, int(starts or 0), int(max_iter or 0), int(random_state))


def learn_curve(truth, y=None, models=("lda", "logistic"), sizes=None, repeats=20, test_rows=10_000, random_state=0):
    """How models do as the rows they learn from grow in number.

    Parameters
    ----------
    truth : fitted or stated model, or array-like of shape (n_samples, n_features)
        A model: rows are drawn from it, its Bayes error is known, and errors have no noise of labels. An array: rows
        are dealt out of it, and those left over judge.
    y : array-like of shape (n_samples,), default=None
        Labels of the rows of an array.
    models : sequence of str, default=("lda", "logistic")
    sizes : sequence of int, default=None
        Rows to learn from; None: doubling.
    repeats : int, default=20
        Draws of each size.
    test_rows : int, default=10000
        Rows drawn from a model to judge on.
    random_state : int, default=0

    Returns
    -------
    curve : dict
        ``points`` (rows, model, error, error_se, log_loss, log_loss_se, parameters; of a model also squared_bias and
        variance of the posteriors, which together are what the Brier score is above the least), ``bayes_error``,
        ``bayes_log_loss`` (None of an array), and ``picture``, which notebooks show.

    See Also
    --------
    given_model : A model stated rather than learned.
    compare : Models cross-validated on one table.

    Examples
    --------
    >>> import suffice
    >>> truth = suffice.given_model({"a": 0.5, "b": 0.5}, {"a": [0.0], "b": [2.0]}, [[1.0]])
    >>> curve = suffice.learn_curve(truth, models=["lda"], sizes=[20, 2000], repeats=5)
    >>> few, many = curve["points"]
    >>> few["error"] > many["error"] > curve["bayes_error"]
    True
    """
    sizes = [] if sizes is None else [int(size) for size in sizes]
    rest = list(models), sizes, int(repeats), int(test_rows), int(random_state)
    if hasattr(truth, "_file_bytes"):
        made = _core.learn_curve(truth._file_bytes(), None, [], *rest)
    else:
        if y is None:
            raise ValueError("rows need their labels: pass y, or a model to draw rows from")
        labels, codes = known_labels(y, None)
        names = class_names(labels)
        rows = inputs.readable(np.asarray(truth, dtype=np.float64))
        made = _core.learn_curve(None, rows, [names[code] for code in codes], *rest)
    made["picture"] = Picture(made.pop("svg"))
    return made


def plot_family(x=None, family=None, what="density", prior=None, mass=0.95, name="x"):
    """A family under one column of numbers: its density over their histogram, or what is known of its parameter.

    Parameters
    ----------
    x : array-like of shape (n_samples,), default=None
        NaN is missing. None: the prior alone.
    family : str or sequence of str, default=None
        Such as "gamma"; "density" takes several. None: the usual one of the prior.
    what : {"density", "prior", "posterior", "simplex"}, default="density"
        "density": the plug-in and the posterior predictive over a histogram. "prior": the prior, and what is known
        after 1, 10, 100 and all rows. "posterior": prior and posterior with its credible interval. "simplex": a
        Dirichlet of three levels, coded 0, 1, 2.
    prior : str, default=None
        Such as "beta(2,5)"; None: the family's default.
    mass : float, default=0.95
        Of the credible interval.
    name : str, default="x"
        Of the column.

    Returns
    -------
    picture : Picture
        Notebooks show it; ``save(path)`` writes the SVG.

    Examples
    --------
    >>> import suffice
    >>> suffice.plot_family([1, 1, 0, 1], what="prior", prior="beta(2,5)").svg[:4]
    '<svg'
    """
    values = np.zeros(0) if x is None else np.ascontiguousarray(x, dtype=np.float64).ravel()
    families = [] if family is None else [family] if isinstance(family, str) else list(family)
    return Picture(_core.plot_family(values, name, families, what, prior or "", float(mass)))
