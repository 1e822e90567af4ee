from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from suffice.generative import GenerativeMixin

class DocumentsMixin(GenerativeMixin):
    def sample(  # type: ignore[override]
        self, n_samples: int = 1, random_state: int | np.random.RandomState | None = None
    ) -> tuple[list[str], NDArray[Any]]: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]: ...

class TextClassifier(DocumentsMixin):
    def __init__(
        self,
        model: Literal["multinomial", "complement", "bernoulli", "ngram"] = "multinomial",
        *,
        smoothing: float = 1.0,
        estimate: Literal["map", "likelihood", "predictive"] = "map",
        priors: Literal["uniform"] | ArrayLike | None = None,
        analyzer: Literal["word", "char", "char_wb"] = "word",
        ngram_range: tuple[int, int] = (1, 1),
        lowercase: bool = True,
        strip_accents: Literal["ascii", "unicode"] | None = None,
        token_pattern: str = ...,
        stop_words: str | Sequence[str] | None = None,
        stemmer: str | None = None,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        binary: bool = False,
        normalize_weights: bool = False,
        idf: bool = False,
        document_norm: Literal["l2"] | None = None,
        document_length: Literal["none", "poisson", "negative_binomial"] = "none",
        hash_features: int | None = None,
        order: int = 3,
        ngram_smoothing: Literal["kneser_ney", "witten_bell"] = "kneser_ney",
        unlabeled: Any = None,
        unlabeled_weight: float = 1.0,
    ) -> None: ...
