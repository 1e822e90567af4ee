"""Whether named arrays, or lists of arrays, are the same to the bit."""
import numpy as np


def same_numbers(left, right):
    return left.keys() == right.keys() and all(
        len(left[key]) == len(right[key]) and all(map(np.array_equal, left[key], right[key]))
        if isinstance(right[key], list) else np.array_equal(left[key], right[key]) for key in left)
