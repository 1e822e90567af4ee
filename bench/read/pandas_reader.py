"""pandas reads the whole file."""
import pathlib

import pandas

NAME = "pandas"


def rows(path: pathlib.Path) -> int:
    return len(pandas.read_csv(path) if path.suffix == ".csv" else pandas.read_parquet(path))
