from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

class CountVectorizer:
    vocabulary_: dict[str, int]
    fixed_vocabulary_: bool
    def __init__(
        self,
        *,
        input: Literal["content", "file", "filename"] = "content",
        encoding: str = "utf-8",
        decode_error: Literal["strict", "ignore", "replace"] = "strict",
        strip_accents: Literal["ascii", "unicode"] | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        stop_words: Literal["english"] | list[str] | None = None,
        token_pattern: str | None = ...,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Literal["word", "char", "char_wb"] | Callable[[Any], Iterable[str]] = "word",
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Mapping[str, int] | Iterable[str] | None = None,
        binary: bool = False,
        dtype: DTypeLike = ...,
    ) -> None: ...
    def fit(self, raw_documents: Iterable[Any], y: Any = None) -> Self: ...
    def fit_transform(self, raw_documents: Iterable[Any], y: Any = None) -> Any: ...
    def transform(self, raw_documents: Iterable[Any]) -> Any: ...
    def inverse_transform(self, X: Any) -> list[NDArray[Any]]: ...
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]: ...
    def build_analyzer(self) -> Callable[[Any], list[str]]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

class TfidfVectorizer(CountVectorizer):
    def __init__(
        self,
        *,
        input: Literal["content", "file", "filename"] = "content",
        encoding: str = "utf-8",
        decode_error: Literal["strict", "ignore", "replace"] = "strict",
        strip_accents: Literal["ascii", "unicode"] | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        analyzer: Literal["word", "char", "char_wb"] | Callable[[Any], Iterable[str]] = "word",
        stop_words: Literal["english"] | list[str] | None = None,
        token_pattern: str | None = ...,
        ngram_range: tuple[int, int] = (1, 1),
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Mapping[str, int] | Iterable[str] | None = None,
        binary: bool = False,
        dtype: DTypeLike = ...,
        norm: Literal["l1", "l2"] | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None: ...
    @property
    def idf_(self) -> NDArray[Any]: ...
    @idf_.setter
    def idf_(self, value: ArrayLike) -> None: ...

class HashingVectorizer:
    def __init__(
        self,
        *,
        input: Literal["content", "file", "filename"] = "content",
        encoding: str = "utf-8",
        decode_error: Literal["strict", "ignore", "replace"] = "strict",
        strip_accents: Literal["ascii", "unicode"] | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        stop_words: Literal["english"] | list[str] | None = None,
        token_pattern: str | None = ...,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Literal["word", "char", "char_wb"] | Callable[[Any], Iterable[str]] = "word",
        n_features: int = ...,
        binary: bool = False,
        norm: Literal["l1", "l2"] | None = "l2",
        alternate_sign: bool = True,
        dtype: DTypeLike = ...,
    ) -> None: ...
    def partial_fit(self, X: Iterable[Any], y: Any = None) -> Self: ...
    def fit(self, X: Iterable[Any], y: Any = None) -> Self: ...
    def transform(self, X: Iterable[Any]) -> Any: ...
    def fit_transform(self, X: Iterable[Any], y: Any = None) -> Any: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

class TfidfTransformer:
    idf_: NDArray[Any]
    def __init__(
        self,
        *,
        norm: Literal["l1", "l2"] | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def transform(self, X: Any, copy: bool = True) -> Any: ...
    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
