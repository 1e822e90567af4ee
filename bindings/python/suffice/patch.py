"""`python -m suffice.patch script.py ...` runs a program with our classes in place of scikit-learn's.

Importing this module puts it where the function ``suffice.patch`` was, so it can be called as the function is.
"""
import runpy
import sys
import types

from suffice.patching import patch


class CallableModule(types.ModuleType):
    """A module that does what the function of its name does."""

    def __call__(self):
        patch()


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python -m suffice.patch SCRIPT [ARGUMENTS...]")
    patch()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
else:
    sys.modules[__name__].__class__ = CallableModule
