"""Scenes: from files, JSON text, dicts and keywords. All go through the library's one reader."""
from __future__ import annotations

import json
import math
import os
from typing import Any, Dict, List, Mapping, Tuple

import numpy as np

from . import _native, arrays
from .error import Error, without_places
from .mesh import Mesh, is_mesh

_SCENES = os.path.join(os.path.dirname(__file__), "scenes")


def shipped_scenes() -> List[str]:
    """The names of the scenes that come with Muslin; Scene takes them like files."""
    return sorted(name[: -len(".json")] for name in os.listdir(_SCENES) if name.endswith(".json"))


def find_scene(source: str) -> str:
    """The file of a scene, by its path or the name of a shipped one."""
    shipped = os.path.join(_SCENES, source + ".json")
    if not os.path.exists(source) and os.path.exists(shipped):
        return shipped
    if "/" not in source and "." not in source and not os.path.exists(source):
        raise Error(f"{source}: is neither a file nor a shipped scene; shipped: {', '.join(shipped_scenes())}", "file")
    return source


class Plain:
    """A scene's values as JSON has them; meshes get names."""

    def __init__(self) -> None:
        self.meshes: Dict[str, Mesh] = {}

    def of(self, value: Any, path: str = "") -> Any:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, (float, np.floating)):
            if not math.isfinite(value):
                raise Error(f"{path}: expected a finite number, got {value}")
            return float(value)
        if isinstance(value, np.bool_):
            return bool(value)
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if is_mesh(value):
            return self._mesh(value, path)
        if isinstance(value, Mapping):
            return {self._key(key, path): self.of(item, f"{path}/{key}") for key, item in value.items()}
        if isinstance(value, np.ndarray):
            return self.of(value.tolist(), path)
        if isinstance(value, (list, tuple, range)):
            return [self.of(item, f"{path}/{i}") for i, item in enumerate(value)]
        raise Error(f"{path}: expected a number, text, list, dict, array or mesh, got {type(value).__name__}")

    @staticmethod
    def _key(key: Any, path: str) -> str:
        if not isinstance(key, str):
            raise Error(f"{path}: expected keys of text, got {key!r}")
        return key

    def _mesh(self, value: Any, path: str) -> Any:
        mesh = Mesh.of(value)
        name = next((name for name, known in self.meshes.items() if known is mesh), f"in memory {len(self.meshes)}.ply")
        self.meshes[name] = mesh
        return {"file": name} if path.endswith("/mesh") else name


class Scene:
    """What is simulated: cloths, colliders, wind, and the solver's settings. It never changes.

    Scene("flag")                                      a shipped scene, or a file
    Scene({"cloths": [{"grid": {"points": [9, 9]}}]})  a dict, as JSON has it
    Scene(cloths=[Cloth(grid=Grid(points=[9, 9]))])    keywords
    Scene.from_json(text)

    Keywords replace what `source` says. A mesh may be a Mesh, or one of trimesh's or meshio's, wherever JSON has a file.
    `solver` may be the name of a method, as "newton" (muslin.methods()). `folder` is where the names of files in a
    dict or in keywords lead from; they must lie below it, and a file has its own. Throws muslin.Error with all that is wrong.
    """

    def __init__(
        self, source: "str | os.PathLike[str] | Mapping[str, Any] | None" = None, *, folder: Any = None, **keywords: Any
    ):
        if source is not None and not isinstance(source, (str, os.PathLike, Mapping)):
            raise Error(f"Scene: expected a file, the name of a shipped scene, or a dict, got {type(source).__name__}")
        self._meshes: Dict[str, Mesh] = {}
        if isinstance(source, (str, os.PathLike)):
            if folder is not None:
                raise Error(f"Scene: folder: expected none, as names of files lead from {os.fspath(source)}'s own")
            path = find_scene(os.fspath(source))
            self._native = _native.read_scene(path, [])
            if keywords:
                self._take(self.dict(), keywords, self._native.folder)
        else:
            self._take(dict(source or {}), keywords, "." if folder is None else os.fspath(folder))

    def _take(self, values: Dict[str, Any], keywords: Dict[str, Any], folder: str) -> None:
        values = {**values, **keywords}
        method = values.pop("solver") if isinstance(values.get("solver"), str) else None
        plain = Plain()
        self._parse(json.dumps(plain.of(values)), folder, [], plain.meshes)
        if method is not None:
            self._native = self._native.with_method(method)

    def _parse(self, text: str, folder: str, overrides: List[Tuple[str, str]], meshes: Dict[str, Mesh]) -> None:
        natives = {name: mesh._native for name, mesh in meshes.items()}
        try:
            self._native = _native.parse_scene(text, "scene in Python", folder, overrides, natives)
        except Error as error:
            raise without_places(error) from None
        self._meshes = meshes

    @classmethod
    def _wrap(cls, native: Any, meshes: Dict[str, Mesh]) -> "Scene":
        scene = cls.__new__(cls)
        scene._native, scene._meshes = native, meshes
        return scene

    @classmethod
    def from_json(cls, text: str, *, folder: Any = ".", name: str = "text") -> "Scene":
        """From JSON text, in which comments are allowed; `name` stands for the file in messages."""
        return cls._wrap(_native.parse_scene(text, name, os.fspath(folder), [], {}), {})

    def replaced(self, values: Mapping[str, Any]) -> "Scene":
        """The scene with other values: {"cloths/0/grid/points": [64, 64]}."""
        plain = Plain()
        plain.meshes.update(self._meshes)
        for path in values:
            if not isinstance(path, str):
                raise Error(f"replaced: expected paths of text, got {path!r}")
        pairs = [("/" + path.lstrip("/"), json.dumps(plain.of(value, "/" + path.lstrip("/")))) for path, value in values.items()]
        scene = Scene.__new__(Scene)
        scene._parse(self.json(), self._native.folder, pairs, plain.meshes)
        return scene

    def with_solver(self, name: str) -> "Scene":
        """The scene with another method: a name of muslin.methods()."""
        if not isinstance(name, str):
            raise Error(f"with_solver: expected the name of a method, got {name!r}")
        return Scene._wrap(self._native.with_method(name), self._meshes)

    def json(self, indent: int = 2) -> str:
        """Every field with its value, as JSON text."""
        return self._native.json(arrays.count("json: indent", indent, 0, 16))

    def dict(self) -> Dict[str, Any]:
        """The same as a dict, with meshes from memory in their places: Scene(scene.dict(), folder=scene.folder) is
        this scene."""
        return self._with_meshes(json.loads(self.json()))

    def _with_meshes(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._with_meshes(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._with_meshes(item) for item in value]
        return self._meshes.get(value, value) if isinstance(value, str) else value

    @property
    def folder(self) -> str:
        """Where the names of its files lead from."""
        return self._native.folder

    @property
    def name(self) -> str:
        """Its title."""
        return self._native.name

    @property
    def frames(self) -> int:
        """Frames that a run makes unless told otherwise."""
        return self._native.frames

    @property
    def frame_time(self) -> float:
        """Time between two frames [s]."""
        return self._native.frame_time

    def __repr__(self) -> str:
        cloths = len(json.loads(self.json())["cloths"])
        return f"<muslin.Scene {self.name!r}: {cloths} cloth{'s' * (cloths != 1)}, {self.frames} frames of {self.frame_time:.6g} s>"

    def __reduce__(self) -> Any:
        return _from_parts, (self.json(0), self._native.folder, self._meshes)


def _from_parts(text: str, folder: str, meshes: Dict[str, Mesh]) -> Scene:
    scene = Scene.__new__(Scene)
    scene._parse(text, folder, [], meshes)
    return scene


def as_scene(value: Any) -> Scene:
    """A Scene, or what Scene takes."""
    return value if isinstance(value, Scene) else Scene(value)
