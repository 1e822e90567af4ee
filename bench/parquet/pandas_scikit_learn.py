"""pandas reads (with pyarrow), scikit-learn fits."""
import pathlib

import pandas

from bench import scikit_bayes

NAME = "pandas + scikit-learn"


def numbers(path: pathlib.Path) -> object:
    return scikit_bayes.of_numbers(pandas.read_parquet(path))
