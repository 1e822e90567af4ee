"""Lets threadpoolctl limit the library's threads, as it does for BLAS and OpenMP."""
import ctypes
import os

import threadpoolctl

from suffice import _core


class SufficeController(threadpoolctl.LibController):
    """The library's threads as threadpoolctl sees them."""

    user_api = "suffice"
    internal_api = "suffice"
    filename_prefixes = ("_core",)
    check_symbols = ("suffice_get_num_threads", "suffice_set_num_threads")

    def get_num_threads(self):
        return self.dynlib.suffice_get_num_threads()

    def set_num_threads(self, num_threads):
        self.dynlib.suffice_set_num_threads(num_threads)

    def get_version(self):
        return None


def register():
    """Makes the library known to threadpoolctl, once."""
    if SufficeController not in threadpoolctl._ALL_CONTROLLERS:
        threadpoolctl.register(SufficeController)
        _share_with_siblings()


def _share_with_siblings():
    """joblib tells its worker processes by OMP_NUM_THREADS how many threads each may start."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if "SUFFICE_THREADS" not in os.environ and told.isdigit() and 0 < int(told) < _core.default_thread_count():
        ctypes.CDLL(_core.__file__).suffice_set_num_threads(int(told))
