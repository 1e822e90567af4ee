"""scikit-learn-intelex, Intel's replacement for parts of scikit-learn."""
from sklearnex.cluster import KMeans

NAME = "scikit-learn-intelex"
__all__ = ["KMeans", "NAME"]
