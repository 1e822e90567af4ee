"""A fit, predictions and measures of a data frame of Dask.

usage: python examples/engines/dask_frame.py FILE.csv TARGET
"""
import sys

import dask.dataframe

from suffice import dask as engine

if __name__ == "__main__":
    path, target = sys.argv[1:3]
    frame = dask.dataframe.read_csv(path, blocksize=1500)
    model = engine.fit(frame, target=target, model="qda")
    scored = engine.predict(model, frame)
    right = (scored["prediction"] == scored[target]).mean().compute()
    measured = engine.evaluate(model, frame)
    print(f"{frame.npartitions} partitions, {measured['rows']:.0f} rows, accuracy {measured['accuracy']:.3f} and {right:.3f}")
