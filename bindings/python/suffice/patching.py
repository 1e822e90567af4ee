"""Our classes in place of scikit-learn's, in a program that does not know of it."""
import importlib
import sys

CLASSES = {
    "sklearn.naive_bayes": ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"],
    "sklearn.linear_model": ["LogisticRegression", "LogisticRegressionCV"],
    "sklearn.discriminant_analysis": ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"],
    "sklearn.feature_extraction.text": ["CountVectorizer", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer"],
    "sklearn.mixture": ["GaussianMixture", "BayesianGaussianMixture"],
    "sklearn.cluster": ["KMeans", "MiniBatchKMeans"],
    "sklearn.neighbors": ["KernelDensity"],
}
_originals: dict[tuple[str, str], type] = {}


def patch():
    """Puts our classes into scikit-learn's modules, and into modules that have imported them already.

    >>> import suffice
    >>> suffice.patch()
    >>> from sklearn.naive_bayes import GaussianNB
    >>> GaussianNB.__module__
    'suffice.naive_bayes.gaussian'
    >>> suffice.unpatch()
    """
    import suffice

    for module, names in CLASSES.items():
        for name in names:
            _replace(module, name, getattr(suffice, name))


def unpatch():
    """Undoes ``patch()``."""
    for (module, name), original in list(_originals.items()):
        _replace(module, name, original)
    _originals.clear()


def _replace(module, name, ours):
    home = importlib.import_module(module)
    theirs = getattr(home, name)
    if theirs is ours:
        return
    _originals.setdefault((module, name), theirs)
    for each in list(sys.modules.values()):
        if getattr(each, "__dict__", None) is not None and each.__dict__.get(name) is theirs \
                and not each.__name__.startswith("suffice"):
            setattr(each, name, ours)
