"""Muslin simulates cloth: the same scenes, solvers and bits as the command line, from Python.

    import muslin

    scene = muslin.Scene(cloths=[muslin.Cloth(grid=muslin.Grid(points=[40, 40], size=[0.4, 0.4]), fabric="cotton",
                                              pins=[muslin.Pin(grid=[[0, 0], [-1, 0]])])])
    simulation = muslin.Simulation(scene)
    simulation.run(60)
    simulation.positions  # 1600 x 3 [m]

SI units, y up. What is wrong is a muslin.Error that names the place.
"""
from typing import Any, Dict, List

from . import _native, parts
from .error import BusyError, Error, Problem
from .judge import Comparison, Verdicts, check_frames, compare
from .mesh import Mesh
from .parts import *  # noqa: F401,F403
from .pictures import Film, camera_of, film, looks, png, render, save_png
from .scene import Scene, shipped_scenes
from .simulation import Report, Reports, Simulation
from .sweeps import SweepTable, figures, plan_schema, sweep

__version__: str = _native.version()


def schema() -> str:
    """The JSON Schema of scenes: every field with its sentence, unit, range and default."""
    return _native.schema()


def methods() -> List[Dict[str, Any]]:
    """Solvers by name, with family and summary, the simplest first."""
    return _native.methods()


def fabrics() -> List[Dict[str, Any]]:
    """Presets of fabrics by name, with where their numbers come from and their bending length [m]."""
    return _native.fabrics()


def threads() -> int:
    """How many threads those simulations use that have no number of their own."""
    return _native.threads()


def set_threads(count: int) -> None:
    """Sets that number; 0: all cores."""
    from .arrays import count as checked

    _native.set_threads(checked("set_threads", count, 0, 4096))


__all__ = [
    "BusyError",
    "Comparison",
    "Error",
    "Film",
    "Mesh",
    "Problem",
    "Report",
    "Reports",
    "Scene",
    "Simulation",
    "SweepTable",
    "Verdicts",
    "camera_of",
    "check_frames",
    "compare",
    "fabrics",
    "figures",
    "film",
    "looks",
    "methods",
    "plan_schema",
    "png",
    "render",
    "save_png",
    "schema",
    "set_threads",
    "shipped_scenes",
    "sweep",
    "threads",
] + parts.__all__
