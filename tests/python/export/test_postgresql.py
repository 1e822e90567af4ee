"""Exported queries in a PostgreSQL that the test starts itself, on a socket of its own folder; skipped where there is none."""
import glob
import io
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

import pandas as pd
import pytest


def program(name):
    """Debian keeps the server's programs out of the path."""
    found = shutil.which(name) or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)), None)
    if found is None:
        pytest.skip(f"PostgreSQL is not installed ({name}): tools/bootstrap export")
    return found


class Server:
    """One cluster in a folder under /tmp, since a socket's path is short and the server's user must reach it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="suffice-pg-", dir="/tmp")
        self.user = {}
        if os.getuid() == 0:  # which PostgreSQL refuses to run as
            name = next((each for each in ("postgres", "nobody") if _known(each)), None)
            if name is None:
                pytest.skip("PostgreSQL does not run as root, and there is no other user here")
            self.user = {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}
            os.chown(self.folder, pwd.getpwnam(name).pw_uid, pwd.getpwnam(name).pw_gid)
        self.data = f"{self.folder}/data"
        self._run("initdb", "-D", self.data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.process = subprocess.Popen([program("postgres"), "-D", self.data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"],
                                        stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/log", "w"), cwd=self.folder, **self.user)
        for _ in range(150):
            if subprocess.run([program("pg_isready"), "-q", "-h", self.folder]).returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        log = pathlib.Path(self.folder, "log").read_text()
        self.stop()
        pytest.fail(f"PostgreSQL did not start: {log[-500:]}")

    def _run(self, name, *words):
        done = subprocess.run([program(name), *words], capture_output=True, text=True, cwd=self.folder, **self.user)
        assert done.returncode == 0, done.stderr

    def ask(self, text, given=None):
        """What psql answers to a script, as CSV."""
        done = subprocess.run([program("psql"), "-h", self.folder, "-U", "tester", "-d", "postgres", "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1",
                               *(["-c", text] if given is not None else ["-f", "-"])], input=text if given is None else given,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _known(name):
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


@pytest.fixture(scope="session")
def server():
    for name in ("initdb", "postgres", "psql", "pg_isready"):
        program(name)
    made = Server()
    yield made
    made.stop()


def type_of(name, values):
    seen = [value for value in values if value is not None]
    if name == "when":
        return "timestamp"
    return "text" if isinstance(seen[0], str) else "boolean" if str(seen[0]) in ("True", "False") else "double precision"


def put(server, case, table="data"):
    """The case's rows as a table, empty cells as null; a table has no order, so each row gets its number."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in case.rows]
    table = '"' + table.replace('"', '""') + '"'
    server.ask(f"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (line serial, " + ", ".join(
        f"{name} {type_of(own, values)}" for name, (own, values) in zip(quoted, case.rows.items())) + ");")
    server.ask(f"COPY {table} ({', '.join(quoted)}) FROM STDIN (FORMAT csv, HEADER true)", (case.folder / "rows.csv").read_text())


def asked(server, case, table="data", *words):
    answer = pd.read_csv(io.StringIO(server.ask(case.export("--sql", "postgresql", "--table", table, *words))), dtype={"prediction": str},
                         keep_default_na=False, float_precision="round_trip").sort_values("line").drop(columns="line")
    return list(answer.columns), answer.values.tolist()


def test_postgresql_gives_the_posteriors_of_the_model(case, server):
    put(server, case)
    case.check_table(*asked(server, case))


def test_hostile_names_of_tables_are_quoted(tmp_path, kit, server):
    case = kit.case(tmp_path, "naive_bayes", "mixed", {"families": kit.families})
    put(server, case, "my 'data\"; --")
    case.check_table(*asked(server, case, "my 'data\"; --"))


@pytest.mark.parametrize("words", [("--reject", "0.7"), ("--cost", "a:b=5,b:a=2"), ("--thresholds", "a=0.8,b=0.05"), ("--prior", "a=0.5,b=0.5,c=0")])
def test_decisions_leave_with_the_model(tmp_path, words, kit, server):
    case = kit.case(tmp_path, "mixture_discriminant", "numbers")
    case.ask(*words)
    put(server, case)
    case.check_table(*asked(server, case, "data", *words))


@pytest.mark.slow
@pytest.mark.parametrize("model, make", [("linear_discriminant", "numbers"), ("naive_bayes", "mixed"), ("mixture_discriminant", "numbers")])
def test_a_hundred_thousand_rows_with_holes(tmp_path, model, make, kit, server):
    case = kit.case(tmp_path, model, make, {"families": kit.families} if make == "mixed" else {}, rows=100_000)
    put(server, case)
    case.check_table(*asked(server, case))
