from suffice import discriminant_analysis as discriminant_analysis
from suffice import families as families
from suffice import naive_bayes as naive_bayes
from suffice.decisions import decide as decide
from suffice.decisions import evaluate as evaluate
from suffice.discriminant_analysis import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
from suffice.discriminant_analysis import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
from suffice.gaussian_discriminant import GaussianDiscriminant as GaussianDiscriminant
from suffice.loaded import LoadedModel as LoadedModel
from suffice.column_families import NaiveBayes as NaiveBayes
from suffice.column_families import PoissonNB as PoissonNB
from suffice.gaussian_discriminant import RegularizedDiscriminantAnalysis as RegularizedDiscriminantAnalysis
from suffice.loaded import fit_files as fit_files
from suffice.loaded import load as load
from suffice.naive_bayes import BernoulliNB as BernoulliNB
from suffice.naive_bayes import CategoricalNB as CategoricalNB
from suffice.naive_bayes import ComplementNB as ComplementNB
from suffice.naive_bayes import GaussianNB as GaussianNB
from suffice.naive_bayes import MultinomialNB as MultinomialNB
from suffice.patching import patch as patch
from suffice.patching import unpatch as unpatch
from suffice.statistics import Statistics as Statistics

__version__: str
