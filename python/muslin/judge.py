"""Frames judged by what shares no code with contact, and solvers compared beside the exact minimum."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from . import _native, arrays
from .error import Error
from .pictures import write_file
from .scene import as_scene


class Verdicts(List[Dict[str, Any]]):
    """A dict a frame: `frame`, `clean`; `intersecting` (triangle, triangle, name of the collider whose the second
    is, or None); `least_gap` [m] or None; `inside` (vertex,
    collider, depth [m]); `cut` (triangle, collider, depth [m]); numbers of `crossings` and `doubted_crossings` since the
    frame before; `through` (vertex, collider), and the number `possible_through`: what two frames prove, and what they
    leave open. Numbers are those of the frames' vertices and triangles."""

    changed_files: Sequence[str] = ()  #: of a run's folder: those that are no longer what it wrote

    @property
    def clean(self) -> bool:
        """Whether nothing passes through anything in any frame."""
        return all(verdict["clean"] for verdict in self)


def check_frames(frames: Any, scene: Any = None, *, within: Optional[float] = None) -> Verdicts:
    """Does anything pass through anything? The judge is exact, and independent of contact.

    frames: a folder that `muslin run --out` filled; or, with their scene, the positions (n x 3 [m]) of every frame from
    frame 0 on. within: how far gaps are looked for [m]; default: twice the thickness of the thickest cloth.
    """
    far = None if within is None else arrays.distance("within", within)
    if isinstance(frames, (str, os.PathLike)):
        return _check_folder(os.fspath(frames), far)
    if scene is None:
        raise Error("check_frames: expected a folder, or positions with their scene")
    native = as_scene(scene)._native
    judge = _native.FrameJudge(native, far)
    for positions in frames:
        judge.add(arrays.numbers("check_frames", positions), True)
    return Verdicts(judge.finish())


def _check_folder(folder: str, within: Optional[float]) -> Verdicts:
    run = _native.RunFolder(folder)
    judge = _native.FrameJudge(run.scene(), within)
    for _ in range(run.count_frames()):
        judge.add_frame(run)
    verdicts = Verdicts(judge.finish())
    verdicts.changed_files = run.changed_files()
    return verdicts


class Comparison(Dict[str, Any]):
    """What `muslin compare --json` prints, as a dict; a notebook shows its page."""

    page: str  #: one HTML file that needs no other

    @property
    def frames(self) -> Dict[str, list]:
        """Columns as pandas.DataFrame takes them: a row a solver and frame, the reference first."""
        table: Dict[str, list] = {"solver": []}
        records = [("reference", self["reference"])] + [(record["name"], record) for record in self["solvers"]]
        for name, record in records:
            columns = record["frames"]
            rows = max((len(values) for values in columns.values()), default=0)
            for column in columns:
                table.setdefault(column, [None] * len(table["solver"]))
            table["solver"] += [name] * rows
            for column in table:
                if column != "solver":
                    table[column] += columns.get(column, [None] * rows)
        return table

    def _repr_html_(self) -> str:
        import html

        return f'<iframe style="width:100%;height:40em;border:0" srcdoc="{html.escape(self.page)}"></iframe>'


def compare(
    scene: Any,
    solvers: Sequence[str],
    *,
    frames: Optional[int] = None,
    substeps: Optional[int] = None,
    iterations: Optional[int] = None,
    every: Optional[int] = None,
    trace: Sequence[int] = (),
    sweeps: Sequence[Mapping[str, Sequence[float]]] = (),
    page: "str | os.PathLike[str] | None" = None,
    progress: Optional[Callable[[int, int], Any]] = None,
) -> Comparison:
    """Runs a scene under several solvers that take the same steps, beside the exact minimum of every step.

    solvers: names of muslin.methods(). sweeps: each a dict of axes (iterations, dt [s], resolution) with their values.
    page: a file for the page. progress: called with (frame, frames). Other options: as `muslin compare` has them.
    """
    if isinstance(solvers, str) or not all(isinstance(name, str) for name in solvers):
        raise Error(f"compare: solvers: expected a list of names, got {solvers!r}")
    option = lambda name, value: None if value is None else arrays.count(f"compare: {name}", value, 1, 1000000)
    swept = [
        [(str(axis), arrays.numbers(f"compare: sweep of {axis}", values).tolist()) for axis, values in sweep.items()]
        for sweep in sweeps
    ]
    names = list(dict.fromkeys(solvers))
    text, html_page = _native.compare(
        as_scene(scene)._native,
        names,
        option("frames", frames),
        option("substeps", substeps),
        option("iterations", iterations),
        option("every", every),
        [arrays.count("compare: trace", number, 1) for number in trace],
        swept,
        progress,
    )
    comparison = Comparison(json.loads(text))
    comparison.page = html_page
    if page is not None:
        write_file(page, html_page.encode())
    return comparison
