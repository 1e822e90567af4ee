"""What only a terminal shows: completion in real shells, the progress bar, and what Ctrl-C leaves behind."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest


class Terminal:
    """A program whose every stream is a terminal."""

    def __init__(self, words, **environment):
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.execve(words[0], [str(word) for word in words], {**os.environ, "TERM": "xterm", "PS1": "ready> ", **environment})
        self.seen = ""

    def read_until(self, pattern, seconds=60):
        """Reads on until the pattern has shown up behind what was read before, and returns what came with it."""
        start, end = len(self.seen), time.monotonic() + seconds
        while not re.search(pattern, self.seen[start:]):
            ready = select.select([self.screen], [], [], max(0, end - time.monotonic()))[0]
            assert ready, f"{pattern} did not come; the screen shows {self.seen[start:][-2000:]!r}"
            try:
                more = os.read(self.screen, 1 << 16)
            except OSError:  # the program has ended
                more = b""
            assert more or re.search(pattern, self.seen[start:]), f"ended without {pattern}: {self.seen[start:][-2000:]!r}"
            self.seen += more.decode(errors="replace")
        return self.seen[start:]

    def type(self, text):
        os.write(self.screen, text.encode())

    def end(self):
        """The rest of the output and the exit code."""
        while True:
            try:
                more = os.read(self.screen, 1 << 16)
            except OSError:
                break
            if not more:
                break
            self.seen += more.decode(errors="replace")
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture
def shell(folder, command):
    """Starts a shell that knows no start-up files, with the command on its path and the completion loaded."""
    started = []

    def start(name, *words, load):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        terminal = Terminal([shutil.which(name), *words], PATH=f"{command.parent}:{os.environ['PATH']}", HOME=str(folder), ZDOTDIR=str(folder))
        started.append(terminal)
        for line in [*load, "PS1='rea''dy> '"]:
            terminal.type(line + "\n")
        terminal.read_until("ready> ")
        return terminal
    yield start
    for terminal in started:
        os.kill(terminal.process, signal.SIGKILL)
        terminal.end()


COMPLETIONS = {  # what is typed, what stands there after a tab
    "a verb": ("suffice pred", "predict "),
    "an option": ("suffice fit iris.csv --shrin", "--shrinkage"),
    "a model": ("suffice fit iris.csv --model quadr", "quadratic_discriminant"),
    "a file": ("suffice fit peng", "penguins.csv"),
}


@pytest.mark.parametrize("what", COMPLETIONS)
def test_zsh_completes(shell, what):
    typed, completed = COMPLETIONS[what]
    terminal = shell("zsh", "-f", "-i", load=["unsetopt zle_bracketed_paste", "autoload -Uz compinit", "compinit -u -D", "source <(suffice completion zsh)"])
    terminal.type(typed + "\t")
    word = typed.split()[-1]
    terminal.read_until(re.escape(completed[len(word):].rstrip() if completed.startswith(word) else completed))


@pytest.mark.parametrize("what", COMPLETIONS)
def test_bash_completes(shell, what):
    typed, completed = COMPLETIONS[what]
    terminal = shell("bash", "--norc", "--noprofile", "-i", load=["source <(suffice completion bash)"])
    terminal.type(typed + "\t")
    word = typed.split()[-1]
    terminal.read_until(re.escape(completed[len(word):].rstrip() if completed.startswith(word) else completed))


def test_a_completion_script_can_also_lie_in_the_folder_of_functions(shell, folder, suffice):
    (folder / "functions").mkdir()
    (folder / "functions" / "_suffice").write_text(suffice("completion", "zsh").stdout)
    terminal = shell("zsh", "-f", "-i", load=["fpath=($PWD/functions $fpath)", "autoload -Uz compinit", "compinit -u -D"])
    terminal.type("suffice insp\t")
    terminal.read_until("ect")


SHOWN = r"\r(\[=* *\] )?([0-9.e+-]+ s left, )?([0-9,]+) rows, ([0-9,]+) rows/s, ([0-9.e+]+) MB/s\x1b\[K"
BLOCK = "".join(f"{k % 13},{k % 7},{'xy'[k % 2]}\n" for k in range(100_000))


def test_a_terminal_shows_how_quick_it_is_where_nobody_knows_how_much_is_to_come(folder, command):
    os.mkfifo("pipe.csv")
    terminal = Terminal([command, "fit", "pipe.csv", "--target", "kind", "-o", "m.suf"])
    with open("pipe.csv", "w") as pipe:
        pipe.write("a,b,kind\n" + BLOCK * 2)
        pipe.flush()
        time.sleep(0.3)
        pipe.write(BLOCK * 10)
    assert terminal.end() == 0, terminal.seen
    shown = re.findall(SHOWN, terminal.seen)
    assert shown and not any(bar or left for bar, left, *_ in shown)
    assert "rows/s\r\n" in terminal.seen.split("\x1b[K")[-1]  # wiped away before the summary


def test_a_terminal_shows_how_much_is_left(folder, command):
    pathlib.Path("d.csv").write_text("a,b,kind\n" + BLOCK)
    os.mkfifo("cost.csv")  # is asked for first, so that the clock runs before the rows are read
    subprocess.run([command, "fit", "d.csv", "--target", "kind", "-q", "-o", "m.suf"], check=True)
    terminal = Terminal([command, "predict", "m.suf", "d.csv", "--cost", "cost.csv", "-o", "out.csv"], SUFFICE_THREADS="1")
    with open("cost.csv", "w") as cost:
        time.sleep(0.3)
        cost.write("truth,x,y\nx,0,1\ny,1,0\n")
    assert terminal.end() == 0, terminal.seen
    bar, left, rows, *_ = re.findall(SHOWN, terminal.seen)[0]
    assert bar.startswith("[") and left.endswith(" s left, ") and 0 < int(rows.replace(",", "")) < 100_000


def test_a_program_that_reads_along_gets_plain_lines(suffice):
    pathlib.Path("d.csv").write_text("a,b,kind\n" + "1,2,x\n2,1,y\n" * 400_000)
    done = suffice("fit", "d.csv", "--target", "kind", "-o", "m.suf")
    assert "\r" not in done.stderr and "\x1b" not in done.stderr


@pytest.mark.parametrize("words", [["-o", "out.csv"], ["--json", "-o", "out.csv"]])
def test_an_interrupted_prediction_leaves_the_old_file(suffice, command, words):
    suffice("fit", "iris.csv", "--target", "species", "-q", "-o", "m.suf")
    pathlib.Path("out.csv").write_text("as it was")
    os.mkfifo("pipe.csv")
    process = subprocess.Popen([command, "predict", "m.suf", "pipe.csv", *words], stderr=subprocess.PIPE, text=True)
    head, *rows = pathlib.Path("iris.csv").read_text().splitlines(keepends=True)
    with open("pipe.csv", "w") as pipe:
        pipe.write(head + "".join(rows) * 400)
        pipe.flush()
        process.send_signal(signal.SIGINT)
        try:
            pipe.write("".join(rows) * 400)
        except BrokenPipeError:
            pass
    assert process.wait(60) == 1 and "stopped" in process.stderr.read()
    assert pathlib.Path("out.csv").read_text() == "as it was" and not list(pathlib.Path().glob("out.csv.*"))


def test_a_model_is_not_written_to_a_terminal(suffice, command):
    terminal = Terminal([command, "fit", "iris.csv", "--target", "species"])
    assert terminal.end() == 2 and "-o" in terminal.seen


@pytest.mark.parametrize("what", COMPLETIONS)
def test_fish_completes(folder, command, suffice, what):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    typed, completed = COMPLETIONS[what]
    (folder / "suffice.fish").write_text(suffice("completion", "fish").stdout)
    done = subprocess.run(["fish", "--no-config", "-c", f"source suffice.fish; complete -C '{typed}'"], cwd=folder, capture_output=True,
                          text=True, env={**os.environ, "HOME": str(folder), "PATH": f"{command.parent}:{os.environ['PATH']}"})
    assert any(line.split("\t")[0] == completed.strip() for line in done.stdout.splitlines()), done.stdout + done.stderr
