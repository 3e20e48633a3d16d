"""Triangle meshes, from and to what others have."""
from __future__ import annotations

import os
from typing import Any, List, Optional

import numpy as np

from . import _native
from .arrays import numbers
from .error import Error


class Mesh:
    """Triangles between vertices at rest.

    positions: n x 3 [m]. triangles: m x 3 vertex numbers, counter-clockwise seen from the front. uv: n x 2 texture and
    weave coordinates, or None. A scene takes a Mesh wherever it takes the name of a mesh file.
    """

    __slots__ = ("_native",)

    def __init__(self, positions: Any, triangles: Any, uv: Any = None):
        places = numbers("positions", positions)
        corners = np.asarray(triangles)
        if corners.dtype.kind not in "iu":
            raise Error(f"triangles: expected vertex numbers, got {corners.dtype}")
        if corners.size > 0 and int(corners.max()) > np.iinfo(np.int64).max:
            raise Error(f"triangles: expected vertex numbers below {len(places)}, got {corners.max()}")
        self._native = _native.Mesh(places, corners, None if uv is None else numbers("uv", uv))

    @classmethod
    def _wrap(cls, native: Any) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._native = native
        return mesh

    @classmethod
    def read(cls, path: "os.PathLike[str] | str") -> "Mesh":
        """An OBJ, PLY, GLB, glTF or USD file; polygons are cut into triangles."""
        return cls._wrap(_native.read_mesh(os.fspath(path)))

    @classmethod
    def of(cls, other: Any) -> "Mesh":
        """A Mesh, a trimesh.Trimesh (vertices, faces), a meshio.Mesh (points, cells_dict), or (positions, triangles)."""
        if isinstance(other, Mesh):
            return other
        if hasattr(other, "vertices") and hasattr(other, "faces"):
            uv = getattr(getattr(other, "visual", None), "uv", None)
            return cls(other.vertices, other.faces, uv)
        if hasattr(other, "points") and hasattr(other, "cells_dict"):
            if "triangle" not in other.cells_dict:
                raise Error(f"mesh: expected cells of triangles, got {', '.join(other.cells_dict) or 'none'}")
            return cls(other.points, other.cells_dict["triangle"])
        if isinstance(other, tuple) and len(other) in (2, 3):
            return cls(*other)
        raise Error(f"mesh: expected a Mesh, trimesh, meshio or (positions, triangles), got {type(other).__name__}")

    @property
    def positions(self) -> np.ndarray:
        """n x 3 [m], a copy."""
        return self._native.positions

    @property
    def triangles(self) -> np.ndarray:
        """m x 3, a copy."""
        return self._native.triangles

    @property
    def uv(self) -> Optional[np.ndarray]:
        """n x 2, a copy, or None."""
        return self._native.uv

    @property
    def repairs(self) -> List[str]:
        """What a reader mended, one sentence each."""
        return self._native.repairs

    def to_trimesh(self) -> Any:
        """A trimesh.Trimesh with the same vertices in the same order; needs trimesh."""
        import trimesh  # type: ignore[import]

        return trimesh.Trimesh(self.positions, self.triangles, process=False)

    def to_meshio(self) -> Any:
        """A meshio.Mesh; needs meshio."""
        import meshio  # type: ignore[import]

        return meshio.Mesh(self.positions, [("triangle", self.triangles)])

    def __repr__(self) -> str:
        return f"Mesh({len(self.positions)} vertices, {len(self.triangles)} triangles)"

    def __reduce__(self) -> Any:
        return Mesh, (self.positions, self.triangles, self.uv)


def is_mesh(value: Any) -> bool:
    """Whether Mesh.of takes it for one, tuples apart: those may be lists of anything."""
    return (
        isinstance(value, Mesh)
        or (hasattr(value, "vertices") and hasattr(value, "faces"))
        or (hasattr(value, "points") and hasattr(value, "cells_dict"))
    )
