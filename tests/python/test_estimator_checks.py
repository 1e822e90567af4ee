"""scikit-learn's contract for estimators, for every drop-in class."""
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import suffice

DROP_INS = [suffice.GaussianNB(), suffice.BernoulliNB(), suffice.MultinomialNB(), suffice.ComplementNB(),
            suffice.CategoricalNB(), suffice.LinearDiscriminantAnalysis(), suffice.QuadraticDiscriminantAnalysis(),
            suffice.CountVectorizer(), suffice.HashingVectorizer(), suffice.TfidfTransformer(),
            suffice.TfidfVectorizer(), suffice.TextClassifier()]

SINGULAR = "a class of these rows is singular, where scikit-learn's QDA fails too; it is spared as it takes no weights"


def expected_failures(estimator):
    if isinstance(estimator, suffice.QuadraticDiscriminantAnalysis):
        return {name: SINGULAR for name in ("check_sample_weights_shape", "check_sample_weights_not_overwritten",
                                            "check_sample_weight_equivalence_on_dense_data")}
    return {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(DROP_INS, expected_failed_checks=expected_failures)
def test_contract(estimator, check):
    check(estimator)
