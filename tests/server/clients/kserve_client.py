"""KServe's client of the Open Inference Protocol asks our server; run by tests/server/test_clients.py with HOST:PORT."""
import asyncio
import sys

import numpy
from kserve import InferenceRESTClient, InferInput, InferRequest
from kserve.inference_client import RESTConfig

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}


async def main():
    base = f"http://{sys.argv[1]}"
    client = InferenceRESTClient(RESTConfig(protocol="v2", timeout=20))
    assert await client.is_server_live(base) and await client.is_server_ready(base) and await client.is_model_ready(base, "iris")
    for binary in (False, True):
        inputs = []
        for name, value in FLOWER.items():
            inputs.append(InferInput(name=name, shape=[2, 1], datatype="FP64"))
            inputs[-1].set_data_from_numpy(numpy.full((2, 1), value), binary_data=binary)
        found = await client.infer(base, InferRequest(model_name="iris", infer_inputs=inputs), model_name="iris")
        outputs = {each.name: each for each in found.outputs}
        assert list(outputs["label"].data) == ["versicolor"] * 2
        assert numpy.allclose(outputs["probabilities"].as_numpy().sum(axis=1), 1)
    await client.close()

asyncio.run(main())
print("ok")
