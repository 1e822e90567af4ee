"""Offsets of logistic regression: columns of X whose coefficients are given, or arrays beside X."""
import numpy as np
import scipy.sparse as sp

from suffice import _core


def column_names(estimator):
    """Names of the columns of X, as the library knows them."""
    names = getattr(estimator, "feature_names_in_", None)
    return [f"x{k}" for k in range(estimator.n_features_in_)] if names is None else [str(name) for name in names]


def offset_setting(estimator):
    """The library's setting for the columns that the parameter ``offset`` names or numbers; empty: none."""
    given = getattr(estimator, "offset", None)
    if given is None:
        return {}
    names = column_names(estimator)
    found = []
    for each in [given] if isinstance(given, (str, int, np.integer)) else given:
        if isinstance(each, str) and each in names:
            found.append(each)
        elif not isinstance(each, str) and 0 <= each < len(names):
            found.append(names[each])
        else:
            raise ValueError(f"there is no column {each!r} for the offset among the {len(names)} columns of X")
    return {"offset": found}


def offset_array(offset, row_count, class_count):
    """An offset as a matrix: one column of two classes, or one for each class."""
    offset = np.asarray(offset, dtype=np.float64)
    if offset.ndim == 1:
        offset = offset[:, None]
    wanted = (1, 2) if class_count == 2 else (class_count,)
    if offset.ndim != 2 or offset.shape[0] != row_count or offset.shape[1] not in wanted:
        shape = f"({row_count},) or ({row_count}, 2)" if class_count == 2 else f"({row_count}, {class_count})"
        raise ValueError(f"the offset of {row_count} rows of {class_count} classes has the shape {shape}, not {offset.shape}")
    if not np.isfinite(offset).all():
        raise ValueError(f"the offset of row {int(np.flatnonzero(~np.isfinite(offset).all(axis=1))[0])} is no finite number")
    return offset


def beside(X, offset):
    """X and the offset as further columns of it."""
    return sp.hstack([X, offset], format="csr") if sp.issparse(X) else np.hstack([X, offset])


def beside_names(names, count):
    """Names of the columns of X, and of so many columns of offsets beside it."""
    return [*names, *(f"(offset {k + 1})" for k in range(count))]


def without_columns(values, kept, count):
    """Square or oblong tables of (intercept, columns, offsets) for each class, without the offsets."""
    stays = np.arange(values.shape[-1]) % (kept + count + 1) <= kept
    return values[np.ix_(stays, stays)]


def coefficients(class_count, count):
    """What so many columns of offsets add to the score of each class: (classes, columns)."""
    return np.array([[-0.5], [0.5]]) if count == 1 else np.eye(class_count)


def model_beside(model, count):
    """The library's regression with so many columns of offsets after its own, of known coefficients."""
    classes = len(model.classes)
    coefficient = np.ascontiguousarray(np.hstack([model.coefficient, coefficients(classes, count)]))
    names = beside_names(model.columns, count)
    known = {"class_weight": model.class_weight.tolist()}
    if model.covariance is not None:
        width = len(model.columns) + 1
        at = np.flatnonzero(np.arange((classes - 1) * (width + count)) % (width + count) < width)
        covariance = np.zeros(((classes - 1) * (width + count),) * 2)
        covariance[np.ix_(at, at)] = model.covariance
        known["covariance"] = covariance.ravel().tolist()
    return _core.given_logistic(coefficient, np.ascontiguousarray(model.intercept), model.classes, names,
                                {"penalty": model.penalty, "lasso": model.lasso, "intercept": model.has_intercept,
                                 "firth": model.firth, "link": model.link, "offset": names[len(model.columns):]}, known)
