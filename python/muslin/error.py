"""What went wrong, in parts that a program can read."""
from __future__ import annotations

import re
from typing import List, NamedTuple, Optional

_LINE = re.compile(r"(?:(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): )?(?:(?P<path>/[^\s:]*): )?(?P<message>.*)", re.S)


class Problem(NamedTuple):
    """One thing that is wrong with a scene."""

    path: Optional[str]  #: JSON pointer of the value: "/cloths/0/fabric/density"
    message: str  #: what was expected, and what was found
    file: Optional[str] = None
    line: Optional[int] = None  #: from 1
    column: Optional[int] = None  #: from 1, in characters


def _problem(text: str, kind: str) -> Problem:
    if kind == "file":  # "out/run.json: cannot be opened: …": a file's name, not a place in a scene
        name, colon, message = text.partition(": ")
        return Problem(None, message, name) if colon else Problem(None, text)
    found = _LINE.fullmatch(text)
    assert found is not None  # every part may be missing
    number = lambda name: int(found[name]) if found[name] else None
    return Problem(found["path"], found["message"], found["file"], number("line"), number("column"))


class Error(Exception):
    """Bad input, or a file that cannot be read or written. A scene's problems are all told at once.

    path, file, line, column: of the first problem, each None where there is none (a scene that was made in Python has
    no lines). problems: all of them. kind: "invalid", "file" or "busy".
    """

    def __init__(self, message: str, kind: str = "invalid"):
        super().__init__(message, kind)
        self.message = message
        self.kind = kind
        self.problems: List[Problem] = [_problem(line, kind) for line in message.split("\n")]

    path = property(lambda self: self.problems[0].path)
    file = property(lambda self: self.problems[0].file)
    line = property(lambda self: self.problems[0].line)
    column = property(lambda self: self.problems[0].column)

    def __str__(self) -> str:
        return self.message


class BusyError(Error):
    """Another thread is using the simulation just now."""

    def __init__(self, message: str, kind: str = "busy"):
        super().__init__(message, kind)


def without_places(error: Error) -> Error:
    """The same of a text that nobody wrote, whose lines say nothing; of a file's trouble, which has none, itself."""
    if error.kind != "invalid":
        return error
    return Error("\n".join(f"{p.path}: {p.message}" if p.path else p.message for p in error.problems))
