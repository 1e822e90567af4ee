"""Models of documents from files."""
from suffice import _core
from suffice.loaded import LoadedModel
from suffice.text_classifier import DocumentsMixin


class LoadedText(DocumentsMixin, LoadedModel):
    """A model of one column of text, from a file: it takes documents as ``TextClassifier`` does."""

    def fit(self, X, y, sample_weight=None):
        """Refuses: a loaded model gains documents by ``partial_fit``."""
        return LoadedModel.fit(self, X, y, sample_weight)

    def _text_model(self):
        if self.statistics_._model is None:
            self.statistics_._model = (None, _core.TextModel.estimate(self.statistics_._state))
        return self.statistics_._model[1]
