"""Any model of the library by its name, fitted to rows in memory as ``suffice fit`` fits files."""
import numpy as np
import scipy.sparse

from suffice import _core, frames
from suffice.estimator import say
from suffice.labels import known_labels, row_weights
from suffice.loaded import fitted_model, given_setting
from suffice.statistics import class_names


def fit(X, y, model="naive_bayes", families=None, sample_weight=None, columns=None, threads=0,
        weight_kind="frequency", exclude=(), **settings):
    """Fits a model to a data frame, an Arrow table or an array; every column is taken as in a file.

    ``sample_weight`` says how often each row was seen, or with ``weight_kind="importance"`` how much it is worth beside
    others. ``columns`` names the columns of an array; ``exclude`` those to leave out. Labels that are None or NaN are not known. A setting that the model does
    not take is refused. None is the default. Settings:

    {settings}

    >>> import numpy as np, suffice
    >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array(["low", "low", "high", "high"])
    >>> suffice.fit(X, y, "linear_discriminant").predict([[0.5]]).tolist()
    ['low']
    """
    held = _columns_of(X, columns)
    width, held = len(held), _without(held, [exclude] if isinstance(exclude, str) else list(exclude))
    labels, codes = known_labels(y, None)
    names = [*class_names(labels), ""]
    given = {key: given_setting(value) for key, value in settings.items()}
    state, notes = _core.fit_table(held, [names[code] for code in codes], row_weights(sample_weight, len(codes)), str(getattr(y, "name", None) or ""),
                                   model, given, dict(families or {}), weight_kind, threads)
    say(notes)
    made = fitted_model(state)
    learned = [each if isinstance(each, str) else each[0] for each in state.columns]
    if columns is None and not hasattr(X, "columns") and len(learned) < width:  # an array, of which columns were left out
        made._chosen_columns = width, [int(name[1:]) for name in learned]
    return made


def _without(held, exclude):
    unknown = [name for name in exclude if name not in {each[0] for each in held}]
    if unknown:
        raise ValueError(f"there is no column {unknown[0]} to leave out")
    return [each for each in held if each[0] not in exclude]


def _columns_of(X, names):
    """(name, numbers, None, 0) or (name, codes, levels, how many of them are declared)."""
    if scipy.sparse.issparse(X):
        X = X.toarray()
    read = frames.read(X)
    if read is None:
        X = np.asarray(X)
        read = frames.as_columns(X, [f"x{k}" for k in range(X.shape[1])], {})
    if names is not None:
        if len(names) != len(read.described):
            raise ValueError(f"{len(names)} names for {len(read.described)} columns")
        read = read.under_names([str(name) for name in names])
    return frames.as_table(read)


if fit.__doc__:  # not under python -OO
    fit.__doc__ = fit.__doc__.replace("{settings}", "\n    ".join(
        f"{each['name']} : {each['told']}" for each in _core.settings_list()))
