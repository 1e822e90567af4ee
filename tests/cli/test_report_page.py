"""The page of a report: one script, allowed by its hash, and nothing of the data that could be taken for markup."""
import base64
import hashlib
import json
import re


def page_of(suffice, folder, *options):
    suffice("fit", "iris.csv", "--target", "species", "-o", "m.suf", *options)
    suffice("report", "m.suf", "iris.csv", "-o", "r.html")
    return (folder / "r.html").read_text()


def test_the_one_script_is_the_one_that_the_page_allows(suffice, folder):
    page = page_of(suffice, folder)
    script, = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy


def test_what_is_read_first_comes_first_and_the_model_last(suffice, folder):
    sections = re.findall(r'<section id="([a-z]+)"', page_of(suffice, folder))
    assert sections[0] == "summary" and sections[-1] == "model"
    assert "threshold" in sections and sections.index("quality") < sections.index("columns")


def test_columns_stand_in_the_order_of_what_they_tell(suffice, folder):
    page = page_of(suffice, folder)
    section = page[page.index('<section id="columns"'):]
    names = re.findall(r'<th scope="row">([a-z_]+)</th>', section[:section.index("</table>")])
    told = [each["column"] for each in json.loads(suffice("report", "m.suf", "iris.csv", "--format", "json").stdout)["telling"]]
    assert names == told


def test_names_with_markup_stay_words(suffice, folder):
    bad = "</script><b>x"
    (folder / "iris.csv").write_text((folder / "iris.csv").read_text().replace("setosa", bad))
    page = page_of(suffice, folder)
    assert bad not in page and page.count("<script>") == 1


def test_thresholds_are_those_of_the_curve(suffice, folder):
    page = page_of(suffice, folder)
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])
    assert [each["class"] for each in data] == ["setosa", "versicolor", "virginica"]
    for each in data:
        assert each["of_class"] == 50 and each["of_others"] == 100
        assert each["threshold"] == sorted(each["threshold"], reverse=True) and each["right"] == sorted(each["right"])
        assert each["right"][-1] <= 50 and each["wrong"][-1] <= 100


def test_many_classes_are_folded(suffice, folder):
    rows = ["x,k"] + [f"{k + 0.01 * j},c{k:02}" for k in range(30) for j in range(4)]
    (folder / "iris.csv").write_text("\n".join(rows) + "\n")
    suffice("fit", "iris.csv", "--target", "k", "-o", "m.suf")
    suffice("report", "m.suf", "iris.csv", "-o", "r.html")
    page = (folder / "r.html").read_text()
    assert 'data-fold="12"' in page and page.count(">c29</th>") >= 1
