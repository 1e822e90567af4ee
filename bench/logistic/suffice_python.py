"""Ours through Python."""
import suffice

NAME = "suffice"


def models(dense: bool) -> dict[str, object]:
    return {NAME: suffice.LogisticRegression()}
