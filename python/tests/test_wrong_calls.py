"""Wrong calls: exceptions with words, never a crash; and nothing has changed afterwards."""
import numpy as np
import pytest

import muslin

N = 48
NAN = float("nan")


def ones(*shape):
    return np.ones(shape)


def with_nan():
    array = np.zeros((N, 3))
    array[5, 1] = NAN
    return array


def set_to(name, value):
    return lambda s: setattr(s, name, value() if callable(value) else value)


GRID = {"grid": {"points": [3, 3]}}

# (what, call with a simulation, words that must be in the message)
CALLS = [
    ("positions of too few", set_to("positions", lambda: ones(N - 1, 3)), "shape"),
    ("positions the other way", set_to("positions", lambda: ones(3, N)), "shape"),
    ("positions flat", set_to("positions", lambda: ones(3 * N)), "shape"),
    ("positions of three dimensions", set_to("positions", lambda: ones(N, 3, 1)), "shape"),
    ("positions with nan", set_to("positions", with_nan), "finite"),
    ("positions infinite", set_to("positions", lambda: np.full((N, 3), np.inf)), "finite"),
    ("positions complex", set_to("positions", lambda: ones(N, 3) * 1j), "numbers"),
    ("positions of text", set_to("positions", "here"), "numbers"),
    ("positions of objects", set_to("positions", lambda: np.full((N, 3), None)), "numbers"),
    ("positions masked", set_to("positions", lambda: np.ma.masked_array(ones(N, 3), ones(N, 3) * 0)), "without a mask"),
    ("velocities under a mask", set_to("velocities", lambda: np.ma.masked_equal(ones(N, 3), 1)), "without a mask"),
    ("pin masked", lambda s: s.pin(np.ma.masked_array([3, 99], [0, 1])), "without a mask"),
    ("positions ragged", set_to("positions", [[1, 2, 3], [4]]), "rows"),
    ("positions none", set_to("positions", None), "numbers"),
    ("positions of truths", set_to("positions", lambda: np.ones((N, 3), bool)), "numbers"),
    ("velocities of too many", set_to("velocities", lambda: ones(N + 1, 3)), "shape"),
    ("velocities with nan", set_to("velocities", with_nan), "finite"),
    ("velocities a number", set_to("velocities", 3.0), "shape"),
    ("forces of too few", lambda s: s.push(ones(4, 3)), "shape"),
    ("forces with nan", lambda s: s.push(with_nan()), "finite"),
    ("forces of text", lambda s: s.push("hard"), "numbers"),
    ("pin too high", lambda s: s.pin(N), "vertex 48 of 48"),
    ("pin negative", lambda s: s.pin(-1), "vertex -1"),
    ("pin a fraction", lambda s: s.pin(1.5), "vertex"),
    ("pin text", lambda s: s.pin("corner"), "vertex"),
    ("pin None", lambda s: s.pin(None), "vertex"),
    ("pin rows", lambda s: s.pin([[1, 2]]), "vertex"),
    ("pin a short mask", lambda s: s.pin(np.ones(5, bool)), "mask"),
    ("pin beyond 64 bits", lambda s: s.pin(10**30), "vertex"),
    ("pin beyond 32 bits", lambda s: s.pin(2**40), "vertex"),
    ("pin at nan", lambda s: s.pin(3, [0, NAN, 0]), "finite"),
    ("pin at two numbers", lambda s: s.pin(3, [0, 1]), "shape"),
    ("pin two at three places", lambda s: s.pin([3, 4], ones(3, 3)), "shape"),
    ("release too high", lambda s: s.release([0, 99]), "vertex 99"),
    ("pull too high", lambda s: s.pull(99, [0, 0, 0]), "vertex 99"),
    ("pull without place", lambda s: s.pull(3), "place"),
    ("pull to nan", lambda s: s.pull(3, [NAN, 0, 0]), "finite"),
    ("pull two", lambda s: s.pull([3, 4], [0, 0, 0]), "integer"),
    ("move another collider", lambda s: s.move_collider("bell", [0, 0, 0]), "did you mean 'ball'"),
    ("move collider 1", lambda s: s.move_collider(1, [0, 0, 0]), "collider 1 of 1"),
    ("move collider -1", lambda s: s.move_collider(-1, [0, 0, 0]), "collider -1"),
    ("attach to another collider", lambda s: s.attach([3], "bell"), "did you mean 'ball'"),
    ("attach vertex 48", lambda s: s.attach([3, N], "ball"), "48"),
    ("move collider by nan", lambda s: s.move_collider(0, [0, 0, NAN]), "finite"),
    ("move collider by text", lambda s: s.move_collider(0, "up"), "numbers"),
    ("move collider True", lambda s: s.move_collider(True, [0, 0, 0]), "integer"),
    ("run backwards", lambda s: s.run(-1), "frames"),
    ("run a fraction", lambda s: s.run(1.5), "integer"),
    ("run with odd progress", lambda s: s.run(1, progress=3), "progress"),
    ("threads negative", set_to("threads", -1), "threads"),
    ("threads of text", set_to("threads", "all"), "integer"),
    ("threads of the process", lambda s: muslin.set_threads(-2), "set_threads"),
    ("save nowhere", lambda s: s.save("/no/such/folder/a.state"), "/no/such/folder"),
    ("load nothing", lambda s: s.load("/no/such/file"), "/no/such/file"),
    ("load what is none", lambda s: s.load(__file__), "test_wrong_calls"),
    ("scene of a number", lambda s: muslin.Scene(3), "expected a file"),
    ("scene of another name", lambda s: muslin.Scene("flagg"), "flag"),
    ("scene without cloth", lambda s: muslin.Scene(), "cloth"),
    ("scene of a wrong key", lambda s: muslin.Scene(cloths=[GRID], wnd={}), 'did you mean "wind"'),
    ("scene with nan", lambda s: muslin.Scene(cloths=[GRID], gravity=[0, NAN, 0]), "/gravity/1"),
    ("scene with a set", lambda s: muslin.Scene(cloths={1}), "/cloths"),
    ("scene with keys of numbers", lambda s: muslin.Scene({1: 2}), "keys"),
    ("scene of a wrong type", lambda s: muslin.Scene(cloths=[GRID], frames="many"), "/frames"),
    ("scene out of range", lambda s: muslin.Scene(cloths=[GRID], frame_time=0), "must be > 0"),
    ("scene that holds itself", lambda s: muslin.Scene(cloths=endless()), "deep"),
    ("text that is none", lambda s: muslin.Scene.from_json("{"), "text:1:2"),
    ("simulation of a number", lambda s: muslin.Simulation(3), "expected"),
    ("mesh of two columns", lambda s: muslin.Mesh(ones(3, 2), [[0, 1, 2]]), "3 numbers"),
    ("mesh of quads", lambda s: muslin.Mesh(ones(4, 3), [[0, 1, 2, 3]]), "3 vertex numbers"),
    ("mesh with vertex 3 of 3", lambda s: muslin.Mesh(ones(3, 3), [[0, 1, 3]]), "vertex 3 of 3"),
    ("mesh with vertex -1", lambda s: muslin.Mesh(ones(3, 3), [[0, 1, -1]]), "vertex -1"),
    ("mesh with fractions", lambda s: muslin.Mesh(ones(3, 3), [[0.0, 1.0, 2.0]]), "vertex numbers"),
    ("mesh with nan", lambda s: muslin.Mesh(ones(3, 3) * NAN, [[0, 1, 2]]), "finite"),
    ("mesh with short uv", lambda s: muslin.Mesh(ones(3, 3), [[0, 1, 2]], uv=ones(2, 2)), "uv"),
    ("mesh of a number", lambda s: muslin.Mesh.of(7), "expected a Mesh"),
    ("mesh without area", lambda s: muslin.Simulation(
        muslin.Scene(cloths=[{"mesh": muslin.Mesh(ones(3, 3), [[0, 1, 2]])}])), "area"),
    ("mesh without triangles", lambda s: muslin.Simulation(
        muslin.Scene(cloths=[{"mesh": muslin.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))}])), "triangles"),
    ("mesh file that is none", lambda s: muslin.Mesh.read("/no/such.obj"), "/no/such.obj"),
    ("compare nothing known", lambda s: muslin.compare(s.scene, ["newtn"], frames=1), "newton"),
    ("compare a text", lambda s: muslin.compare(s.scene, "newton", frames=1), "list of names"),
    ("compare no frames", lambda s: muslin.compare(s.scene, ["newton"], frames=0), "frames"),
    ("compare a wrong sweep", lambda s: muslin.compare(s.scene, ["newton"], frames=1, sweeps=[{"mass": [1]}]), "sweep"),
    ("check no folder", lambda s: muslin.check_frames("/no/such/run"), "/no/such/run"),
    ("check without scene", lambda s: muslin.check_frames([ones(N, 3)]), "scene"),
    ("check too few", lambda s: muslin.check_frames([ones(4, 3)], s.scene), "48"),
    ("check nan", lambda s: muslin.check_frames([with_nan()], s.scene), "finite"),
    ("native: rows of two", lambda s: s._native.set_positions(ones(N, 2)), "rows of 3"),
    ("native: too few", lambda s: s._native.set_velocities(ones(2, 3)), "48"),
    ("native: nan", lambda s: s._native.push(with_nan()), "number"),
    ("native: vertex", lambda s: s._native.hold(-5), "vertex -5"),
    ("native: saved", lambda s: s._native.load_saved(b"MUSLIN\r\n and no more"), "saved state"),
]

# Python's own: a wrong number or name of arguments
TYPE_ERRORS = [
    ("no scene", lambda s: muslin.Simulation()),
    ("unknown keyword", lambda s: muslin.Simulation(s.scene, thread=1)),
    ("native of nothing", lambda s: type(s._native)(None)),
    ("native of a dict", lambda s: type(s._native)({})),
    ("bytes of a number", lambda s: s._native.load_saved(3)),
    ("judge of no run", lambda s: muslin._native.FrameJudge(s.scene._native, None).add_frame(None)),
    ("judge of nothing", lambda s: muslin._native.FrameJudge(None, None)),
    ("report made by hand", lambda s: muslin.Report()),
    ("keyword of step", lambda s: s.step(1)),
]


def endless():
    item = []
    for _ in range(200):
        item = [item]
    return item


@pytest.fixture(scope="module")
def running():
    scene = muslin.Scene(
        cloths=[{"grid": {"points": [8, 6], "size": [0.2, 0.2]}}],
        colliders=[{"name": "ball", "radius": 0.05, "center": [0.1, -0.3, 0.1]}])
    simulation = muslin.Simulation(scene)
    simulation.run(1)
    return simulation


def test_there_are_enough():
    assert len(CALLS) + len(TYPE_ERRORS) >= 90


@pytest.mark.parametrize("what, call, words", CALLS, ids=[call[0] for call in CALLS])
def test_wrong_call(running, what, call, words):
    before, state = running.hash, running._native.saved()
    with pytest.raises(muslin.Error) as caught:
        call(running)
    assert words in str(caught.value), str(caught.value)
    assert running.hash == before and running._native.saved() == state


@pytest.mark.parametrize("what, call", TYPE_ERRORS, ids=[call[0] for call in TYPE_ERRORS])
def test_python_says_no(running, what, call):
    before = running.hash
    with pytest.raises((TypeError, muslin.Error)):
        call(running)
    assert running.hash == before


def test_a_class_made_without_its_beginning_is_refused():
    for hollow in (muslin.Simulation.__new__(muslin.Simulation), muslin.Scene.__new__(muslin.Scene)):
        with pytest.raises(AttributeError):
            hollow.name if isinstance(hollow, muslin.Scene) else hollow.step()


def test_what_a_saved_state_of_wrong_bytes_says(running):
    saved = bytearray(running._native.saved())
    state = running._native.saved()
    for place in range(0, len(saved), max(1, len(saved) // 60)):
        damaged = bytearray(saved)
        damaged[place] ^= 0x5A
        with pytest.raises(muslin.Error):
            running._native.load_saved(bytes(damaged))
    assert running._native.saved() == state
