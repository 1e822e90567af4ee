"""scikit-learn's solvers that suit the rows; the quickest in a first run is the one that is timed."""
import sklearn.linear_model

NAME = "scikit-learn"


def models(dense: bool) -> dict[str, object]:
    solvers = ("lbfgs", "newton-cholesky", "newton-cg") if dense else ("newton-cg", "saga")
    return {f"{NAME} {solver}": sklearn.linear_model.LogisticRegression(solver=solver) for solver in solvers}
