"""The estimator that has the name of a model in a file, with the parameters that the file's settings say."""
import numpy as np

from suffice.column_families import NaiveBayes, PoissonNB
from suffice.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.gaussian_discriminant import GaussianDiscriminant, RegularizedDiscriminantAnalysis
from suffice.kernel_classifier import HistogramNB, KernelDensityClassifier, NearestClassifier
from suffice.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from suffice.text_classifier import MODELS, TextClassifier


def class_of(state):
    """An estimator that is not fitted yet, or None where no class stands for the model."""
    if state.column_kinds == ["text"]:
        return _text(state, state.settings)
    make = _MAKERS.get(state.model)
    return None if make is None else make(state, state.settings)


def _priors(state, settings):
    """None, "uniform" or an array, in the order of the classes."""
    given = settings["priors"]
    if isinstance(given, dict):
        return np.array([given[name] for name in state.classes])
    return None if given == "empirical" else given


def _listed(state, settings):
    priors = _priors(state, settings)
    return np.full(len(state.classes), 1 / len(state.classes)) if isinstance(priors, str) else priors


def _numbers(state):
    """One group of columns, all of them numbers without holes."""
    parts = state.parts()
    return set(state.column_kinds) <= {"number", "flag"} and len(parts) == 1 and bool(parts[0].get("complete", True))


def _gaussian_nb(state, settings):
    plain = _numbers(state) and settings["estimate"] != "predictive"
    return GaussianNB(priors=_listed(state, settings), var_smoothing=settings["added_variance_share"]) if plain else None


def _discrete(kind, whole):
    def make(state, settings):
        if settings["estimate"] == "predictive" or len(state.parts()) != 1 or not whole(state):
            return None
        alpha = settings["column_smoothing"] or (0.0 if settings["estimate"] == "likelihood" else settings["smoothing"])
        if kind is ComplementNB:
            return kind(alpha=alpha, norm=settings["normalize_weights"])
        made = kind(alpha=alpha, fit_prior=settings["priors"] == "empirical")
        if isinstance(settings["priors"], dict):
            made.class_prior = _priors(state, settings)
        if kind is BernoulliNB:
            made.binarize = None
        return made

    return make


def _numbered(state):
    """Are the levels of all columns the numbers 0, 1, ...?"""
    return all(kind == "category" and set(levels) <= set(map(str, range(len(levels)))) for _, kind, levels, _ in state.columns)


def _plain_gaussians(state, settings):
    known = settings["shrinkage"] == "none" or (isinstance(settings["shrinkage"], float) and settings["units"] == "raw")
    return (_numbers(state) and state.parts()[0]["part"] == "covariance" and known and settings["estimate"] in ("likelihood", "auto") and settings["rank"] == 0
            and settings["alpha"] == 1 and settings["gamma"] == 0 and settings["added_variance"] == 0)


def _shrinkage(settings):
    return None if settings["shrinkage"] == "none" else settings["shrinkage"]


def _has_full_rank(state):
    """By the rule of scikit-learn's LinearDiscriminantAnalysis, which leaves out what it calls collinear."""
    scatter = state.parts()[0]["scatter"]
    within = scatter.sum(axis=0) if scatter.ndim == 3 else scatter
    scale = np.sqrt(np.diag(within))
    return bool((scale > 0).all()) and np.linalg.eigvalsh(within / np.outer(scale, scale))[0] > 1e-8


def _linear(state, settings):
    if not _plain_gaussians(state, settings) or not _has_full_rank(state):
        return _discriminant(state, settings)
    shrinkage = _shrinkage(settings)
    return LinearDiscriminantAnalysis("svd" if shrinkage is None else "lsqr", shrinkage, _listed(state, settings))


def _quadratic(state, settings):
    scatter = state.parts()[0].get("scatter") if _plain_gaussians(state, settings) else None
    weight = state.class_weight
    regular = scatter is not None and scatter.ndim == 3 and all(
        np.linalg.eigvalsh(each / n)[0] > 1e-4 for each, n in zip(scatter, weight))
    if not regular:
        return _discriminant(state, settings)
    shrinkage = _shrinkage(settings)
    return QuadraticDiscriminantAnalysis(solver="svd" if shrinkage is None else "eigen", shrinkage=shrinkage,
                                         priors=_listed(state, settings), reg_param=settings["toward_identity"])


def _discriminant(state, settings):
    shared = {"all": "all", "own": "none"}.get(settings["sharing"], settings["groups"])
    estimate = "likelihood" if settings["estimate"] == "auto" else settings["estimate"]
    return GaussianDiscriminant(settings["covariance"], shared, _shrinkage(settings), estimate, _priors(state, settings),
                                unlabeled=None)


def _regularized(state, settings):
    return RegularizedDiscriminantAnalysis(settings["alpha"], settings["gamma"], _priors(state, settings), unlabeled=None)


def _naive_bayes(state, settings):
    chosen = {"evidence": "auto"}  # the part that gathers what the choice of a family needs
    family_of = {column: chosen.get(part["part"], part["part"]) for part in state.parts()
                 for column in part["columns"] if part["part"] != "joint"}
    whole = len(family_of) == len(state.columns)
    families = ([family_of[column] for column in range(len(state.columns))] if whole
                else {state.columns[column][0]: family for column, family in family_of.items()})
    joint = [[state.columns[column][0] for column in part["columns"]] for part in state.parts() if part["part"] == "joint"]
    return NaiveBayes(families, _priors(state, settings), "map" if settings["estimate"] == "auto" else settings["estimate"],
                      settings["smoothing"], settings["column_priors"] or None, joint or None, None)


def _kernels(state, settings):
    return KernelDensityClassifier(settings["bandwidth"], settings["kernel"], state.model == "kernel_nb",
                                   _priors(state, settings), None)


def _text(state, settings):
    options = state.text_options
    least, whole = int(options["minimum_length"]), int(settings["max_features"])
    kind = {name: word for word, name in MODELS.items()}.get(state.model)
    if kind is None:  # a model of columns of any kind, of which there is one, of text
        return None
    return TextClassifier(
        kind, smoothing=settings["smoothing"],
        estimate="map" if settings["estimate"] == "auto" else settings["estimate"], priors=_priors(state, settings),
        analyzer=options["analyzer"], ngram_range=_range(options["ngrams"]), lowercase=options["lowercase"],
        strip_accents=None if options["strip_accents"] == "none" else options["strip_accents"],
        token_pattern=r"(?u)\b\w\w+\b" if least == 2 else rf"(?u)\b\w{{{least},}}\b",
        stop_words=options["stop_words"] or None, stemmer=options["stemmer"] or None, min_df=_share(settings["min_df"], 1),
        max_df=_share(settings["max_df"], 1.0), max_features=whole or None, binary=options["binary"],
        normalize_weights=settings["normalize_weights"], idf=settings["idf"], document_length=settings["document_length"],
        hash_features=int(options["hash_features"]) or None, ngram_smoothing=settings["ngram_smoothing"], unlabeled=None)


def _range(ngrams):
    """Written N, or M-N."""
    if isinstance(ngrams, (int, float)):
        return (1, int(ngrams))
    least, _, most = str(ngrams).partition("-")
    return (int(least), int(most)) if most else (1, int(float(least)))


def _share(value, usual):
    return usual if value == 1 else int(value) if value > 1 else value


_MAKERS = {
    "naive_bayes": _naive_bayes,
    "gaussian_nb": _gaussian_nb,
    "bernoulli_nb": _discrete(BernoulliNB, _numbers),
    "multinomial_nb": _discrete(MultinomialNB, _numbers),
    "complement_nb": _discrete(ComplementNB, _numbers),
    "categorical_nb": _discrete(CategoricalNB, _numbered),
    "poisson_nb": lambda state, settings: PoissonNB(_priors(state, settings), settings["smoothing"], None),
    "linear_discriminant": _linear,
    "quadratic_discriminant": _quadratic,
    "grouped_discriminant": _discriminant,
    "diagonal_discriminant": _discriminant,
    "spherical_discriminant": _discriminant,
    "regularized_discriminant": _regularized,
    "kernel_density": _kernels,
    "kernel_nb": _kernels,
    "histogram_nb": lambda state, settings: HistogramNB(settings["bins"], settings["smoothing"], _priors(state, settings),
                                                        None),
    "nearest": lambda state, settings: NearestClassifier(int(settings["neighbors"]) or None, _priors(state, settings), None),
}
