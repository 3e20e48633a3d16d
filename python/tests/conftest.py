import os
import signal
import subprocess

import pytest

import muslin


@pytest.fixture
def sheet():
    """A small sheet that hangs from two corners."""
    return muslin.Scene(
        cloths=[muslin.Cloth(grid=muslin.Grid(points=[8, 6], size=[0.2, 0.2]), fabric="cotton",
                             pins=[muslin.Pin(grid=[[0, 0], [-1, 0]])])],
        colliders=[muslin.Collider(name="ball", radius=0.05, center=[0.1, -0.3, 0.1])],
    )


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt: not so where a shell has put the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def cli():
    """Runs the command line, for what must agree with it."""
    program = os.environ.get("MUSLIN_CLI")
    if not program:
        pytest.skip("MUSLIN_CLI does not name the program muslin")

    def run(*words, **options):
        return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True, **options).stdout

    return run
