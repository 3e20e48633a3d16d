"""The parts of a scene, as classes with keywords: Cloth, Grid, Pin, Collider, ...

They are made of the library's own list of fields (muslin.schema()); nothing is written twice. A part is a dict of what
was given: a wrong name is refused here, with the nearest right one; values are looked at when a Scene is made.
"""
from __future__ import annotations

import inspect
import json
from typing import Any, Dict, Iterator, List, Tuple

from . import _native
from .error import Error

_SCHEMA: Dict[str, Any] = json.loads(_native.schema())


class Part(dict):
    """A dict that knows which keys it may have."""

    _path: List[Any] = []  # where a scene has such a part: keys of objects, 0 for the first of a list
    _keys: Tuple[str, ...] = ()

    def __init__(self, **keywords: Any):
        super().__init__(keywords)
        unknown = [key for key in keywords if key not in self._keys]
        if unknown:
            raise self._complaint(unknown)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.items())})"

    def _complaint(self, unknown: List[str]) -> Error:
        """What the library's reader says of keys that it does not know."""
        scene: Any = dict.fromkeys(unknown)
        for step in reversed(self._path):
            scene = [scene] if step == 0 else {step: scene}
        pointer = "".join(f"/{step}" for step in self._path)
        try:
            _native.parse_scene(json.dumps(scene), "part", ".", [], {})
        except Error as error:
            words = [p.message for p in error.problems if p.path == pointer and p.message.startswith("unknown key")]
            return Error("\n".join(f"{type(self).__name__}: {word}" for word in words))
        raise AssertionError(f"{type(self).__name__} refuses what the reader takes: {unknown}")


def _references(schema: Any) -> Iterator[Tuple[str, List[Any]]]:
    """Names of definitions that a property leads to, and the steps there."""
    if "$ref" in schema:
        yield schema["$ref"].rsplit("/", 1)[1], []
    for alternative in schema.get("allOf", []) + schema.get("anyOf", []):
        yield from _references(alternative)
    if isinstance(schema.get("items"), dict):
        for name, steps in _references(schema["items"]):
            yield name, [0] + steps


def _paths() -> Dict[str, List[Any]]:
    """Where a scene has each kind of part: the shortest way."""
    found: Dict[str, List[Any]] = {}
    todo = [(_SCHEMA, [])]
    while todo:
        schema, path = todo.pop(0)
        for key, value in schema["properties"].items():
            for name, steps in _references(value):
                if name not in found:
                    found[name] = path + [key] + steps
                    todo.append((_SCHEMA["definitions"][name], found[name]))
    return found


def _document(name: str, properties: Dict[str, Any]) -> str:
    lines = [f"{name} of a scene. Keywords:", ""]
    for key, value in properties.items():
        default = f" (default {json.dumps(value['default'])})" if "default" in value else ""
        lines.append(f"{key}: {value['description']}{default}")
    return "\n".join(lines)


def _make(name: str, path: List[Any]) -> type:
    properties = _SCHEMA["definitions"][name]["properties"]
    parameters = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value.get("default"))
        for key, value in properties.items()
    ]
    return type(
        name,
        (Part,),
        {
            "__doc__": _document(name, properties),
            "__module__": __name__,
            "__signature__": inspect.Signature(parameters),
            "_path": path,
            "_keys": tuple(properties),
        },
    )


_made = {name: _make(name, path) for name, path in _paths().items()}
globals().update(_made)
__all__ = sorted(_made)
