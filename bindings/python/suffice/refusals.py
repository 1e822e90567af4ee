"""What a model refuses, in words that say why: a regression needs repeated passes over rows and models no densities."""


def refused(why):
    """In the place of a method; ``hasattr`` says that there is none."""
    def tell(self):
        raise AttributeError(why)

    return property(tell, doc=f"Refused: {why}.")


class RegressionRefusalsMixin:
    """What other classifiers do with their statistics and densities, refused; ``hasattr`` tells."""

    statistics_ = refused("logistic regression needs repeated passes over rows, so no statistics of them determine it; "
                           "use update()")
    decay = refused("logistic regression needs repeated passes over rows, so it cannot decay; use update()")
    partial_fit = refused("logistic regression needs repeated passes over rows, so it cannot gain them piece by piece; "
                           "use update()")
    leave_one_out = refused("logistic regression needs repeated passes over rows, so leaving each out means fitting anew; "
                             "use cross-validation")
    log_evidence = refused("logistic regression models no densities, so there is no log p(x)")
    sample = refused("logistic regression models no densities, so no rows can be drawn from it")

    def __add__(self, other):
        raise TypeError("logistic regressions cannot be merged: they need repeated passes over rows; use update()")

    __sub__ = __add__
