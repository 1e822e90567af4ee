"""polars reads, scikit-learn fits."""
import pathlib

import polars

from bench import scikit_bayes

NAME = "polars + scikit-learn"


def numbers(path: pathlib.Path) -> object:
    return scikit_bayes.of_numbers(polars.read_parquet(path).to_pandas())
