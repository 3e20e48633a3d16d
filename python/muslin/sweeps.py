"""One scene many times with other values, over the cores of this machine."""
from __future__ import annotations

import json
import os
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import _native, arrays
from .error import Error, without_places
from .pictures import write_file
from .progress import bar
from .scene import Plain, Scene, find_scene


def figures() -> List[Dict[str, str]]:
    """What the table of a sweep can tell of a run: name, sentence and unit of every figure."""
    return _native.figures()


def plan_schema() -> str:
    """The JSON Schema of plans: every field with its sentence, range and default."""
    return _native.plan_schema()


class SweepTable(Dict[str, list]):
    """Columns by name, as pandas.DataFrame takes them: line, axes, outcome, figures, muslin (the version), key, run_ms; a row a
    run that is done or failed. A notebook shows its page."""

    folder: str  #: of the sweep, as `muslin sweep` has it
    status: Dict[str, int]  #: numbers of runs: done, failed, running, left
    troubles: List[Tuple[int, str, str]]  #: (line, outcome, reason) of every run that failed
    warnings: List[str]  #: of scenes that cannot be built, one sentence each
    page: str  #: one HTML file that needs no other: figures by axis, the table

    def save_page(self, path: "str | os.PathLike[str]") -> None:
        """Writes the page; the file is complete or absent."""
        write_file(path, self.page.encode())

    def _repr_html_(self) -> str:
        import html

        return f'<iframe style="width:100%;height:40em;border:0" srcdoc="{html.escape(self.page)}"></iframe>'


def sweep(
    plan: "str | os.PathLike[str] | Mapping[str, Any]",
    folder: "str | os.PathLike[str]",
    *,
    jobs: int = 0,
    cache: "str | os.PathLike[str] | None" = None,
    progress: "bool | Callable[[int, int], Any] | None" = None,
) -> SweepTable:
    """Runs what is not done of a sweep, and returns its table.

    plan: a file, or a dict with the same keys, as `muslin sweep` has them (muslin.plan_schema()); its "scene" may be a Scene
    without meshes. folder: made for the plan; where it holds the sweep of the same plan, that goes on. jobs: runs side by
    side, each on one thread (0: as many as muslin.threads()). cache: a folder of results by key, shared by sweeps.
    progress: True shows a bar; a function is called with (done, all) after every run. Ctrl-C ends the runs that are going
    on; the same call goes on with what is left.
    """
    place = os.fspath(folder)
    width = arrays.count("sweep: jobs", jobs, 0, 4096) or _native.threads()
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise Error(f"sweep: progress: expected True, False or a function, got {type(progress).__name__}")
    warnings = _begin(plan, place)
    native = _native.Sweep(place, "" if cache is None else os.fspath(cache))
    left = [line for line in range(native.count()) if not native.has_result(line)]
    tell, end = _teller(progress, len(left), native.count())
    try:
        _run_all(native, left, width, tell)
    finally:
        if end:
            end()
    table = SweepTable(json.loads(native.table()))
    table.folder, table.status, table.troubles = place, native.status(), native.troubles()
    table.warnings, table.page = warnings, native.page()
    return table


def _teller(
    progress: "bool | Callable[[int, int], Any] | None", left: int, count: int
) -> "tuple[Optional[Callable[[int], Any]], Optional[Callable[[], Any]]]":
    """What is told after every run how many are left, and what is called at the end."""
    if callable(progress):
        asked = progress
        return (lambda left: asked(count - left, count)), None
    if not progress:
        return None, None
    tell, end = bar(left, "run")
    return (lambda left: tell("")), end


def _run_all(native: Any, lines: List[int], jobs: int, tell: Optional[Callable[[int], Any]]) -> None:
    """So many at a time. Whatever ends it early, the runs that are going on end first, and are left."""
    left, runs = len(lines), []  # type: int, List[Future[None]]
    with ThreadPoolExecutor(jobs) as pool:
        try:
            runs = [pool.submit(native.run, line) for line in lines]
            for run in as_completed(runs):
                run.result()
                left -= 1
                if tell:
                    tell(left)
        except BaseException:
            native.stop()
            for run in runs:
                run.cancel()
            raise


def _begin(plan: Any, folder: str) -> List[str]:
    """Makes the folder of a plan, or finds that it has it; what is wrong with scenes that cannot be built."""
    if isinstance(plan, (str, os.PathLike)):
        name = os.fspath(plan)
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        except OSError as error:
            raise Error(f"{name}: cannot be read: {error.strerror}", "file") from None
        beside = os.path.dirname(os.path.abspath(name))
        return _native.begin_sweep(folder, text, name, _scene_file(_native.scene_of_plan(text, name), beside))
    if not isinstance(plan, Mapping):
        raise Error(f"sweep: plan: expected a file or a dict, got {type(plan).__name__}")
    values = dict(plan)
    written = None
    if isinstance(values.get("scene"), Scene):
        values["scene"], written = _written(values["scene"], folder)
    try:
        text = json.dumps(Plain().of(values))
        return _native.begin_sweep(
            folder, text, "plan", _scene_file(_native.scene_of_plan(text, "plan"), os.getcwd())
        )
    except Error as error:
        if written:  # a plan that is refused leaves nothing
            os.remove(written)
        raise without_places(error) from None


def _scene_file(scene: str, folder: str) -> str:
    """The file of a scene that a plan in that folder names."""
    beside = os.path.join(folder, scene)
    return os.path.abspath(beside if os.path.exists(beside) else find_scene(scene))


def _written(scene: Scene, folder: str) -> "Tuple[str, Optional[str]]":
    """A file of the scene in the sweep's folder, and the same if it was not there before."""
    if any("mesh" in part for part in scene.dict()["cloths"] + scene.dict().get("colliders", [])):
        raise Error("sweep: scene: a Scene with meshes stays in memory; name the file of a scene instead")
    path = os.path.join(folder, "scene.json")
    text = scene.json()
    is_new = not os.path.exists(path)
    if not is_new:
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                raise Error(f"{path}: is another scene; choose another folder", "file")
    else:
        os.makedirs(folder, exist_ok=True)
        write_file(path, text.encode())
    return os.path.abspath(path), path if is_new else None
