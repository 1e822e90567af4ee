"""scikit-learn's kernel density: a tree of its points."""
from sklearn.neighbors import KernelDensity

NAME = "scikit-learn"
__all__ = ["KernelDensity", "NAME"]
