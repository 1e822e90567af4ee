"""scikit-learn's contract for estimators, for every drop-in class."""
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import suffice

DROP_INS = [suffice.GaussianNB(), suffice.BernoulliNB(), suffice.MultinomialNB(), suffice.ComplementNB(),
            suffice.CategoricalNB(), suffice.LinearDiscriminantAnalysis(), suffice.QuadraticDiscriminantAnalysis()]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(DROP_INS)
def test_contract(estimator, check):
    check(estimator)
