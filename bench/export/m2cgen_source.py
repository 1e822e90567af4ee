"""m2cgen's C: of the models here it has the linear ones, with scores that are no posteriors."""
import m2cgen

NAME = "m2cgen"


def c_source(fitted: object) -> dict[str, str] | None:
    try:
        source = m2cgen.export_to_c(fitted)
    except NotImplementedError:
        return None
    return {"source": source, "head": "void score(double *input, double *output);", "call": "score(rows[row], out);", "labels": "scores"}
