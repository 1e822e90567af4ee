"""Suffice: generative classifiers that are functions of their sufficient statistics.

Change the import and keep the program: the classes named as in scikit-learn take the same parameters and have the
same fitted attributes. What they add: ``a + b`` merges two fitted models exactly, ``a - b`` takes rows out again,
``partial_fit`` over pieces equals ``fit``, and ``statistics_`` is a value that can be saved and sent.

>>> import numpy as np, suffice
>>> X = np.array([[1.0, 2.0], [1.5, 1.8], [5.0, 8.0], [6.0, 9.0]])
>>> y = np.array([0, 0, 1, 1])
>>> model = suffice.GaussianNB().fit(X, y)
>>> model.predict(np.array([[1.2, 2.1], [5.5, 8.5]])).tolist()
[0, 1]
>>> halves = suffice.GaussianNB().fit(X[::2], y[::2]) + suffice.GaussianNB().fit(X[1::2], y[1::2])
>>> bool(np.allclose(halves.theta_, model.theta_))
True
"""
import importlib

__version__ = "0.1.0"

# Where each public name lives. Modules are loaded on first use: scikit-learn costs most of a second to import and is
# needed by the estimators only.
_WHERE = {
    "GaussianNB": "naive_bayes",
    "BernoulliNB": "naive_bayes",
    "MultinomialNB": "naive_bayes",
    "ComplementNB": "naive_bayes",
    "CategoricalNB": "naive_bayes",
    "LinearDiscriminantAnalysis": "discriminant_analysis",
    "QuadraticDiscriminantAnalysis": "discriminant_analysis",
    "GaussianMixture": "gaussian_mixture",
    "BayesianGaussianMixture": "mixture",
    "KMeans": "cluster",
    "MiniBatchKMeans": "mini_batch",
    "CentreClusters": "centres",
    "KernelDensity": "density",
    "HistogramDensity": "point_density",
    "NearestDensity": "point_density",
    "KernelDensityClassifier": "kernel_classifier",
    "HistogramNB": "kernel_classifier",
    "NearestClassifier": "kernel_classifier",
    "MixtureDiscriminantAnalysis": "mixture_discriminant",
    "Mixture": "family_mixture",
    "GaussianDiscriminant": "gaussian_discriminant",
    "RegularizedDiscriminantAnalysis": "gaussian_discriminant",
    "AutoClassifier": "auto",
    "NaiveBayes": "column_families",
    "PoissonNB": "column_families",
    "LoadedModel": "loaded",
    "load": "loaded",
    "fit": "fitting",
    "fit_files": "loaded",
    "fit_stream": "streams",
    "predict_stream": "streams",
    "statistics_of": "streams",
    "plan_statistics": "streams",
    "merge_bytes": "streams",
    "model_from_bytes": "streams",
    "given_model": "loaded",
    "from_sklearn": "imported",
    "LogisticRegression": "logistic",
    "ProbitRegression": "logistic",
    "LogisticRegressionCV": "logistic_cv",
    "to_binary": "logistic_conversion",
    "to_logistic": "logistic_conversion",
    "to_softmax": "logistic_conversion",
    "Statistics": "statistics",
    "CountVectorizer": "text",
    "HashingVectorizer": "text",
    "TfidfTransformer": "text",
    "TfidfVectorizer": "text",
    "compare": "comparison",
    "drift": "drifting",
    "TextClassifier": "text_classifier",
    "evaluate": "decisions",
    "decide": "decisions",
    "top_k": "decisions",
    "CalibratedModel": "deciding",
    "gradient_steps": "lessons",
    "group_steps": "lessons",
    "learn_curve": "lessons",
    "newton_steps": "lessons",
    "plot_family": "lessons",
    "plot_boundary": "plots",
    "plot_calibration": "plots",
    "plot_confusion": "plots",
    "plot_roc": "plots",
    "UsageError": "_core",
    "patch": "patching",
    "unpatch": "patching",
}
_MODULES = ("basis", "families", "math", "naive_bayes", "discriminant_analysis", "serve", "text")
_ENGINES = ("dask", "ray", "spark")  # each needs a package that few have

__all__ = sorted(_WHERE) + list(_MODULES)


def __getattr__(name):
    home = name if name in _MODULES + _ENGINES else _WHERE.get(name)
    if home is None:
        raise AttributeError(f"module 'suffice' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"suffice.{home}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("sklearn", "scipy", "threadpoolctl"):
            raise
        raise ImportError(f"suffice.{name} needs scikit-learn: pip install 'suffice[sklearn]'") from error
    value = module if name in _MODULES + _ENGINES else getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(__all__))
