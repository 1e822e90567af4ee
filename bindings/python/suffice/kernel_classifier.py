"""Classes whose densities are sums of kernels around their rows."""
from sklearn.base import BaseEstimator

from suffice.generative import GenerativeMixin, prior_settings


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
    unlabeled : default=-1
        A label that means: not known. None: there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import KernelDensityClassifier
    >>> X = np.array([[0.0], [0.3], [0.6], [5.0], [5.5], [-5.0], [-5.5]])
    >>> y = np.array(["middle"] * 3 + ["outside"] * 4)
    >>> KernelDensityClassifier(bandwidth=0.5).fit(X, y).predict([[5.2], [-5.2], [0.1]]).tolist()
    ['outside', 'outside', 'middle']
    """

    def __init__(self, bandwidth="scott", kernel="gaussian", independent=False, priors=None, unlabeled=-1):
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.independent = independent
        self.priors = priors
        self.unlabeled = unlabeled

    def _recipe_for(self, labels):
        settings = {"kernel": self.kernel, "bandwidth": self.bandwidth, **prior_settings(self.priors, labels)}
        return "kernel_nb" if self.independent else "kernel_density", settings
