"""NVIDIA's client of the Open Inference Protocol asks our server; run by tests/server/test_clients.py with HOST:PORT."""
import sys

import numpy
import tritonclient.http as http

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}
client = http.InferenceServerClient(sys.argv[1])
assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("iris")
assert client.get_server_metadata()["name"] == "suffice"
assert [each["name"] for each in client.get_model_metadata("iris")["inputs"]] == list(FLOWER)
for binary in (True, False):
    inputs = []
    for name, value in FLOWER.items():
        inputs.append(http.InferInput(name, [3, 1], "FP64"))
        inputs[-1].set_data_from_numpy(numpy.full((3, 1), value), binary_data=binary)
    outputs = [http.InferRequestedOutput(name, binary_data=binary) for name in ("label", "probabilities", "log_evidence")]
    found = client.infer("iris", inputs, outputs=outputs, request_id="7")
    labels = [word.decode() if isinstance(word, bytes) else word for word in found.as_numpy("label")]
    assert labels == ["versicolor"] * 3 and found.get_response()["id"] == "7"
    assert numpy.allclose(found.as_numpy("probabilities").sum(axis=1), 1) and found.as_numpy("log_evidence").shape == (3,)
matrix = http.InferInput("x", [1, 4], "FP32")
matrix.set_data_from_numpy(numpy.array([list(FLOWER.values())], dtype=numpy.float32))
assert client.infer("iris", [matrix]).as_numpy("label")[0] == b"versicolor"
try:
    client.infer("iris", [matrix, matrix])
    raise AssertionError("two matrices were taken")
except http.InferenceServerException as problem:
    assert str(problem) == "[400] column x: a column has the shape [rows] or [rows, 1]", problem  # and not that it found no reason
print("ok")
