"""`python -m suffice.patch script.py ...` runs a program with our classes in place of scikit-learn's."""
import runpy
import sys

from suffice.patching import patch


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python -m suffice.patch SCRIPT [ARGUMENTS...]")
    patch()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
