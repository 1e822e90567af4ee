"""Ours through Python."""
from suffice import GaussianMixture

NAME = "suffice"
__all__ = ["GaussianMixture", "NAME"]
