"""What has changed from one set of rows to another, told from statistics."""
import json
import os

from suffice import _core


def drift(a, b, *, random_state=0):
    """Tells what changed from the rows of ``a`` to those of ``b``, with the keys of ``suffice drift --json``.

    Only sufficient statistics are compared, so two fitted models need no rows at all.

    Parameters
    ----------
    a, b : fitted model, path of a model file; one of the two may be data
        Data are a path of a file, or a pair ``(X, y)``, which is fitted as the other side's estimator was.
    random_state : int, default=0
        Of the rows drawn for the expected accuracy.

    Returns
    -------
    dict
        ``classes``: ``divergence``, ``p_value`` and the ``shares`` before and after. ``columns``, most changed first:
        ``column``, ``divergence`` (Jensen-Shannon in nats: 0 alike, 0.69 nothing in common), ``p_value``,
        ``adjusted_p_value`` (Holm's, for that many columns) and the same ``by_class``. ``expected_accuracy`` of ``a`` on
        rows like those of ``b``, beside ``expected_accuracy_before``, on rows like its own; None where nothing can be
        drawn from the models.

    See Also
    --------
    compare : Models beside each other on the same rows.

    Examples
    --------
    >>> import numpy as np, suffice
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 500)
    >>> X = rng.normal(size=(500, 2)) + 2 * y[:, None]
    >>> january = suffice.GaussianNB().fit(X, y)
    >>> february = suffice.GaussianNB().fit(X + [0.0, 1.0], y)
    >>> changed = suffice.drift(january, february)
    >>> [(each["column"], each["adjusted_p_value"] < 0.05) for each in changed["columns"]]
    [('x1', True), ('x0', False)]
    >>> changed["expected_accuracy"] < changed["expected_accuracy_before"]
    True
    """
    sides = [_bytes_of_model(each) for each in (a, b)]
    if sides[0] is None and sides[1] is None:
        raise TypeError("one of the two must be a fitted model or the path of a model file")
    for here, (given, other) in enumerate(((a, b), (b, a))):
        if sides[here] is None:
            sides[here] = _bytes_of_data(given, other, sides[1 - here])
    return json.loads(_core.drift(sides[0], sides[1], int(random_state)))


def _bytes_of_model(given):
    """The model file of what is one; None: these are data."""
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        if not (path.endswith(".suf") or _core.looks_like_model(path)):
            return None
        with open(path, "rb") as file:
            return file.read()
    if isinstance(given, tuple) and len(given) == 2:
        return None
    if not hasattr(given, "_file_bytes"):
        raise TypeError(f"{type(given).__name__} is neither a model of suffice nor the path of a file nor (X, y)")
    return given._file_bytes()


def _bytes_of_data(given, other, like):
    if isinstance(given, (str, os.PathLike)):
        return _core.counted_file(like, os.fspath(given))
    from sklearn.base import clone

    if isinstance(other, (str, os.PathLike)):
        from suffice.loaded import load

        other = load(other)
    return clone(other).fit(*given)._file_bytes()
