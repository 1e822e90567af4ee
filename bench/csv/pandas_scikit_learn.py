"""pandas reads, scikit-learn fits."""
import pathlib

import pandas

from bench import scikit_bayes

NAME = "pandas + scikit-learn"


def numbers(path: pathlib.Path) -> object:
    return scikit_bayes.of_numbers(pandas.read_csv(path))


def mixed(case, path: pathlib.Path) -> dict:  # type: ignore[no-untyped-def]
    names = None if case.header else [f"c{k}" for k in range(1, 16)]
    return scikit_bayes.of_mixed(case, pandas.read_csv(path, names=names, usecols=[*case.numbers, *case.words, case.target],
                                                      skipinitialspace=True, na_values=["?"]))
