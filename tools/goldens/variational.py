"""Writes tests/goldens/variational_values.csv: scikit-learn's variational mixtures after thirty steps, from given shares.

Run with python -P tools/goldens/variational.py.
"""
import pathlib

import numpy
import sklearn.mixture

GOLDENS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "goldens"
COMPONENTS, STEPS = 4, 30


def main():
    lines = [line.split(",") for line in (GOLDENS / "mixture_rows.csv").read_text().splitlines()]
    X = numpy.array([[float(cell) for cell in cells[1:]] for cells in lines if cells[0] == "row"])
    # Blocks of rows, so that the start has some structure and no tie.
    share = numpy.eye(COMPONENTS)[numpy.arange(len(X)) * COMPONENTS // len(X)]
    out = ["case,quantity,values"]
    for shape in ("full", "tied", "diag", "spherical"):
        for prior in ("dirichlet_process", "dirichlet_distribution"):
            model = sklearn.mixture.BayesianGaussianMixture(n_components=COMPONENTS, covariance_type=shape,
                                                            weight_concentration_prior_type=prior)
            model._check_parameters(X)
            model._initialize(X, share)
            bounds = []
            for _ in range(STEPS):
                evidence, log_share = model._e_step(X)
                model._m_step(X, log_share)
                bounds.append(float(numpy.squeeze(model._compute_lower_bound(log_share, evidence))))
            model._set_parameters(model._get_parameters())
            for name, values in (("weights", model.weights_), ("means", model.means_),
                                 ("covariances", model.covariances_), ("degrees", model.degrees_of_freedom_),
                                 ("bounds", bounds)):
                numbers = ",".join(repr(float(value)) for value in numpy.ravel(values))
                out.append(f"{shape} {prior},{name},{numbers}")
    (GOLDENS / "variational_values.csv").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
