"""Linear and quadratic discriminant analysis named and shaped as scikit-learn's, from one pass of class scatters."""
from suffice.discriminant_analysis.linear import LinearDiscriminantAnalysis
from suffice.discriminant_analysis.quadratic import QuadraticDiscriminantAnalysis

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
