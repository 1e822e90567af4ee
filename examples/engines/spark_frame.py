"""A fit, predictions and measures of a data frame of Spark, on this machine.

usage: python examples/engines/spark_frame.py FILE.csv TARGET
"""
import os
import sys

from pyspark.sql import SparkSession

from suffice import spark as engine

if __name__ == "__main__":
    path, target = sys.argv[1:3]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
    frame = spark.read.csv(path, header=True, inferSchema=True).repartition(3)
    model = engine.fit(frame, target=target, model="qda")
    measured = engine.evaluate(model, frame)
    engine.predict(model, frame).select(target, "prediction").show(2)
    print(f"{measured['rows']:.0f} rows, accuracy {measured['accuracy']:.3f}")
    spark.stop()
