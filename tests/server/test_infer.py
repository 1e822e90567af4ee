"""The Open Inference Protocol, with its tensors as JSON and as raw bytes."""
import pytest

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}

INFER = "/v2/models/iris/infer"


def tensors(rows=1):
    return [{"name": name, "datatype": "FP64", "shape": [rows, 1], "data": [value] * rows} for name, value in FLOWER.items()]


def test_columns_and_a_matrix_give_the_same(server):
    status, _, found = server.ask(INFER, {"id": "7", "inputs": tensors(2)})
    assert status == 200 and found["id"] == "7" and found["model_name"] == "iris"
    label, probabilities = found["outputs"]
    assert label["datatype"] == "BYTES" and label["data"] == ["versicolor"] * 2 and probabilities["shape"] == [2, 3]
    matrix = {"name": "x", "datatype": "FP32", "shape": [2, 4], "data": [list(FLOWER.values())] * 2}
    other = server.ask(INFER, {"inputs": [matrix], "outputs": [{"name": "probabilities"}]})[2]
    assert other["outputs"][0]["data"] == pytest.approx(probabilities["data"], rel=1e-5)


@pytest.mark.parametrize("change", [
    {"shape": [2, 1]}, {"data": ["wide"]}, {"datatype": "FP13", "data": None, "parameters": {"binary_data_size": 8}}, {"shape": [-1]},
    {"name": 3}, {"data": None},
])
def test_wrong_tensors_are_refused(server, change):
    inputs = tensors()
    inputs[1].update(change)
    status, headers, problem = server.ask(INFER, {"inputs": inputs})
    assert status == 400 and problem["detail"] and headers["Content-Type"] == "application/problem+json"
