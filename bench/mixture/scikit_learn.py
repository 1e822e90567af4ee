"""scikit-learn's Gaussian mixture."""
from sklearn.mixture import GaussianMixture

NAME = "scikit-learn"
__all__ = ["GaussianMixture", "NAME"]
