"""Nothing stays behind of what is dropped; and, if asked for, every shipped scene has the command line's bits."""
import gc
import json
import os

import pytest

import muslin


def resident():
    """[bytes]"""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def one_life():
    scene = muslin.Scene(cloths=[{"grid": {"points": [16, 16]}}], colliders=[{"radius": 0.1, "center": [0.5, -0.2, 0.5]}])
    simulation = muslin.Simulation(scene)
    simulation.step()
    simulation.positions = simulation.positions
    simulation.pin([0, 1])
    other = simulation.copy()
    try:
        other.pin(10**6)
    except muslin.Error:
        pass
    return other.forces, other.report


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_a_thousand_simulations_leave_nothing():
    muslin.set_threads(1)
    try:
        for _ in range(100):
            one_life()
        gc.collect()
        before = resident()
        for _ in range(1000):  # each with a copy
            one_life()
        gc.collect()
        grown = resident() - before
    finally:
        muslin.set_threads(0)
    kept = muslin.Simulation(muslin.Scene(cloths=[{"grid": {"points": [16, 16]}}]))
    assert grown < 3e6, f"{grown} bytes; one simulation holds about {len(kept._native.saved())} in its state alone"


@pytest.mark.skipif(not os.environ.get("MUSLIN_PYTHON_ALL_SCENES"), reason="slow: MUSLIN_PYTHON_ALL_SCENES=FRAMES")
@pytest.mark.parametrize("name", muslin.shipped_scenes())
def test_hashes_of_every_shipped_scene(cli, name):
    frames = int(os.environ["MUSLIN_PYTHON_ALL_SCENES"])
    simulation = muslin.Simulation(muslin.Scene(name))
    ours = [simulation.hash] + [report.hash for report in simulation.run(frames)]
    lines = map(json.loads, cli("run", name, "--frames", frames, "--json", "--quiet").splitlines())
    assert ours == [line["hash"] for line in lines if line["type"] == "frame"]
