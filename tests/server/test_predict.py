"""Predictions over HTTP are those of the command, in every form of body."""
import csv
import io
import json
import re
import socket

import pytest

FLOWER = {"sepal_length": 6.1, "sepal_width": 2.9, "petal_length": 4.7, "petal_width": 1.4}

PREDICT = "/v1/models/iris:predict"


def rows_of(name):
    rows = list(csv.DictReader(open(name)))
    return [{key: value if key == "species" else float(value) for key, value in row.items()} for row in rows]


def told_by_the_command(suffice):
    return list(csv.DictReader(io.StringIO(suffice("predict", "iris.suf", "iris.csv", "--proba", "--evidence"))))


def test_the_server_is_alive_and_tells_of_its_model(server):
    assert server.ask("/v2/health/live")[2] == {"live": True}
    assert server.ask("/v2/health/ready")[2] == {"ready": True}
    assert server.ask("/v2")[2]["name"] == "suffice"
    listed = server.ask("/v1/models")[2]["models"]
    assert [each["name"] for each in listed] == ["iris"]
    assert listed[0]["classes"] == ["setosa", "versicolor", "virginica"]
    about = server.ask("/v2/models/iris")[2]
    assert [each["name"] for each in about["inputs"]] == list(FLOWER)


def test_rows_of_json_are_answered_as_the_command_answers(server, suffice):
    rows = rows_of("iris.csv")
    told = told_by_the_command(suffice)
    status, _, found = server.ask(PREDICT, {"rows": rows, "outputs": ["probabilities", "log_evidence"]})
    assert status == 200 and len(found["predictions"]) == len(rows)
    for one, line in zip(found["predictions"], told):
        assert one["label"] == line["prediction"]
        assert one["log_evidence"] == pytest.approx(float(line["log_evidence"]), rel=1e-12)
        for name, p in one["probabilities"].items():
            assert p == pytest.approx(float(line[f"p({name})"]), rel=1e-12, abs=1e-300)
    single = server.ask(PREDICT, {"rows": rows[:1], "outputs": ["probabilities"]})[2]
    assert single["predictions"][0]["probabilities"] == pytest.approx(found["predictions"][0]["probabilities"], rel=1e-12, abs=1e-300)


def test_csv_and_lines_are_answered_in_kind(server, suffice):
    text = open("iris.csv").read()
    status, headers, answer = server.ask(PREDICT, text, "text/csv")
    assert status == 200 and headers["Content-Type"] == "text/csv"
    assert answer.decode() == suffice("predict", "iris.suf", "iris.csv", "--proba")
    lines = "".join(json.dumps(row) + "\n" for row in rows_of("iris.csv")[:3])
    status, headers, answer = server.ask(PREDICT, lines, "application/x-ndjson")
    assert [json.loads(line)["label"] for line in answer.splitlines()] == ["setosa"] * 3
    status, headers, answer = server.ask(PREDICT, {"rows": [FLOWER]}, Accept="text/csv")
    assert answer.decode().splitlines()[0] == "prediction,p(setosa),p(versicolor),p(virginica)"


def arrow_bytes(table):
    pyarrow = pytest.importorskip("pyarrow")
    held = io.BytesIO()
    with pyarrow.ipc.new_stream(held, table.schema) as writer:
        writer.write_table(table)
    return held.getvalue()


ARROW = "application/vnd.apache.arrow.stream"


def test_an_arrow_stream_is_read_and_answered_in_kind_or_as_asked_for(server, suffice):
    pyarrow = pytest.importorskip("pyarrow")
    frame = pyarrow.csv.read_csv("iris.csv") if hasattr(pyarrow, "csv") else __import__("pyarrow.csv").csv.read_csv("iris.csv")
    status, headers, answer = server.ask(PREDICT, arrow_bytes(frame), ARROW)
    assert status == 200 and headers["Content-Type"] == ARROW
    found = pyarrow.ipc.open_stream(answer).read_all()
    found.validate(full=True)
    told = list(csv.DictReader(io.StringIO(suffice("predict", "iris.suf", "iris.csv", "--proba"))))
    assert found.column_names == list(told[0])
    assert found["prediction"].to_pylist() == [line["prediction"] for line in told]
    for name in found.column_names[1:]:
        assert found[name].to_pylist() == pytest.approx([float(line[name]) for line in told], rel=1e-12, abs=1e-300)
    as_json = server.ask(PREDICT, arrow_bytes(frame), ARROW, Accept="application/json")[2]
    assert [one["label"] for one in as_json["predictions"]] == found["prediction"].to_pylist()
    from_rows = server.ask(PREDICT, {"rows": rows_of("iris.csv"), "outputs": ["log_evidence"]}, Accept=ARROW)[2]
    assert pyarrow.ipc.open_stream(from_rows).read_all().column_names[-1] == "log_evidence"
    assert server.ask(PREDICT, {"rows": [FLOWER]}, Accept="image/png")[0] == 406


def test_whole_numbers_and_rejected_rows_in_arrow(start, suffice, folder):
    pyarrow = pytest.importorskip("pyarrow")
    (folder / "count.csv").write_text("x,kind\n" + "".join(f"{k % 7 + 3 * (k % 2)},{k % 2 * 10}\n" for k in range(70000)))
    suffice("fit", "count.csv", "--target", "kind", "-o", "count.suf")
    answer = start("count.suf").ask("/v1/models/count:predict", open("count.csv").read(), "text/csv", Accept=ARROW)[2]
    found = pyarrow.ipc.open_stream(answer).read_all()  # of more than one batch
    found.validate(full=True)
    assert len(found) == 70000 and found["prediction"].type == pyarrow.int64() and set(found["prediction"].to_pylist()) == {0, 10}


def test_tables_choose_what_is_told_in_the_address(server, suffice):
    """Bodies of CSV, Arrow and lines have no place for it; what is told is what the command and JSON tell."""
    text, asked = open("iris.csv").read(), "?outputs=probabilities,log_evidence&top=2"
    answer = server.ask(PREDICT + asked, text, "text/csv")[2]
    assert answer.decode() == suffice("predict", "iris.suf", "iris.csv", "--proba", "--evidence", "--top", 2)
    rows, rule = rows_of("iris.csv"), {"reject": 0.9, "cost": "setosa:virginica=5, virginica:setosa=0.5"}
    records = server.ask(PREDICT, {"rows": rows, "outputs": ["decision", "top"], **rule})[2]["predictions"]
    asked = "?outputs=decision&outputs=top&reject=0.9&cost=setosa:virginica%3D5,+virginica:setosa%3D0.5"
    lines = server.ask(PREDICT + asked, "\n".join(map(json.dumps, rows)), "application/x-ndjson")[2]
    assert [json.loads(line) for line in lines.splitlines()] == records
    expected = [[one["label"], *(value for choice in one["top"] for value in (choice["label"], pytest.approx(choice["probability"]))), one["decision"]] for one in records]
    read = list(csv.reader(io.StringIO(server.ask(PREDICT + asked, text, "text/csv")[2].decode())))
    assert read[0] == ["prediction", "choice_1", "p_1", "choice_2", "p_2", "choice_3", "p_3", "decision"]
    assert [[float(value) if k in (2, 4, 6) else value or None for k, value in enumerate(row)] for row in read[1:]] == expected
    assert {row[-1] for row in read[1:]} > {"", "setosa"}, "some rows are rejected"
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.ipc.open_stream(server.ask(PREDICT + asked, text, "text/csv", Accept=ARROW)[2]).read_all()
    table.validate(full=True)
    assert table.column_names == read[0] and [list(row.values()) for row in table.to_pylist()] == expected
    assert server.ask(PREDICT + "?outputs=label", text, "text/csv")[2].decode() == suffice("predict", "iris.suf", "iris.csv")
    body = server.ask(PREDICT + "?outputs=label&top=1", {"rows": rows[:1], "outputs": ["log_evidence"]})[2]["predictions"][0]
    assert set(body) == {"label", "log_evidence", "top"} and len(body["top"]) == 1, "what stands in the body stands above the address"


def test_novel_rows_are_told_in_tables_too(start, iris, suffice):
    suffice("calibrate", iris, "iris.csv", "--novelty", "-o", iris)
    rows = [FLOWER, {name: 99.0 for name in FLOWER}]
    server = start(iris)
    assert [one["novel"] for one in server.ask(PREDICT, {"rows": rows, "outputs": ["novelty"]})[2]["predictions"]] == [False, True]
    text = "\n".join([",".join(FLOWER), *(",".join(map(str, row.values())) for row in rows)])
    read = list(csv.DictReader(io.StringIO(server.ask(PREDICT + "?outputs=label,novelty", text, "text/csv")[2].decode())))
    assert [row["novel"] for row in read] == ["0", "1"] and list(read[0]) == ["prediction", "log_evidence", "novel"]


@pytest.mark.parametrize("asked, said", [("outputs=colour", "colour"), ("top=0", "top is a whole number"), ("top=x", "top is a whole number"), ("top=", "top is"), ("top=1&top=2", "twice"),
                                         ("reject=2", "reject is a number"), ("cost=a", "cost"), ("novelty=0.1", "calibrate"), ("colour=red", "colour"), ("%00=%ff", "asks for"), ("outputs", "outputs")])
def test_what_the_address_asks_wrongly_is_told(server, asked, said):
    for body, kind in (({"rows": [FLOWER]}, "application/json"), (open("iris.csv").read(), "text/csv")):
        status, headers, problem = server.ask(f"{PREDICT}?{asked}", body, kind)
        assert status == 400 and said in problem["detail"] and headers["Content-Type"] == "application/problem+json"


def test_missing_values_are_null_and_outputs_are_chosen(server):
    row = {**FLOWER, "petal_width": None}
    one = server.ask(PREDICT, {"rows": [row], "outputs": ["top"], "top": 2, "reject": 0.9999999})[2]["predictions"][0]
    assert len(one["top"]) == 2 and one["decision"] is None and "probabilities" not in one


@pytest.mark.parametrize("body, said", [
    ({"rows": [FLOWER, {**FLOWER, "petal_width": "wide"}]}, ["row 2", "column petal_width"]),
    ({"rows": [{"sepal_length": 1}]}, ["row 1", "column sepal_width"]),
    ({"rows": [{**FLOWER, "petal_width": [1]}]}, ["row 1", "column petal_width"]),
    ({"rows": [1]}, ["row 1"]),
    ({"rows": 1}, ["rows"]),
    ({"no": 1}, ["rows"]),
    ({"rows": [FLOWER], "outputs": ["colour"]}, ["colour"]),
    ("{", ["JSON"]),
    ("[" * 100000, ["JSON"]),
    ('{"rows": [{"sepal_length": 1e999}]}', ["JSON"]),
])
def test_what_is_wrong_is_told_with_its_place(server, body, said):
    status, headers, problem = server.ask(PREDICT, body)
    assert status == 400 and headers["Content-Type"] == "application/problem+json"
    assert all(words in problem["detail"] for words in said), problem
    assert server.ask("/v2/health/live")[0] == 200


def test_a_wrong_cell_of_csv_is_told_with_its_line(server):
    text = "sepal_length,sepal_width,petal_length,petal_width\n1,2,3,4\n1,2,wide,4\n"
    status, _, problem = server.ask(PREDICT, text, "text/csv")
    assert status == 400 and "row 3" in problem["detail"] and "petal_length" in problem["detail"] and "/proc" not in problem["detail"]


@pytest.mark.parametrize("path, body, status", [
    ("/v1/models/../../etc/passwd", None, 404), ("/%2e%2e/etc/passwd", None, 404), ("/v1/models/none:predict", {"rows": []}, 404),
    ("/v1/models/iris:dance", {}, 404), ("/v1/models/iris:predict", None, 405), ("/v2/health/live", {}, 405),
])
def test_paths_and_methods_that_are_not_there(server, path, body, status):
    assert server.ask(path, body)[0] == status


def test_limits(start, iris):
    server = start(iris, "--max-body", 1000, "--max-rows", 2, "--timeout", 1)
    assert server.ask(PREDICT, {"rows": [FLOWER] * 3})[0] == 413
    assert server.ask(PREDICT, "x" * 2000)[0] == 413
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as slow:
        slow.sendall(b"POST /v1/models/iris:predict HTTP/1.1\r\nHost: x\r\n")
        slow.settimeout(20)
        assert slow.recv(100) == b""  # cut off
    with socket.create_connection((host, int(port)), 10) as odd:
        odd.sendall(b"\x00\x01 nonsense\r\n\r\n")
        assert b" 400 " in odd.recv(1000)
    assert server.ask("/v2/health/live")[0] == 200


def test_the_end_is_graceful(server):
    server.ask("/v2")
    assert server.end() == 0


def test_explanations_and_samples(server):
    status, _, found = server.ask("/v1/models/iris:explain", {"rows": [FLOWER]})
    one = found["explanations"][0]
    assert status == 200 and one["prediction"] == "versicolor" and set(one["contributions"]["setosa"]) == set(FLOWER)
    status, _, text = server.ask("/v1/models/iris:sample", {"count": 5, "seed": 3})
    assert status == 200 and len(text.splitlines()) == 6


def test_explanations_as_lines_csv_and_arrow_say_the_same(server):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows = [FLOWER, {**FLOWER, "petal_width": None}]
    told = server.ask("/v1/models/iris:explain", {"rows": rows})[2]["explanations"]
    lines = server.ask("/v1/models/iris:explain", "\n".join(map(json.dumps, rows)), "application/x-ndjson")
    assert lines[1]["Content-Type"] == "application/x-ndjson" and [json.loads(line) for line in lines[2].splitlines()] == told
    expected = [{"row": k + 1, "class": name, "column": column, "contribution": pytest.approx(value)} for k, one in enumerate(told)
                for name, own in one["contributions"].items() for column, value in {"(intercept)": one["intercepts"][name], **own}.items()]
    _, headers, text = server.ask("/v1/models/iris:explain", {"rows": rows}, Accept="text/csv")
    table = [{**line, "row": int(line["row"]), "contribution": float(line["contribution"])} for line in csv.DictReader(text.decode().splitlines())]
    assert headers["Content-Type"] == "text/csv" and table == expected
    kind = "application/vnd.apache.arrow.stream"
    _, headers, held = server.ask("/v1/models/iris:explain", {"rows": rows}, Accept=kind)
    assert headers["Content-Type"] == kind and arrow.ipc.open_stream(held).read_all().to_pylist() == expected
    assert server.ask("/v1/models/iris:explain", {"rows": rows}, Accept="image/png")[0] == 406


def test_errors_advise_nothing_that_a_request_cannot_say(server):
    detail = server.ask(PREDICT, "sepal_length,sepal_width,petal_length\n1,2,3\n", "text/csv")[2]["detail"]
    assert "petal_width" in detail and "allow_missing_columns" not in detail


def test_metrics_description_and_page(server):
    server.ask(PREDICT, {"rows": [FLOWER] * 4})
    text = server.ask("/metrics")[2].decode()
    assert 'suffice_rows_total{model="iris",route="predict"} 4' in text
    assert server.ask("/openapi.json")[2]["openapi"].startswith("3.")
    for phase in ("parse", "score", "render"):
        assert f'suffice_phase_seconds_count{{model="iris",phase="{phase}"}} 1' in text
    _, headers, page = server.ask("/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert not re.search(rb"<script>|<style>| on[a-z]+=|style=|https?://", page)
    assert server.ask("/page.js")[1]["Content-Type"].startswith("text/javascript")
    assert server.ask("/page.css")[1]["Content-Type"].startswith("text/css")


def test_ids_of_requests_are_passed_on(server):
    headers = server.ask("/v2", X_Request_Id="abc", traceparent="00-1-2-01")[1]
    assert headers["X-Request-Id"] == "abc" and headers["traceparent"] == "00-1-2-01"


def test_texts_are_predicted(start, suffice, folder):
    (folder / "mail.csv").write_text("subject,kind\n" + "win money now please,spam\nmeeting at noon today,ham\n" * 20)
    suffice("fit", "mail.csv", "--target", "kind", "--model", "multinomial_nb", "-o", "mail.suf")
    found = start("mail.suf").ask("/v1/models/mail:predict", {"rows": [{"subject": "win money"}, {"subject": "meeting, \"noon\""}]})
    assert [one["label"] for one in found[2]["predictions"]] == ["spam", "ham"]


def test_categories(start, suffice, folder):
    (folder / "shop.csv").write_text("country,age,buys\n" + "NL,30,yes\nDE,50,no\nNL,35,yes\nDE,45,yes\nNL,60,no\n" * 5)
    suffice("fit", "shop.csv", "--target", "buys", "-o", "shop.suf")
    server = start("shop.suf")
    found = server.ask("/v1/models/shop:predict", {"rows": [{"country": "NL", "age": 30}, {"country": None, "age": 30}, {"country": "XX", "age": 30}]})
    assert found[0] == 200 and len(found[2]["predictions"]) == 3
    status, _, problem = server.ask("/v1/models/shop:predict", {"rows": [{"country": 3, "age": 30}]})
    assert status == 400 and "row 1" in problem["detail"] and "column country" in problem["detail"]
