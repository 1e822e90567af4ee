"""``suffice.spark`` as an Estimator and a Model of pyspark.ml: for Pipeline, CrossValidator and evaluators."""
from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasProbabilityCol

from suffice import spark
from suffice.streams import Scorer, bytes_of


class _Shared(HasLabelCol, HasPredictionCol, HasProbabilityCol):
    model = Param(Params._dummy(), "model", "the name of the model, such as naive_bayes or linear_discriminant",
                  TypeConverters.toString)
    inputCols = Param(Params._dummy(), "inputCols", "the columns to learn from; empty: all but the label",
                      TypeConverters.toListString)
    settings = Param(Params._dummy(), "settings", "settings of suffice.spark.fit by name")


class Classifier(_Shared, Estimator):
    """Learns from columns by their names: numbers, flags, categories, text, with values missing; no vectors are needed.

    ``transform`` of its model adds ``prediction`` (the place of the class among ``classes``, a double, as evaluators of
    pyspark.ml want it), ``probability`` (a vector) and ``predicted`` (the class itself). A label of whole numbers from 0
    keeps its numbers where all classes were seen.
    """

    @keyword_only
    def __init__(self, *, model="naive_bayes", labelCol="label", inputCols=(), predictionCol="prediction",
                 probabilityCol="probability", settings=None):
        super().__init__()
        self._setDefault(model="naive_bayes", labelCol="label", inputCols=[], predictionCol="prediction",
                         probabilityCol="probability", settings={})
        given = {name: value for name, value in self._input_kwargs.items() if value is not None}
        given["inputCols"] = list(given.get("inputCols", ()))
        self._set(**given)

    def _fit(self, dataset):
        label, names = self.getOrDefault("labelCol"), self.getOrDefault("inputCols")
        frame = dataset.select(*names, label) if names else dataset
        fitted = spark.fit(frame, target=label, model=self.getOrDefault("model"), **self.getOrDefault("settings"))
        return self._copyValues(ClassifierModel(bytes_of(fitted)))


class ClassifierModel(_Shared, Model):
    """What ``Classifier`` has fitted; ``fitted`` is the model as suffice has it."""

    def __init__(self, data=b""):
        super().__init__()
        self._data = data

    @property
    def classes(self):
        return Scorer(self._data).classes

    @property
    def fitted(self):
        from suffice.loaded import load_bytes

        return load_bytes(self._data)

    def copy(self, extra=None):
        made = super().copy(extra)
        made._data = self._data
        return made

    def _transform(self, dataset):
        from pyspark.ml.functions import array_to_vector
        from pyspark.sql import functions

        scorer = Scorer(self._data)
        classes = scorer.classes
        scored = spark.predict(self._data, dataset.drop("predicted"))
        place = functions.create_map(*[functions.lit(each) for k, name in enumerate(classes)
                                       for each in (int(name) if scorer.integer else name, float(k))])
        columns = [functions.col(f"`p({name})`") for name in classes]
        made = (scored.withColumnRenamed("prediction", "predicted")
                .withColumn(self.getOrDefault("probabilityCol"), array_to_vector(functions.array(*columns))))
        made = made.withColumn(self.getOrDefault("predictionCol"), place[functions.col("predicted")])
        return made.drop(*[f"p({name})" for name in classes])
