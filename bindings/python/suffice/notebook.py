"""Fitted models as notebooks show them: classes with their priors, columns with their families and parameters."""
import html

import numpy as np

_MOST_COLUMNS, _MOST_CLASSES = 30, 8


def _row(cells, mark="td"):
    return "<tr>" + "".join(f"<{mark}>{html.escape(str(cell))}</{mark}>" for cell in cells) + "</tr>"


def _number(value):
    values = np.ravel(value)
    shown = ", ".join(f"{each:.4g}" for each in values[:6])
    return shown if len(values) <= 6 else f"{shown}, ..."


def page(model, fitted, labels):
    """`fitted` is the library's estimate, `labels` are the classes in its order."""
    priors = np.exp(fitted.log_prior)
    weights = fitted.class_weight
    classes = "".join(_row((label, f"{weight:g}", f"{prior:.4g}"))
                      for label, weight, prior in zip(labels, weights, priors))
    shown = labels[:_MOST_CLASSES]
    described = fitted.describe()
    lines = []
    for name, family, by_class in described[:_MOST_COLUMNS]:
        for position, parameter in enumerate(by_class[0] if by_class else ()):
            lines.append(_row((name if position == 0 else "", family if position == 0 else "", parameter,
                               *(_number(each[parameter]) for each in by_class[:_MOST_CLASSES]))))
    more = [f"{len(described) - _MOST_COLUMNS} more columns"] if len(described) > _MOST_COLUMNS else []
    more += [f"{len(labels) - _MOST_CLASSES} more classes"] if len(labels) > _MOST_CLASSES else []
    return (f"<p><b>{html.escape(repr(model))}</b>: {fitted.weight:g} rows, {len(labels)} classes, "
            f"{fitted.parameter_count} parameters</p>"
            f"<table>{_row(('class', 'rows', 'prior'), 'th')}{classes}</table>"
            f"<table>{_row(('column', 'family', 'parameter', *shown), 'th')}{''.join(lines)}</table>"
            + (f"<p>and {' and '.join(more)}</p>" if more else ""))
