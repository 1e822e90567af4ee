from collections.abc import Iterable, Mapping, Sequence
from typing import Any

class Rows:
    once: bool
    def __init__(self, source: Any) -> None: ...
    def reader(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def spooled(self) -> Rows: ...

class Scorer:
    def __init__(self, model: Any) -> None: ...
    @property
    def core(self) -> Any: ...
    @property
    def groups(self) -> bool: ...
    @property
    def integer(self) -> bool: ...
    @property
    def classes(self) -> list[str]: ...
    def fields(self, proba: bool = True, evidence: bool = False) -> list[tuple[str, str]]: ...
    def columns(self, rows: Any, proba: bool = True, evidence: bool = False, name: str = "", threads: int = 0) -> list[Any]: ...

MANY: str

def arrow_type(kind: str) -> Any: ...
def bytes_of(model: Any) -> bytes: ...
def job_of(
    target: str | None,
    model: str,
    families: Mapping[str, str] | None,
    exclude: str | Sequence[str],
    weight: str | None,
    settings: Mapping[str, Any],
) -> dict[str, Any]: ...
def plan_of(rows: Any, job: Mapping[str, Any]) -> tuple[bytes, dict[str, Any]]: ...
def fit_stream(
    reader: Any,
    target: str,
    model: str = "naive_bayes",
    families: Mapping[str, str] | None = None,
    exclude: str | Sequence[str] = (),
    weight: str = "",
    threads: int = 0,
    **settings: Any,
) -> Any: ...
def predict_stream(
    model: Any, reader: Any, proba: bool = True, evidence: bool = False, keep: str | Sequence[str] = (), threads: int = 0
) -> Any: ...
def statistics_of(
    batches: Any,
    target: str,
    model: str = "naive_bayes",
    families: Mapping[str, str] | None = None,
    exclude: str | Sequence[str] = (),
    weight: str = "",
    threads: int = 0,
    plan: bytes | None = None,
    name: str = "",
    **settings: Any,
) -> bytes: ...
def plan_statistics(
    batches: Any,
    target: str,
    model: str = "naive_bayes",
    families: Mapping[str, str] | None = None,
    exclude: str | Sequence[str] = (),
    weight: str = "",
    **settings: Any,
) -> bytes: ...
def merge_bytes(parts: Iterable[bytes]) -> bytes: ...
def model_from_bytes(data: bytes) -> Any: ...
