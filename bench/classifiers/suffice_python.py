"""Ours through Python."""
import suffice

NAME = "suffice"


def make(name: str, settings: dict[str, object]) -> object:
    return getattr(suffice, name)(**settings)
