"""polars reads, scikit-learn fits."""
import pathlib

import polars

from bench import scikit_bayes

NAME = "polars + scikit-learn"


def numbers(path: pathlib.Path) -> object:
    return scikit_bayes.of_numbers(polars.read_csv(path).to_pandas())


def mixed(case, path: pathlib.Path) -> dict:  # type: ignore[no-untyped-def]
    """polars leaves blanks behind commas, so words keep them and numbers are cast."""
    table = polars.read_csv(path, has_header=case.header, null_values=["?", " ?", ""], infer_schema_length=10000,
                            new_columns=None if case.header else [f"c{k}" for k in range(1, 16)])
    kept = table.select([*(polars.col(name).cast(polars.String).str.strip_chars().cast(polars.Float64) for name in case.numbers),
                         *(polars.col(name).str.strip_chars() for name in case.words), polars.col(case.target).cast(polars.String).str.strip_chars()])
    return scikit_bayes.of_mixed(case, kept.to_pandas())
