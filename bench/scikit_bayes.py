"""The nearest scikit-learn has to a naive Bayes of mixed columns, for the tasks that start from a file.

Numbers go to GaussianNB (holes filled with the mean), words through OrdinalEncoder to CategoricalNB (a hole is a level there).
"""
import numpy
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder


def of_numbers(table) -> numpy.ndarray:  # type: ignore[no-untyped-def]
    """Means of each class after a fit to a data frame whose last column is the class."""
    return GaussianNB().fit(table.iloc[:, :-1].to_numpy(), table.iloc[:, -1].to_numpy()).theta_


def of_mixed(case, table) -> dict[str, dict[str, list[float]]]:  # type: ignore[no-untyped-def]
    target = table[case.target].astype(str).to_numpy()
    gaussian = make_pipeline(SimpleImputer(), GaussianNB()).fit(table[case.numbers].to_numpy(), target)[-1]
    codes = OrdinalEncoder().fit_transform(table[case.words].fillna("?").astype("str").to_numpy())
    categorical = CategoricalNB().fit(codes, target)
    word = case.words.index(case.whole_word)
    return {name: {"mean": gaussian.theta_[k, case.numbers.index(case.whole_number)],
                   "probability": numpy.exp(categorical.feature_log_prob_[word][k]).tolist()}
            for k, name in enumerate(gaussian.classes_)}
