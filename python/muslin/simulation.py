"""A running cloth."""
from __future__ import annotations

import copy
import difflib
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Type, Union

import numpy as np

from . import _native, arrays
from .error import BusyError, Error
from .mesh import Mesh
from .progress import bar
from .scene import Scene, as_scene

Report = _native.Report


class Reports(List[Report]):
    """The reports of several frames."""

    def table(self) -> Dict[str, list]:
        """Columns by name, as pandas.DataFrame takes them; None where a number does not exist."""
        return {name: [getattr(report, name) for report in self] for name in Report.fields}


class Simulation:
    """A run of a scene.

    Arrays have a row a vertex, all cloths one after another, in the order of their grids (vertex (i, j) is j*nu + i) or
    mesh files. An array stays as it is when the simulation goes on. Positions and velocities are read-only, as they are
    read where they lie; all others are copies.

    A simulation is for one thread at a time: a call while another thread's step runs throws muslin.BusyError. Several
    simulations may step in threads side by side, as the interpreter's lock is released meanwhile; each has the bits
    that it has alone, for any number of `threads` (0: those of the process, muslin.set_threads).

    check: refuse a start in which things meet that are kept apart, and add doubts about it to `warnings`. repair: draw
    apart first what intersects.
    """

    def __init__(self, scene: Any, *, threads: int = 0, check: bool = True, repair: bool = False):
        self._scene = as_scene(scene)
        self._native = _native.Simulation(self._scene._native)
        self._vertex_count: int = self._native.vertex_count()
        self.threads = threads
        self._warnings: List[str] = self._native.warnings()
        if repair:
            self._native.repair()
        if check:
            self._warnings += self._native.check(repair)

    # --- going on ------------------------------------------------------------------------------------

    def step(self) -> Report:
        """One frame. Ctrl-C stops it within the frame, and leaves the state of the frame before."""
        return self._native.step()

    def advance(self, frames: int = 1) -> str:
        """So many frames of which nothing is measured, for training and games: they have step()'s bits, and take less
        time where a step is short. Returns the status of the last one made, which alone may be "diverged" or
        "cancelled"; "diverged" are numbers that are not finite. `report` measures whenever that is wanted, and tells
        of overstretched cloth, too.
        """
        status = "ok"
        for _ in range(arrays.count("frames", frames)):
            status = self._native.advance()
            if status in ("diverged", "cancelled"):
                break
        return status

    def run(
        self,
        frames: Optional[int] = None,
        progress: "bool | Callable[[Report], Any] | None" = None,
        until_rest: Optional[float] = None,
    ) -> Reports:
        """So many frames, or all that are left of the scene's; ends early if one diverges or is stopped.

        until_rest: a speed [m/s]; ends once no vertex was faster at the end of any frame through half a second.

        progress: True shows a bar (tqdm's where that is installed); a function is called with every report, and ends
        the run by returning False.
        """
        left = max(0, self._scene.frames - self.frame) if frames is None else arrays.count("frames", frames)
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise Error(f"progress: expected True, False or a function, got {type(progress).__name__}")
        rest = None if until_rest is None else _native.RestWatch(arrays.distance("until_rest", until_rest))
        tell, end = _frame_bar(left) if progress is True else (progress or None, None)
        reports = Reports()
        try:
            for _ in range(left):
                report = self._native.step()
                reports.append(report)
                told = tell(report) if tell else None
                if isinstance(told, (bool, np.bool_)) and not told:
                    break
                if report.status in ("diverged", "cancelled"):
                    break
                if rest is not None and rest.look(self._native):
                    break
        finally:
            if end:
                end()
        return reports

    def stop(self) -> None:
        """Ends the frame that is being made, or else the next, from any thread: its report says "cancelled", and the
        state is that of the frame before."""
        self._native.stop()

    def reset(self) -> None:
        """Back to time 0; what hands hold, pull, moved and pushed is as the scene has it."""
        self._native.reset()

    # --- what there is -------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """What is simulated."""
        return self._scene

    @property
    def frame(self) -> int:
        """How many frames were made."""
        return self._native.frame()

    @property
    def time(self) -> float:
        """[s]"""
        return self._native.time()

    @property
    def vertex_count(self) -> int:
        """Vertices of all cloths."""
        return self._vertex_count

    @property
    def report(self) -> Report:
        """Of the state as it is, without a step."""
        return self._native.report()

    @property
    def hash(self) -> str:
        """Of the state: 16 hexadecimal digits, as `muslin run --json` prints them."""
        return self._native.report().hash

    @property
    def warnings(self) -> List[str]:
        """What looks unintended in the scene or its start, one sentence each."""
        return list(self._warnings)

    @property
    def threads(self) -> int:
        """How many threads a step uses; set 0 for those of the process. Bits do not depend on it."""
        return self._native.threads()

    @threads.setter
    def threads(self, count: int) -> None:
        self._native.set_threads(arrays.count("threads", count, 0, 4096))
        self._threads = count

    @property
    def positions(self) -> np.ndarray:
        """n x 3 [m], read-only. Set: the cloth is elsewhere; held vertices go back to their pins in the next frame."""
        return self._native.positions()

    @positions.setter
    def positions(self, rows: Any) -> None:
        self._native.set_positions(arrays.rows("positions", rows, self.vertex_count))

    @property
    def velocities(self) -> np.ndarray:
        """n x 3 [m/s], read-only. Set: the cloth moves otherwise."""
        return self._native.velocities()

    @velocities.setter
    def velocities(self, rows: Any) -> None:
        self._native.set_velocities(arrays.rows("velocities", rows, self.vertex_count))

    @property
    def forces(self) -> np.ndarray:
        """n x 3 [N], a copy: minus the gradient of the elastic energy, by which the fabric draws on each vertex.
        Weight, air, damping, contact and what you push with are not in it. Vertices that are sewn together have one
        force, and each shows it."""
        return self._native.forces()

    @property
    def external_forces(self) -> np.ndarray:
        """n x 3 [N], a copy: what `push` added to weight and wind."""
        return self._native.external_forces()

    @property
    def reactions(self) -> np.ndarray:
        """n x 3 [N], a copy: what pins and contact (colliders and other cloth) did to each vertex in the last step, by
        Newton's second law: exact at rest, of first order in the step in motion. Vertices that are sewn together have
        one force, and each shows it."""
        return self._native.reactions()[2]

    @property
    def pin_reactions(self) -> np.ndarray:
        """One row of 3 [N] for each of the scene's pins, cloth after cloth: what it does to the cloth. The rows of a
        hanging cloth at rest sum to its weight. What `pin` holds is a last row."""
        return np.array([force for _, force in self._native.reactions()[0]]).reshape(-1, 3)

    @property
    def collider_forces(self) -> dict[str, np.ndarray]:
        """What the cloth does to the scene's colliders, in their order: "normal" and "friction", one row of 3 [N] for
        each, and "vertices", how many lie on it. Cloth at rest presses with its weight."""
        loads = self._native.reactions()[1]
        return {
            "normal": np.array([normal for _, normal, _ in loads]).reshape(-1, 3),
            "friction": np.array([friction for _, _, friction in loads]).reshape(-1, 3),
            "vertices": np.array([count for count, _, _ in loads], dtype=int),
        }

    @property
    def tension(self) -> np.ndarray:
        """m [N/m], a copy: the largest principal tension of each of `triangles`; times a width it is a pull."""
        return self._native.tension()

    @property
    def masses(self) -> np.ndarray:
        """n [kg], a copy."""
        return self._native.masses()

    @property
    def triangles(self) -> np.ndarray:
        """m x 3 vertex numbers, a copy."""
        return self._native.triangles()

    @property
    def pinned(self) -> np.ndarray:
        """Numbers of the vertices that are held in any direction."""
        return np.array(self._native.pinned(), dtype=int)

    @property
    def colliders(self) -> List[str]:
        """Their names, in the order of their numbers."""
        return self._native.colliders()

    def mesh(self) -> Mesh:
        """The cloth where it is now."""
        return Mesh(self.positions, self.triangles)

    # --- by hand, between two frames -----------------------------------------------------------------

    def pin(self, vertices: Union[int, Sequence[int], np.ndarray], places: Any = None) -> None:
        """Holds vertices where they are; with `places` (a row each, or one for all [m]), they go there evenly during
        the next frame. Call it every frame to lead them along a path."""
        numbers = arrays.vertices("pin", vertices, self.vertex_count)
        if places is None:
            for vertex in numbers:
                self._native.hold(vertex)
            return
        wanted = arrays.numbers("pin: places", places)
        if wanted.shape == (3,):
            wanted = np.tile(wanted, (len(numbers), 1))
        if wanted.shape != (len(numbers), 3):
            raise Error(f"pin: places: expected shape ({len(numbers)}, 3) or (3,), got {wanted.shape}")
        for vertex, row in zip(numbers, wanted.tolist()):
            self._native.hold(vertex, row)

    def attach(self, vertices: Union[int, Sequence[int], np.ndarray], collider: Union[int, str]) -> None:
        """Fastens vertices where they are to a collider, by number or name, which carries them from the next frame on:
        each in the frame of the triangle that is nearest, where the collider deforms."""
        numbers = arrays.vertices("attach", vertices, self.vertex_count)
        self._native.attach(list(numbers), self._collider("attach", collider))

    def release(self, vertices: Union[int, Sequence[int], np.ndarray]) -> None:
        """Lets vertices go, whoever pinned them."""
        for vertex in arrays.vertices("release", vertices, self.vertex_count):
            self._native.let_go(vertex)

    def pull(self, vertex: Optional[int], place: Any = None) -> None:
        """Takes a vertex between two fingers and pulls it towards a place [m] by a spring, until another pull;
        pull(None) lets go."""
        if vertex is None:
            self._native.release()
            return
        number = arrays.vertices("pull", arrays.whole("pull", vertex), self.vertex_count)[0]
        self._native.pull(number, arrays.place("pull: place", place))

    def move_collider(self, collider: Union[int, str], offset: Any) -> None:
        """Shifts a collider, by number or name, from where its own motion has it [m]; it goes there evenly during the
        next frame."""
        number = self._collider("move_collider", collider)
        self._native.carry(number, arrays.place("move_collider: offset", offset))

    def _collider(self, call: str, collider: Union[int, str]) -> int:
        names = self.colliders
        if isinstance(collider, str):
            if collider not in names:
                near = difflib.get_close_matches(collider, names, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}"
                raise Error(f"{call}: no collider {collider!r}; {hint}")
            return names.index(collider)
        number = arrays.whole(call, collider)
        if not 0 <= number < len(names):
            raise Error(f"{call}: collider {number} of {len(names)}")
        return number

    def push(self, forces: Any) -> None:
        """Adds a force a vertex (n x 3 [N]) to weight and wind from now on; push(None) takes it away again. Where
        vertices are sewn together, theirs add up."""
        rows = np.zeros((0, 3)) if forces is None else arrays.rows("push", forces, self.vertex_count)
        self._native.push(rows)

    # --- kept ----------------------------------------------------------------------------------------

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes all that this run needs to go on with the same bits, but its scene."""
        self._native.save(os.fspath(path))

    def load(self, path: "str | os.PathLike[str]") -> None:
        """Goes on from a file that `save` wrote of the same scene; one that does not fit changes nothing."""
        self._native.load(os.fspath(path))

    def copy(self) -> "Simulation":
        """Another one in the same state: both go on with the same bits, each by itself. What else a class of yours
        keeps, both have."""
        return _restored(type(self), self._kept(), self._native.saved())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Simulation":
        kept = self._kept()
        own = {name: copy.deepcopy(value, memo) for name, value in kept.items() if name != "_scene"}
        return _restored(type(self), {**kept, **own}, self._native.saved())

    def __reduce__(self) -> Any:
        return _restored, (type(self), self._kept(), self._native.saved())

    def _kept(self) -> Dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "_native"}
        return {**kept, "_warnings": list(self._warnings)}

    def __repr__(self) -> str:
        try:
            frame = f"frame {self.frame}"
        except BusyError:
            frame = "stepping"
        return f"<muslin.Simulation {self._scene.name!r}: {self.vertex_count} vertices, {frame}>"


def _restored(kind: Type[Simulation], kept: Dict[str, Any], saved: bytes) -> Simulation:
    simulation = kind.__new__(kind)
    simulation.__dict__.update(kept)
    simulation._native = _native.Simulation(simulation._scene._native)
    simulation._native.set_threads(simulation._threads)
    simulation._native.load_saved(saved)
    return simulation


def _frame_bar(frames: int) -> "tuple[Callable[[Report], Any], Callable[[], Any]]":
    tell, end = bar(frames, "frame")
    return (lambda report: tell(f"{report.ms:.1f} ms, ")), end
