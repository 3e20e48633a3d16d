"""What callers give as arrays, looked at before the library sees it."""
from __future__ import annotations

from typing import Any, List, Sequence, Union

import numpy as np

from .error import Error


def unmasked(what: str, value: Any) -> None:
    """Refuses masked arrays: what lies under a mask is no value, and would be taken for one."""
    if isinstance(value, np.ma.MaskedArray):
        raise Error(f"{what}: expected an array without a mask; its .filled(...) has numbers in their places")


def numbers(what: str, value: Any) -> np.ndarray:
    """As an array of doubles, all finite."""
    unmasked(what, value)
    try:
        array = np.asarray(value)
    except ValueError:  # rows of several lengths
        raise Error(f"{what}: expected numbers in rows of equal length") from None
    if array.dtype.kind not in "fiu":
        raise Error(f"{what}: expected numbers, got {array.dtype} ({type(value).__name__})")
    array = np.asarray(array, dtype=np.float64, order="C")
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise Error(f"{what}: expected finite numbers, got {array[at]} at {list(at)}")
    return array


def rows(what: str, value: Any, count: int) -> np.ndarray:
    """A row of three numbers for each of so many vertices."""
    array = numbers(what, value)
    if array.shape != (count, 3):
        raise Error(f"{what}: expected shape ({count}, 3), got {array.shape}")
    return array


def distance(what: str, value: Any) -> float:
    """A number above 0."""
    array = numbers(what, value)
    if array.shape != () or not array > 0:
        raise Error(f"{what}: expected a number above 0, got {value!r}")
    return float(array)


def place(what: str, value: Any) -> List[float]:
    """Three numbers."""
    array = numbers(what, value)
    if array.shape != (3,):
        raise Error(f"{what}: expected 3 numbers, got shape {array.shape}")
    return array.tolist()


def whole(what: str, value: Any) -> int:
    """An int, or numpy's."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise Error(f"{what}: expected an integer, got {value!r}")
    return int(value)


def count(what: str, value: Any, least: int = 0, most: int = 2**31 - 1) -> int:
    """An int in a range."""
    number = whole(what, value)
    if not least <= number <= most:
        raise Error(f"{what}: expected {least} to {most}, got {number}")
    return number


def vertices(what: str, value: Union[int, Sequence[int], np.ndarray], count: int) -> List[int]:
    """Numbers of vertices: one, several, or a mask of all."""
    unmasked(what, value)
    array = np.asarray(value)
    if array.dtype == bool:
        if array.shape != (count,):
            raise Error(f"{what}: expected a mask of {count} vertices, got shape {array.shape}")
        return np.flatnonzero(array).tolist()
    if array.size == 0:
        return []
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise Error(f"{what}: expected a vertex, a list of them or a mask, got {array.dtype} of shape {array.shape}")
    found = np.atleast_1d(array)
    for number in found:
        if not 0 <= number < count:
            raise Error(f"{what}: vertex {number} of {count}")
    return found.tolist()
