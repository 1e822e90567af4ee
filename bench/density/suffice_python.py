"""Ours through Python."""
from suffice import KernelDensity

NAME = "suffice"
__all__ = ["KernelDensity", "NAME"]
