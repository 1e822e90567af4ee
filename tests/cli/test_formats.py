"""The same rows in other formats give the same model: JSON lines, ARFF, Excel, SQLite, DuckDB; and numbers as people write them."""
import csv
import importlib.util
import json
import os
import pathlib
import sqlite3
import sysconfig
import zipfile

import pytest

HEAD = ["age", "where", "paid", "member"]
ROWS = [[str(20 + k % 40), "Bonn, Rhein" if k % 3 == 0 else 'the "Hague"' if k % 3 == 1 else "", f"{k * 1.1:.3f}", "yes" if k % 4 else "no"]
        for k in range(120)]


@pytest.fixture
def plain(suffice, folder):
    with open(folder / "plain.csv", "w", newline="") as file:
        csv.writer(file).writerows([HEAD, *ROWS])
    return learned(suffice, "plain.csv")


def learned(suffice, name, *words, **keywords):
    suffice("fit", name, "--target", "member", "-q", "-o", "m.suf", *words, **keywords)
    told = json.loads(suffice("inspect", "m.suf", "--json").stdout)
    return {key: told[key] for key in ("rows", "classes", "columns", "log_likelihood") if key in told}


def as_objects():
    return [{"age": int(age), "where": where or None, "paid": float(paid), "member": member} for age, where, paid, member in ROWS]


def test_json_lines_and_arrays(suffice, folder, plain):
    (folder / "rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in as_objects()))
    assert learned(suffice, "rows.jsonl") == plain
    (folder / "rows.json").write_text(json.dumps(as_objects(), indent=2))
    assert learned(suffice, "rows.json") == plain
    done = suffice("fit", "-", "--target", "member", "-q", "-o", "m.suf", input=(folder / "rows.jsonl").read_text())
    assert done.stderr == ""
    suffice("evaluate", "m.suf", "rows.json")


def test_json_escapes_nesting_and_lines_of_errors(suffice, folder):
    lines = [json.dumps({"who": {"name": "Zoë \"Z\"\n" if k % 2 else "𝄞", "tags": ["a", {"b": 1}]}, "x": k % 7, "y": "pq"[k % 2]}) for k in range(40)]
    (folder / "nested.jsonl").write_text("\n".join(lines))
    suffice("fit", "nested.jsonl", "--target", "y", "-q", "-o", "m.suf")
    told = json.loads(suffice("inspect", "m.suf", "--json").stdout)
    assert {"who.name", "x"} <= {each["name"] for each in told["columns"]}
    (folder / "bad.jsonl").write_text("\n".join([*lines[:6], '{"who": 3', *lines[7:]]))
    assert "row 7" in suffice("fit", "bad.jsonl", "--target", "y", "-o", "m.suf", code=2).stderr
    (folder / "wrong.jsonl").write_text("\n".join([*lines[:30], '{"x": "many", "y": "p"}']))
    wrong = suffice("fit", "wrong.jsonl", "--target", "y", "--family", "x=gaussian", "-o", "m.suf", code=2).stderr
    assert "31" in wrong and "many" in wrong


def test_arff_dense_and_sparse(suffice, folder, plain):
    quoted = lambda word: "?" if word == "" else "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
    head = ("% comment\n@RELATION people\n\n@attribute age numeric\n@attribute 'where' {'Bonn, Rhein','the \"Hague\"'}\n"
            "@attribute paid real\n@attribute member {yes,no}\n@data\n")
    (folder / "people.arff").write_text(head + "".join(f"{age}, {quoted(where)}, {paid}, {member}\n" for age, where, paid, member in ROWS))
    assert learned(suffice, "people.arff") == plain
    (folder / "sparse.arff").write_text("@relation s\n@attribute a numeric\n@attribute b numeric\n@attribute c {x,y}\n@data\n"
                                        + "".join("{0 %d, 2 y}\n" % k if k % 2 else "{1 %d}\n" % k for k in range(1, 60)))
    with open(folder / "dense.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b", "c"], *([k, 0, "y"] if k % 2 else [0, k, "x"] for k in range(1, 60))])
    suffice("fit", "sparse.arff", "--target", "c", "-q", "-o", "sparse.suf")
    suffice("fit", "dense.csv", "--target", "c", "-q", "-o", "dense.suf")
    told = [json.loads(suffice("inspect", f"{name}.suf", "--json").stdout) for name in ("sparse", "dense")]
    assert told[0]["columns"] == told[1]["columns"]


def test_sqlite_tables_and_queries(suffice, folder, plain):
    with sqlite3.connect(folder / "shop.db") as database:
        database.execute("create table people (age integer, \"where\" text, paid real, member text)")
        database.executemany("insert into people values (?, ?, ?, ?)",
                             [[int(age), where or None, float(paid), member] for age, where, paid, member in ROWS])
    database.close()
    assert learned(suffice, "shop.db") == plain
    with sqlite3.connect(folder / "shop.db") as database:
        database.execute("create table other (x integer)")
    database.close()
    assert "people" in suffice("fit", "shop.db", "--target", "member", "-o", "m.suf", code=2).stderr
    assert learned(suffice, "shop.db", "--query", "SELECT * FROM people") == plain
    assert learned(suffice, "shop.db", "--query", "SELECT * FROM people WHERE age < 30")["rows"] < 120
    lines = suffice("predict", "m.suf", "shop.db", "--query", "SELECT age, \"where\", paid FROM people").stdout.splitlines()
    assert len(lines) == 121
    assert "no such table" in suffice("fit", "shop.db", "--target", "member", "--query", "SELECT * FROM nowhere", "-o", "m.suf", code=2).stderr
    assert "readonly" in suffice("fit", "shop.db", "--target", "member", "--query", "INSERT INTO other VALUES (1) RETURNING *", "-o", "m.suf", code=2).stderr


def test_duckdb_tables_and_queries(suffice, folder, plain, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    library = importlib.util.find_spec("_duckdb")
    python = pathlib.Path(sysconfig.get_config_var("LIBDIR") or "/none") / (sysconfig.get_config_var("INSTSONAME") or "none")
    if library is None or not python.exists():
        pytest.skip("libduckdb.so is not here, and no shared Python that could lend its own")
    with duckdb.connect(folder / "shop.duckdb") as database:
        database.execute("create table people (age integer, \"where\" varchar, paid double, member varchar)")
        database.executemany("insert into people values (?, ?, ?, ?)",
                             [[int(age), where or None, float(paid), member] for age, where, paid, member in ROWS])
    monkeypatch.setenv("SUFFICE_DUCKDB", library.origin)
    monkeypatch.setenv("LD_PRELOAD", str(python))
    assert learned(suffice, "shop.duckdb") == plain
    assert learned(suffice, "shop.duckdb", "--query", "SELECT * FROM people WHERE age < 30")["rows"] < 120
    monkeypatch.delenv("SUFFICE_DUCKDB")
    assert "SUFFICE_DUCKDB" in suffice("fit", "shop.duckdb", "--target", "member", "-o", "m.suf", code=2).stderr


def test_excel_workbooks_of_openpyxl(suffice, folder, plain):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    for age, where, paid, member in ROWS:
        book.active.append([int(age), where or None, float(paid), member])
    book.create_sheet("notes").append(["not", "this", "one"])
    book.save(folder / "people.xlsx")
    assert learned(suffice, "people.xlsx") == plain


SHEET = """<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"""
PARTS = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": """<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="one" sheetId="1" r:id="rId7"/></sheets></workbook>""",
    "xl/_rels/workbook.xml.rels": """<Relationships><Relationship Id="rId7" Target="worksheets/sheet3.xml"/></Relationships>""",
    "xl/sharedStrings.xml": """<sst><si><t>sold</t></si><si><r><t>sh</t></r><r><t>op</t></r><rPh><t>xx</t></rPh></si><si><t>north &amp; south</t></si></sst>""",
    "xl/styles.xml": """<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>""",
}


def test_excel_cells_of_every_kind(suffice, folder):
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>y</t></is></c></row>'
    rows += "".join(f'<row r="{k + 3}"><c r="A{k + 3}" s="1"><v>{45413 + k}</v></c><c r="B{k + 3}" t="s"><v>2</v></c>'
                    f'<c r="C{k + 3}" t="b"><v>{k % 2}</v></c></row>' for k in range(60))
    with zipfile.ZipFile(folder / "book.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in PARTS.items():
            archive.writestr(name, text)
        archive.writestr("xl/worksheets/sheet3.xml", SHEET.format(rows=rows))
    told = json.loads(suffice("fit", "book.xlsx", "--target", "y", "-o", "m.suf", "--json").stdout)
    assert told["rows"] == 60 and {each["name"] for each in told["classes"]} == {"true", "false"}
    assert {"sold.year", "sold.month", "shop"} <= {each["column"] for each in told["columns"]}
    assert any("2024-05-01" in note for note in told["notes"])


def test_archives_that_are_no_workbook_say_so(suffice, folder):
    for inside, said in (("content.xml", "OpenDocument"), ("word/document.xml", "office document"), ("data.csv", "zip archive")):
        with zipfile.ZipFile(folder / "some.zip", "w") as archive:
            archive.writestr(inside, "x")
        assert said in suffice("fit", "some.zip", "--target", "y", "-o", "m.suf", code=2).stderr


STYLES = {
    "decimal commas": lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,")), "thousands": lambda x: f"{x:,.2f}",
    "blanks": lambda x: f"{x:,.2f}".replace(",", " ").replace(".", ","), "money": lambda x: f"€ {x:,.2f}", "percent": lambda x: f"{x:.2f} %",
    "dollars": lambda x: f"-${-x:,.2f}" if x < 0 else f"${x:,.2f}", "brackets": lambda x: f"({-x:,.2f})" if x < 0 else f"{x:,.2f}",
}


@pytest.mark.parametrize("style", STYLES)
def test_numbers_as_people_write_them(suffice, folder, style):
    values = [round((k * 37 % 91) * 61.37 - 900, 2) for k in range(90)]
    for name, text in (("plain", lambda x: f"{x:.2f}"), ("styled", STYLES[style])):
        with open(folder / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows([["price", "y"], *([text(x), "ab"[int(x > 1000)]] for x in values)])
    suffice("fit", "plain.csv", "--target", "y", "-q", "-o", "plain.suf")
    told = json.loads(suffice("fit", "styled.csv", "--target", "y", "-o", "styled.suf", "--json").stdout)
    assert any("written like" in note for note in told["notes"])
    answers = [json.loads(suffice("inspect", f"{name}.suf", "--json").stdout)["columns"] for name in ("plain", "styled")]
    assert answers[0] == answers[1]
    assert suffice("predict", "styled.suf", "styled.csv", "--proba").stdout == suffice("predict", "plain.suf", "plain.csv", "--proba").stdout


def test_a_decimal_comma_is_remembered(suffice, folder):
    (folder / "train.csv").write_text("x;y\n" + "".join(f"{k % 9},{k % 7}25;{'ab'[k % 2]}\n" for k in range(60)) + "3,5;a\n")
    suffice("fit", "train.csv", "--target", "y", "-q", "-o", "m.suf")
    (folder / "few.csv").write_text("x;y\n1,225;a\n2,325;b\n")
    (folder / "same.csv").write_text("x;y\n1.225;a\n2.325;b\n")
    assert suffice("predict", "m.suf", "few.csv", "--proba").stdout == suffice("predict", "m.suf", "same.csv", "--proba").stdout


def test_a_byte_that_is_no_utf8_is_replaced_and_counted(suffice, folder):
    (folder / "latin.csv").write_bytes("town,y\n".encode() + b"".join(b"Z\xfcrich,a\n" if k == 17 else b"Bonn,%c\n" % "ab"[k % 2].encode() for k in range(50)))
    told = json.loads(suffice("fit", "latin.csv", "--target", "y", "-o", "m.suf", "--json").stdout)
    assert told["rows"] == 50 and any("a byte that is no UTF-8 was replaced" in note for note in told["notes"])
    assert "replaced" in suffice("predict", "m.suf", "latin.csv").stderr


def test_a_header_in_latin_1_is_read_so_told_and_remembered(suffice, folder):
    text = "Größe;Ort;y\n" + "".join(f"{k % 9},5;{('Köln', 'Bonn')[k % 3 == 0]};{'ab'[k % 2]}\n" for k in range(60))
    (folder / "latin.csv").write_bytes(text.encode("latin-1"))
    (folder / "utf8.csv").write_text(text)
    said = suffice("fit", "latin.csv", "--target", "y", "-o", "latin.suf").stderr
    assert "Größe" in said and "the header is no UTF-8, so each byte was read as a letter of Latin-1" in said
    suffice("fit", "utf8.csv", "--target", "y", "-q", "-o", "utf8.suf")
    assert suffice("predict", "latin.suf", "latin.csv", "--proba").stdout == suffice("predict", "utf8.suf", "utf8.csv", "--proba").stdout
    assert suffice("predict", "latin.suf", "latin.csv").stderr == ""


def families_of(suffice, name, *words):
    told = json.loads(suffice("fit", name, "--target", "y", "-o", "m.suf", "--json", *words).stdout)
    return {each["column"]: each["family"] for each in told["columns"]}


def test_columns_of_one_file_share_their_decimal_sign(suffice, folder):
    """6,601 and 1.234 alone could be either; beside 3,5 they are a fraction and a thousand."""
    values = [(k * 37 % 91 + 1, k * 53 % 89) for k in range(90)]
    german = [f"{a * 113:,}".replace(",", ".") + f";{b + 1},{100 + b};{b},5;{'ab'[k % 2]}" for k, (a, b) in enumerate(values)]
    plain = [f"{a * 113};{b + 1}.{100 + b};{b}.5;{'ab'[k % 2]}" for k, (a, b) in enumerate(values)]
    for name, lines in (("german", german), ("plain", plain)):
        (folder / f"{name}.csv").write_text("amount;size;share;y\n" + "\n".join(lines) + "\n")
    suffice("fit", "plain.csv", "--target", "y", "-q", "-o", "plain.suf")
    suffice("fit", "german.csv", "--target", "y", "-q", "-o", "german.suf")
    assert suffice("predict", "german.suf", "german.csv", "--proba").stdout == suffice("predict", "plain.suf", "plain.csv", "--proba").stdout
    (folder / "few.csv").write_text("amount;size;share\n1.130;6,105;5,5\n")
    (folder / "few_plain.csv").write_text("amount;size;share\n1130;6.105;5.5\n")
    assert suffice("predict", "german.suf", "few.csv", "--proba").stdout == suffice("predict", "plain.suf", "few_plain.csv", "--proba").stdout
    english = [f'"{a * 113:,}",{b}.5,{"ab"[k % 2]}' for k, (a, b) in enumerate(values)]  # points before fractions: the commas part thousands
    (folder / "english.csv").write_text("amount,share,y\n" + "\n".join(english) + "\n")
    (folder / "english_plain.csv").write_text("amount,share,y\n" + "\n".join(f"{a * 113},{b}.5,{'ab'[k % 2]}" for k, (a, b) in enumerate(values)) + "\n")
    for name in ("english", "english_plain"):
        suffice("fit", f"{name}.csv", "--target", "y", "-q", "-o", f"{name}.suf")
    assert suffice("predict", "english.suf", "english.csv", "--proba").stdout == suffice("predict", "english_plain.suf", "english_plain.csv", "--proba").stdout


def test_said_decimal_commas_make_points_part_thousands(suffice, folder):
    for name, words in (("points", ["1.234", "999", "12.500", "3.000"]), ("plain", ["1234", "999", "12500", "3000"])):
        (folder / f"{name}.csv").write_text("amount;y\n" + "".join(f"{word};{'ab'[k % 2]}\n" for k, word in enumerate(words * 9)))
    suffice("fit", "points.csv", "--target", "y", "--decimal", ",", "-q", "-o", "points.suf")
    suffice("fit", "plain.csv", "--target", "y", "-q", "-o", "plain.suf")
    read = [json.loads(suffice("inspect", f"{name}.suf", "--json").stdout)["columns"] for name in ("points", "plain")]
    assert read[0] == read[1]


def test_words_for_nothing_among_numbers_are_missing(suffice, folder):
    words = ["-", "n/a", "NULL", "None", "unknown", "#DIV/0!", "\\N", "."]
    for name, holes in (("words", words), ("empty", [""])):
        rows = [f"{holes[k // 6 % len(holes)] if k % 6 == 0 else k * 37 % 91},{k % 5 if k % 9 else holes[0]},{'ab'[k % 2]}" for k in range(120)]
        (folder / f"{name}.csv").write_text("score,visits,y\n" + "\n".join(rows) + "\n")
        suffice("fit", f"{name}.csv", "--target", "y", "-q", "-o", f"{name}.suf")
    assert suffice("predict", "words.suf", "words.csv", "--proba").stdout == suffice("predict", "empty.suf", "empty.csv", "--proba").stdout
    said = suffice("fit", "words.csv", "--target", "y", "-o", "m.suf").stderr
    assert "the columns score, visits hold words such as - among their numbers, taken as missing" in said
    assert families_of(suffice, "words.csv", "--missing", "?")["score"] == "categorical"  # what the user says wins
    (folder / "often.csv").write_text("code,y\n" + "".join(f"{'-' if k % 2 else k % 4},{'ab'[k % 3 == 0]}\n" for k in range(60)))
    assert families_of(suffice, "often.csv")["code"] == "categorical"  # half of all is no lack of a value but one of its own


def test_yes_and_no_of_other_languages_are_flags(suffice, folder):
    spelled = {"german": (["ja", "Ja", "JA"], ["nein", "Nein"]), "truth": (["wahr", "WAHR"], ["falsch"]), "french": (["oui", "Oui"], ["non"]),
               "spanish": (["sí", "Sí", "si"], ["no", "No"])}
    for kind in ("words", "plain"):
        rows = [[*((yes if (k + j) % 3 else no)[k // 3 % len(yes if (k + j) % 3 else no)] if kind == "words" else str(int((k + j) % 3 > 0))
                   for j, (yes, no) in enumerate(spelled.values())), "ab"[k % 2]] for k in range(90)]
        (folder / f"{kind}.csv").write_text(",".join([*spelled, "y"]) + "\n" + "\n".join(",".join(row) for row in rows) + "\n")
        suffice("fit", f"{kind}.csv", "--target", "y", "-q", "-o", f"{kind}.suf")
    assert set(families_of(suffice, "words.csv").values()) == {"bernoulli"}
    assert suffice("predict", "words.suf", "words.csv", "--proba").stdout == suffice("predict", "plain.suf", "plain.csv", "--proba").stdout


def test_amounts_are_no_identifiers(suffice, folder):
    rows = [f'"{(k * k * 7919 + 1234) % 900_001:,}",${(k * 104729) % 999_983},{10_000 + k},{"ab"[k % 2]}' for k in range(200)]
    (folder / "d.csv").write_text("revenue,price,number,y\n" + "\n".join(rows) + "\n")
    families = families_of(suffice, "d.csv")
    assert families["number"] is None and families["revenue"] and families["price"]
