"""Ours through Python."""
from suffice import KMeans

NAME = "suffice"
__all__ = ["KMeans", "NAME"]
