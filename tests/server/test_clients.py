"""Clients and checkers that others wrote: tritonclient, kserve, schemathesis, a validator of OpenAPI, in an environment of their own."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = pathlib.Path(os.environ.get("SUFFICE_CLIENTS", ROOT / ".venv-clients" / "bin" / "python"))
pytestmark = pytest.mark.skipif(not PYTHON.exists(), reason="other people's clients are not here; tools/bootstrap clients installs them")


def run(*words, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600, **more)


@pytest.mark.parametrize("script", ["triton.py", "kserve_client.py"])
def test_clients_of_the_open_inference_protocol(server, script):
    done = run(PYTHON, pathlib.Path(__file__).parent / "clients" / script, server.address.removeprefix("http://"))
    assert done.returncode == 0 and done.stdout.strip().endswith("ok"), done.stdout + done.stderr


def test_prometheus_reads_the_metrics_of_models_with_any_name(start, iris, folder):
    odd = 'a "b\\\\c\nd, {e="f"} é.suf'
    (folder / odd).write_bytes((folder / iris).read_bytes())
    server = start(odd)
    assert server.ask("/v1/models")[2]["models"][0]["name"] == odd.removesuffix(".suf")
    (folder / "metrics").write_bytes(server.ask("/metrics")[2])
    script = ("from prometheus_client.parser import text_string_to_metric_families as read\n"
              "for each in read(open('metrics', newline='').read()):\n"
              "    print(each.name, each.type, sorted({sample.labels.get('model', '') for sample in each.samples}))")
    done = run(PYTHON, "-c", script)
    assert done.returncode == 0, done.stderr
    assert f"suffice_model_rows gauge {[odd.removesuffix('.suf')]}" in done.stdout.splitlines()
    assert "suffice_requests counter" in done.stdout and "suffice_request_seconds histogram" in done.stdout


def test_the_description_is_valid_openapi(start, iris, folder):
    for words in ((), ("--learn", "--log", "log")):
        (folder / "openapi.json").write_text(json.dumps(start(iris, *words).ask("/openapi.json")[2]))
        done = run(PYTHON, "-m", "openapi_spec_validator", "openapi.json")
        assert done.returncode == 0, done.stdout + done.stderr


def test_schemathesis_finds_no_answer_that_the_description_does_not_tell(start, iris):
    server = start(iris, "--learn", "--log", "log")
    done = run(PYTHON.parent / "schemathesis", "run", server.address + "/openapi.json", "--seed", 1, "--max-examples",
               os.environ.get("SUFFICE_EXAMPLES", 8), "--checks",
               "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method,negative_data_rejection",
               "--suppress-health-check", "all", "--generation-database", "none")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert server.ask("/v2/health/live")[0] == 200
