"""Reports and pictures from Python: what notebooks show, what files hold, what an axis gets."""
import json
import xml.etree.ElementTree as xml

import numpy as np
import pytest
import suffice
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, confusion_matrix

X, y = load_iris(return_X_y=True)
MODELS = [suffice.GaussianNB(), suffice.LinearDiscriminantAnalysis(), suffice.GaussianDiscriminant(shared="none"), suffice.NaiveBayes()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_report_is_one_page_and_its_numbers_are_scikit_learns(model, tmp_path):
    model = model.fit(X, y)
    report = model.report(X, y)
    assert report.text().startswith("<!doctype html>") and report.text().count("<script>") == 1
    assert "srcdoc=" in report._repr_html_()
    for name in ("report.html", "report.md", "report.json"):
        report.save(tmp_path / name)
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["evaluation"]["accuracy"] == pytest.approx(accuracy_score(y, model.predict(X)))
    assert told["evaluation"]["confusion"] == confusion_matrix(y, model.predict(X)).tolist()
    assert (tmp_path / "report.md").read_text().startswith("# Report on")
    with pytest.raises(ValueError, match="html"):
        report.save(tmp_path / "report.pdf")


def test_pictures_are_svg_with_a_title(tmp_path):
    model = suffice.GaussianDiscriminant(shared="none").fit(X, y)
    pictures = {"Decision boundaries of": suffice.plot_boundary(model, X),
                "Confusion matrix": suffice.plot_confusion(model, X, y),
                "ROC curves": suffice.plot_roc(model, X, y), "Reliability": suffice.plot_calibration(model, X, y)}
    for title, picture in pictures.items():
        page = xml.fromstring(picture._repr_svg_())
        assert page.find("{http://www.w3.org/2000/svg}title").text.startswith(title)
    pictures["ROC curves"].save(tmp_path / "roc.svg")
    assert (tmp_path / "roc.svg").read_text() == pictures["ROC curves"].svg


def test_bad_input_says_what():
    model = suffice.GaussianNB().fit(X, y)
    with pytest.raises((ValueError, TypeError), match="two"):
        suffice.plot_boundary(model, X, columns=["x0", "x1", "x2"])
    with pytest.raises(ValueError, match="no row has a class"):
        model.report(X, np.full(150, 7))


def test_a_matplotlib_axis_is_drawn_on_and_returned():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    model = suffice.GaussianNB().fit(X, y)
    axes = Figure(figsize=(8, 8)).subplots(2, 2).ravel()
    assert suffice.plot_boundary(model, X, y, columns=[2, 3], ax=axes[0]) is axes[0]
    assert len(axes[0].collections) >= 3
    assert suffice.plot_confusion(model, X, y, ax=axes[1]) is axes[1]
    assert [each.get_text() for each in axes[1].texts] == [f"{each:g}" for each in confusion_matrix(y, model.predict(X)).ravel()]
    assert suffice.plot_roc(model, X, y, ax=axes[2]) is axes[2]
    assert len(axes[2].lines) == 4
    assert suffice.plot_calibration(model, X, y, ax=axes[3]) is axes[3]


def test_axes_show_what_pictures_do():
    """Also of words, of one column, and of discriminant coordinates."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pandas = pytest.importorskip("pandas")
    from matplotlib.figure import Figure
    from scipy.stats import norm

    frame = pandas.DataFrame({"length": X[:, 2], "width": X[:, 3], "size": np.where(X[:, 0] > 5.8, "large", "small")})
    model = suffice.NaiveBayes(estimate="likelihood").fit(frame, y)
    axes = Figure(figsize=(8, 8)).subplots(2, 2).ravel()
    suffice.plot_boundary(model, frame, y, columns=["length"], ax=axes[0])
    for label, line in enumerate(axes[0].lines):
        own = X[y == label, 2]
        np.testing.assert_allclose(line.get_ydata(), norm.pdf(line.get_xdata(), own.mean(), own.std()), rtol=1e-9, atol=1e-12)
    assert len(axes[0].lines) == 3
    suffice.plot_boundary(model, frame, y, columns=["length", "size"], ax=axes[1])
    assert axes[1].get_ylabel() == "size" and len(axes[1].images) == 1
    suffice.plot_boundary(model, frame, y, columns=["length", "width"], what="density", ax=axes[2])
    assert not axes[2].images and len(axes[2].collections) == 6  # contours and points of each class
    coordinates = suffice.GaussianDiscriminant(shared="all").fit(X, y)
    suffice.plot_boundary(coordinates, X, y, ax=axes[3])
    assert axes[3].get_xlabel().startswith("discriminant coordinate 1")
