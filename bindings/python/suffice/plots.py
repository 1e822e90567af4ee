"""Reports and pictures of fitted models, for notebooks and files; on a matplotlib axis where one is given."""
import html
import json
import os

import numpy as np

from suffice import _core
from suffice.deciding import codes_of
from suffice.estimator import write_file

_FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".json": "json"}
# Okabe and Ito's colours, as in the reports.
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b5b95", "#6e6e6e"]
_MARKERS = "os^DvPXh"


class Report:
    """A report as ``suffice report`` writes it. Notebooks show it; ``save`` writes it as .html, .md or .json."""

    def __init__(self, make):
        self._make = make
        self._made = {}

    def text(self, format="html"):
        """The report as "html", "md" or "json"."""
        if format not in _FORMATS.values():
            raise ValueError(f"format must be html, md or json, not {format!r}")
        if format not in self._made:
            self._made[format] = self._make(format)
        return self._made[format]

    def save(self, path):
        """Writes the report; the name's ending says in which format."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in _FORMATS:
            raise ValueError(f"the name of a report ends in .html, .md or .json, not in {ending!r}")
        write_file(path, self.text(_FORMATS[ending]).encode())

    def _repr_html_(self):
        # A frame of its own: the page's styles must not leak into the notebook.
        return (f'<iframe srcdoc="{html.escape(self.text())}" title="Report" sandbox="allow-scripts" '
                'style="width:100%;height:75vh;border:1px solid #8a949e"></iframe>')

    def __repr__(self):
        return f"Report({len(self.text())} characters of HTML; save(path) writes it)"


class Picture:
    """One picture as SVG. Notebooks show it; ``save`` writes it."""

    def __init__(self, svg):
        self.svg = svg

    def save(self, path):
        """Writes the SVG."""
        write_file(path, self.svg.encode())

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return f"Picture({len(self.svg)} characters of SVG; save(path) writes it)"


def _codes(model, y):
    return codes_of(model._model().classes, y)


def _column_names(model):
    fitted = model._model()
    return fitted.columns if hasattr(fitted, "columns") else [name for name, *_ in fitted.state.columns]


def report(model, X, y, sample_weight=None, columns=None):
    """The report of a fitted model on labelled rows; what ``model.report`` gives.

    >>> import numpy as np, suffice
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> page = suffice.GaussianNB().fit(X, y).report(X, y)
    >>> page.text().startswith("<!doctype html>")
    True
    """
    weight = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
    chosen = list(columns or ())
    if hasattr(model, "_report_text"):  # its rows are no columns
        made = Report(lambda format: model._report_text(X, y, weight, format, chosen))
    else:
        file, rows, codes = model._file_bytes(), model._lend(X), _codes(model, y)
        made = Report(lambda format: _core.report_text(file, rows, codes, weight, format, chosen))
    made.text()  # now, so that bad input is said here
    return made


def plot_boundary(model, X, y=None, columns=None, what="boundary", ax=None):
    """Regions of the classes in two columns and the boundaries between them, all other columns integrated out.

    ``what`` may also be "posterior" or "density". Without ``columns`` discriminant coordinates are used where the model
    has any, else the two columns that separate the classes most; of one column there are the densities of the classes, or
    the posterior. Without ``y`` points have the predicted class. With a matplotlib axis the same numbers are drawn there
    and the axis returned; else a Picture.
    """
    labels = model.predict(X) if y is None else y
    if ax is None:
        return _picture(model, X, labels, what, columns)
    drawn = _data(model, X, labels, what, columns)
    if "y" not in drawn:
        _draw_line(ax, drawn, what)
    else:
        _draw_plane(ax, drawn, what)
    ax.legend()
    return ax


def plot_confusion(model, X, y, ax=None):
    """The confusion matrix of labelled rows: truth down, prediction across."""
    if ax is None:
        return _picture(model, X, y, "confusion")
    drawn = _data(model, X, y, "confusion")
    names, counts = drawn["classes"], np.array(drawn["confusion"])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for truth, decision in np.ndindex(counts.shape):
        ax.text(decision, truth, f"{counts[truth, decision]:g}", ha="center", va="center",
                color="white" if shares[truth, decision] > 0.5 else "black")
    ax.set(xticks=range(len(names)), yticks=range(len(names)), xlabel="prediction", ylabel="truth")
    ax.set_xticklabels(names, rotation=45, ha="right")
    ax.set_yticklabels(names)
    return ax


def plot_roc(model, X, y, ax=None):
    """ROC curves of labelled rows, each class against the others."""
    if ax is None:
        return _picture(model, X, y, "roc")
    drawn = _data(model, X, y, "roc")
    for curve in drawn["curves"]:
        area = "" if curve["area"] is None else f" ({curve['area']:.3g})"
        ax.plot(*np.array(curve["points"]).T, color=_COLOURS[drawn["classes"].index(curve["class"]) % 8],
                label=curve["class"] + area)
    ax.plot([0, 1], [0, 1], "--", color="0.5")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    ax.legend()
    return ax


def plot_calibration(model, X, y, ax=None):
    """How often predictions are right against the probability stated for them, in 15 bins."""
    if ax is None:
        return _picture(model, X, y, "calibration")
    bins = _data(model, X, y, "calibration")["bins"]
    ax.plot([0, 1], [0, 1], "--", color="0.5")
    ax.plot([each["stated"] for each in bins], [each["observed"] for each in bins], "o-", color=_COLOURS[0])
    ax.set(xlabel="largest posterior of a row", ylabel="observed frequency")
    return ax


def _picture(model, X, y, what, columns=None):
    return Picture(_text(model, X, y, what, columns))


def _data(model, X, y, what, columns=None):
    """What the picture is drawn from."""
    return json.loads(_text(model, X, y, what, columns, data=True))


def _text(model, X, y, what, columns, data=False):
    names = _column_names(model)
    chosen = [] if columns is None else [each if isinstance(each, str) else names[int(each)] for each in columns]
    return _core.picture_text(model._file_bytes(), model._lend(X), _codes(model, y), what, chosen, data)


def _draw_line(ax, drawn, what):
    values = np.array(drawn["posterior"]) if what == "posterior" or "log_density" not in drawn else np.exp(drawn["log_density"])
    for code, name in enumerate(drawn["classes"]):
        ax.plot(drawn["at"], values[:, code], color=_COLOURS[code % 8], label=name)
    ax.set(xlabel=drawn["x"], ylabel="posterior" if what == "posterior" else "density")


def _draw_plane(ax, drawn, what):
    columns, rows = drawn["grid"]["columns"], drawn["grid"]["rows"]
    u, v = np.linspace(*drawn["grid"]["x"], columns), np.linspace(*drawn["grid"]["y"], rows)
    posterior = np.array(drawn["posterior"]).reshape(rows, columns, -1)
    colours = np.array([[int(_COLOURS[c % 8][k:k + 2], 16) / 255 for k in (1, 3, 5)] for c in range(posterior.shape[2])])
    if what == "density":
        for code, density in enumerate(np.moveaxis(np.exp(drawn["log_density"]).reshape(posterior.shape), 2, 0)):
            ax.contour(u, v, density, colors=[colours[code]], linewidths=0.8)
    else:
        shown = posterior @ colours if what == "posterior" else colours[posterior.argmax(axis=2)]
        ax.imshow(shown, extent=(u[0], u[-1], v[0], v[-1]), origin="lower", aspect="auto", alpha=0.6 if what == "posterior" else 0.18)
        _pair_lines(ax, u, v, posterior)
    points, labels = np.array(drawn["rows"]).reshape(-1, 2), np.array(drawn["classes_of_rows"])
    for code, name in enumerate(drawn["classes"]):
        own = points[labels == name]
        ax.scatter(own[:, 0], own[:, 1], s=14, color=_COLOURS[code % 8], marker=_MARKERS[code % 8], label=name,
                   edgecolors="white", linewidths=0.4)
    ax.set(xlabel=drawn["x"], ylabel=drawn["y"])


def _pair_lines(ax, u, v, posterior):
    """Each pairwise boundary only where its two classes lead all others."""
    classes = posterior.shape[2]
    logs = np.log(np.maximum(posterior, 1e-300))
    for a in range(classes):
        for b in range(a + 1, classes):
            others = np.delete(logs, [a, b], axis=2).max(axis=2, initial=-np.inf)
            gap = np.where(np.maximum(logs[..., a], logs[..., b]) >= others, logs[..., a] - logs[..., b], np.nan)
            if np.nanmin(gap, initial=np.inf) < 0 < np.nanmax(gap, initial=-np.inf):
                ax.contour(u, v, gap, levels=[0], colors="0.2")
