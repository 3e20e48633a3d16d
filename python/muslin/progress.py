"""How far work is: a bar of tqdm where that is installed, else a line."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Tuple

Bar = Tuple[Callable[[str], Any], Callable[[], Any]]


def bar(count: int, unit: str) -> Bar:
    """A function to call after each of so many, with a word on it, and one for the end."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return _line(count, unit)
    shown = tqdm(total=count, unit=unit)
    return (lambda words: shown.update() and None), shown.close


def _line(count: int, unit: str) -> Bar:
    start = last = time.monotonic()
    done = 0

    def tell(words: str) -> None:
        nonlocal last, done
        now = time.monotonic()
        done += 1
        if now < last + 0.2 and done < count:
            return
        last = now
        left = (now - start) / done * (count - done)
        sys.stderr.write(f"\r{unit} {done}/{count}, {words}{left:.0f} s left ")
        sys.stderr.flush()

    return tell, lambda: sys.stderr.write("\n")
