"""Ours through the command line, rows through a pipe."""
import pathlib
import tempfile

from bench.csv.suffice_command import means
from bench.places import COMMAND
from bench.streamed import Streamed

NAME = "suffice fit"
MOST_ROWS = 10**8


def streamed(rows: Streamed, row_count: int) -> tuple[float, float, int, object]:
    """Seconds, peak bytes, bytes fed, means of the classes."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "m.suf"
        wall, _, peak, size, _ = rows.feed([COMMAND, "fit", "-", "--target", "kind", "--model", "gaussian_nb", "--quiet", "-o", model], row_count)
        return wall, peak, size, means(model)
