"""Our classes in place of scikit-learn's, however the patch is imported."""
import subprocess
import sys

import pytest

NAMES = {"sklearn.naive_bayes": "GaussianNB", "sklearn.feature_extraction.text": "CountVectorizer"}
ASK = "".join(f"import {module}; print({module}.{name}.__module__.startswith('suffice'));" for module, name in NAMES.items())


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("imports", [
    "import suffice; suffice.patch();",
    "from suffice import patch; patch();",
    "import suffice.patch; suffice.patch();",
    "import suffice; suffice.patch; import suffice.patch; suffice.patch();",
    "import suffice, suffice.patch as module; module(); suffice.patch();",
    "import suffice.patch, suffice.patching; suffice.patching.patch();",
    "import sklearn.naive_bayes, sklearn.feature_extraction.text, suffice; suffice.patch(); suffice.patch();",
])
def test_patching_works_in_any_order_of_imports(imports):
    assert run("-c", imports + ASK) == ["True", "True"]
    assert run("-c", imports + "import suffice; suffice.unpatch();" + ASK) == ["False", "False"]


def test_a_script_runs_patched(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ASK + "\nimport sys; print(sys.argv[1:], __name__)")
    assert run("-m", "suffice.patch", str(script), "a", "b") == ["True", "True", "['a',", "'b']", "__main__"]


def test_a_patched_program_makes_our_matrices():
    code = ("import suffice; suffice.patch();"
            "from sklearn.feature_extraction.text import TfidfVectorizer;"
            "X = TfidfVectorizer().fit_transform(['a cat', 'the dog']);"
            "print(TfidfVectorizer.__module__, X.shape)")
    assert run("-c", code) == ["suffice.text", "(2,", "3)"]
