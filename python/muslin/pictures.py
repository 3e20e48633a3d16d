"""Pictures and small films, without a display."""
from __future__ import annotations

import base64
import html
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _native, arrays
from .error import Error
from .scene import as_scene
from .simulation import Simulation

Camera = Tuple[Sequence[float], Sequence[float]]


def _expect_renderer() -> None:
    if not hasattr(_native, "render"):
        raise Error("render: this muslin was built without pictures (MUSLIN_RENDER=OFF)", "file")


def looks() -> List[Dict[str, Any]]:
    """What a look may say: name, sentence, unit, kind and choices of every field."""
    _expect_renderer()
    return _native.look_fields()


def _word_of(name: Any, value: Any) -> str:
    """A field of a look and its value as `muslin render --look` takes them: "heat_high=5"."""
    if isinstance(value, (bool, np.bool_)):
        return f"{name}={'true' if value else 'false'}"
    if isinstance(value, (str, os.PathLike)):
        return f"{name}={os.fspath(value)}"
    number = arrays.numbers(f"look: {name}", value)
    if number.shape != ():
        raise Error(f"look: {name}: expected a number, got {value!r}")
    return f"{name}={float(number)!r}"


def _words_of(look: "str | Sequence[str] | Mapping[str, Any] | None") -> List[str]:
    if look is None:
        return []
    if isinstance(look, str):
        return [word.strip() for word in look.split(",")]
    if isinstance(look, Mapping):
        return [_word_of(name, value) for name, value in look.items() if value is not None]
    try:
        return [str(word) for word in look]
    except TypeError:
        raise Error(f"look: expected words or a dict, got {type(look).__name__}") from None


def _checked_camera(camera: Optional[Camera]) -> Any:
    if camera is None:
        return None
    try:
        eye, target = camera
    except (TypeError, ValueError):
        raise Error("camera: expected (eye, target), each three numbers [m]") from None
    return arrays.place("camera: eye", eye), arrays.place("camera: target", target)


def _checked_size(size: Tuple[int, int]) -> Tuple[int, int]:
    try:
        width, height = size
    except (TypeError, ValueError):
        raise Error(f"size: expected (width, height), got {size!r}") from None
    return arrays.count("size: width", width, 1, 16384), arrays.count("size: height", height, 1, 16384)


def _simulated(source: Any, frame: Optional[int]) -> Simulation:
    if isinstance(source, Simulation):
        if frame is not None and frame != source.frame:
            raise Error(f"render: a Simulation is drawn as it is, at frame {source.frame}; got frame={frame}")
        return source
    simulation = Simulation(as_scene(source))
    simulation.run(simulation.scene.frames if frame is None else arrays.count("frame", frame))
    return simulation


def render(
    source: Any,
    *,
    frame: Optional[int] = None,
    size: Tuple[int, int] = (960, 720),
    look: "str | Sequence[str] | Mapping[str, Any] | None" = None,
    camera: Optional[Camera] = None,
) -> np.ndarray:
    """A picture, height x width x 3 of uint8 (sRGB), drawn without a display.

    source: a Simulation as it is now; or a Scene, or what Scene takes, which is simulated up to `frame` (default: its
    last). size: (width, height) [pixels]. look: words as `muslin render --look` takes them ("strain,wireframe"), or a
    dict of the fields that muslin.looks() tells. camera: (eye, target) [m]; default: shows everything.
    """
    _expect_renderer()
    width, height = _checked_size(size)
    words, place = _words_of(look), _checked_camera(camera)
    return _native.render(_simulated(source, frame)._native, width, height, words, place)


def camera_of(
    simulation: Simulation,
    size: Tuple[int, int] = (960, 720),
    look: "str | Sequence[str] | Mapping[str, Any] | None" = None,
) -> Camera:
    """The camera (eye, target) that shows everything now, beside the scale of a heat map: for pictures that are to have
    the same."""
    _expect_renderer()
    width, height = _checked_size(size)
    return _native.camera(simulation._native, width, height, _words_of(look))


def png(picture: np.ndarray) -> bytes:
    """A picture of `render` as the bytes of a PNG file."""
    _expect_renderer()
    array = np.asarray(picture)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or array.size == 0:
        raise Error(f"png: expected uint8 of shape (height, width, 3), got {array.dtype} of shape {array.shape}")
    return _native.encode_png(array)


def save_png(path: "str | os.PathLike[str]", picture: np.ndarray) -> None:
    """Writes a picture of `render`; the file is complete or absent."""
    write_file(path, png(picture))


def write_file(path: "str | os.PathLike[str]", content: bytes) -> None:
    """Complete or absent; takes the place of another."""
    target = os.fspath(path)
    part = f"{target}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(content)
        os.replace(part, target)
    except OSError as error:
        if os.path.exists(part):
            os.remove(part)
        raise Error(f"{target}: cannot be written: {error.strerror}", "file") from None


class Film:
    """Pictures one after another; a notebook plays them."""

    def __init__(self, pictures: Sequence[np.ndarray], frame_time: float):
        self.pictures = list(pictures)
        self.frame_time = frame_time  #: [s]

    def _repr_html_(self) -> str:
        sources = ",".join(f"'data:image/png;base64,{base64.b64encode(png(p)).decode()}'" for p in self.pictures)
        name = html.escape(f"muslin{id(self)}")
        return (
            f"<img id='{name}'><script>{{const f=[{sources}],i=document.getElementById('{name}');let k=0;"
            f"const t=setInterval(()=>{{if(!document.contains(i))clearInterval(t);i.src=f[k++%f.length]}},"
            f"{1000 * self.frame_time:.0f});i.src=f[0]}}</script>"
        )

    def __repr__(self) -> str:
        return f"<muslin.Film of {len(self.pictures)} pictures>"


def film(
    simulation: Simulation,
    frames: int,
    *,
    every: int = 2,
    size: Tuple[int, int] = (480, 360),
    look: "str | Sequence[str] | Mapping[str, Any] | None" = None,
    camera: Optional[Camera] = None,
) -> Film:
    """Steps so many frames and draws every so many of them, all from one camera."""
    step = arrays.count("every", every, 1)
    place = camera_of(simulation, size, look) if camera is None else camera
    pictures = [render(simulation, size=size, look=look, camera=place)]
    for number in range(1, arrays.count("frames", frames) + 1):
        status = simulation.step().status
        if number % step == 0:
            pictures.append(render(simulation, size=size, look=look, camera=place))
        if status in ("diverged", "cancelled"):
            break
    return Film(pictures, step * simulation.scene.frame_time)


def _repr_png(simulation: Simulation) -> Optional[bytes]:
    """What a notebook shows of a Simulation; nothing where no picture can be drawn."""
    try:
        return png(render(simulation, size=(480, 360)))
    except Error:
        return None


Simulation._repr_png_ = _repr_png  # type: ignore[attr-defined]  # drawing is no matter of simulation.py
