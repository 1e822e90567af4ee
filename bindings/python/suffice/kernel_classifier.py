"""Classes whose densities have no form: kernels around their rows, histograms, the nearest rows."""
from sklearn.base import BaseEstimator

from suffice.generative import GenerativeMixin, prior_settings
from suffice.shared_docs import documented


@documented
class KernelDensityClassifier(GenerativeMixin, BaseEstimator):
    """Kernel densities as class-conditionals: no form is assumed, the rows themselves stand for the density.

    Models merge by putting their rows together; categories are counted beside the kernels.

    Parameters
    ----------
    bandwidth : float, "scott", "silverman", "cv" or "sheather_jones", default="scott"
        A number is in the columns' own units; the rules count in standard deviations of each class.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, default="gaussian"
    independent : bool, default=False
        A density for each column (kernel naive Bayes) instead of one for all of them jointly.
    priors : None, "uniform" or array-like, default=None
    unlabeled : default=None
        A label that means: not known. None: there is none.

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    KernelDensity : The density alone.
    NearestClassifier, HistogramNB : The other two ways without a form.

    Notes
    -----
    The statistic is the list of rows, so that models still merge exactly, and rows can be taken out again.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import KernelDensityClassifier
    >>> X = np.array([[0.0], [0.3], [0.6], [5.0], [5.5], [-5.0], [-5.5]])
    >>> y = np.array(["middle"] * 3 + ["outside"] * 4)
    >>> KernelDensityClassifier(bandwidth=0.5).fit(X, y).predict([[5.2], [-5.2], [0.1]]).tolist()
    ['outside', 'outside', 'middle']
    """

    def __init__(self, bandwidth="scott", kernel="gaussian", independent=False, priors=None, unlabeled=None):
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.independent = independent
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"kernel": self.kernel, "bandwidth": self.bandwidth, **prior_settings(self.priors, labels)}
        return "kernel_nb" if self.independent else "kernel_density", settings


@documented
class HistogramNB(GenerativeMixin, BaseEstimator):
    """Naive Bayes with a histogram of each column in each class.

    Parameters
    ----------
    bins : int, "freedman_diaconis" or "blocks", default="freedman_diaconis"
        Edges common to all classes: so many of equal width, of the width 2 IQR / n^(1/3), or by Bayesian blocks.
    smoothing : float, default=1.0
        What is added to the count of every bin.
    priors : None, "uniform" or array-like, default=None
    unlabeled : default=None
        A label that means: not known. None: there is none.

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    HistogramDensity : The density alone.
    NaiveBayes : Families with a form, chosen by evidence.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import HistogramNB
    >>> X = np.array([[0.0], [1.0], [1.0], [4.0], [4.0], [3.0], [4.0], [0.0]])
    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> HistogramNB(bins=2).fit(X, y).predict([[0.5], [3.5]]).tolist()
    [0, 1]
    """

    def __init__(self, bins="freedman_diaconis", smoothing=1.0, priors=None, unlabeled=None):
        self.bins = bins
        self.smoothing = smoothing
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"bins": self.bins, "smoothing": float(self.smoothing), **prior_settings(self.priors, labels)}
        return "histogram_nb", settings


@documented
class NearestClassifier(GenerativeMixin, BaseEstimator):
    """Nearest-neighbour densities: the posterior of a class is its share of the k nearest rows of all classes.

    Parameters
    ----------
    n_neighbors : int or None, default=None
        None: the square root of the number of rows.
    priors : None, "uniform" or array-like, default=None
    unlabeled : default=None
        A label that means: not known. None: there is none.

    Attributes
    ----------
    <attributes of classifiers>

    See Also
    --------
    NearestDensity : The density alone.
    KernelDensityClassifier : A volume that is fixed instead of a number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import NearestClassifier
    >>> X, y = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [7.0]]), np.array([0, 0, 1, 1, 1, 1])
    >>> NearestClassifier(n_neighbors=3).fit(X, y).predict([[0.5], [5.5]]).tolist()
    [0, 1]
    """

    def __init__(self, n_neighbors=None, priors=None, unlabeled=None):
        self.n_neighbors = n_neighbors
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        return "nearest", {"neighbors": self.n_neighbors or 0, **prior_settings(self.priors, labels)}
