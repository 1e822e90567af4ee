"""scikit-learn's k-means."""
from sklearn.cluster import KMeans

NAME = "scikit-learn"
__all__ = ["KMeans", "NAME"]
