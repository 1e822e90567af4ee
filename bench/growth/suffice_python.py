"""Ours through Python, rows in memory."""
import suffice

NAME = "suffice"


def make(name: str) -> object:
    return getattr(suffice, name)()
