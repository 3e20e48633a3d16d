"""Every example runs, and what it makes is held against a formula or a property."""
import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import muslin

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "examples")


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(EXAMPLES, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, folder, *words):
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name + ".py"), *words], cwd=folder, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(muslin.__file__))})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_drape_has_ten_lines_and_writes_a_picture(tmp_path):
    with open(os.path.join(EXAMPLES, "drape.py"), encoding="utf-8") as file:
        code = [line for line in file if line.strip() and not line.startswith("#")]
    assert len(code) <= 10
    if not hasattr(muslin._native, "render"):
        pytest.skip("built without pictures")
    run("drape", tmp_path)
    assert (tmp_path / "drape.png").read_bytes().startswith(b"\x89PNG")


def test_drag_corner_reaches_its_goal(tmp_path):
    module = load("drag_corner")
    environment = module.DragCorner()
    for seed in range(3):
        observation, _ = environment.reset(seed=seed)
        assert observation.shape == (12 * 12 * 3 + 3,)
        for _ in range(environment.most_steps):
            corner = observation[:-3].reshape(-1, 3)[environment.corner]
            observation, reward, reached, ended, info = environment.step(observation[-3:] - corner)
            if reached or ended:
                break
        assert reached and reward > -0.005 and info["strain"] < 0.3
    again, _ = environment.reset(seed=2)
    assert np.array_equal(again[-3:], observation[-3:])
    assert "mm from the goal" in run("drag_corner", tmp_path)


def test_fit_bend_finds_what_the_closed_form_says():
    module = load("fit_bend")
    closed = module.DENSITY * module.G * (module.OVERHANG / 2) ** 3
    assert abs(module.fit(closed / 3, closed * 3) / closed - 1) < 0.01


def test_data_set_does_not_depend_on_threads(tmp_path):
    module = load("data_set")
    run("data_set", tmp_path, "set.npz", "3", "6")
    data = np.load(tmp_path / "set.npz")
    assert data["positions"].shape == (3, 7, 256, 3) and data["parameters"].shape == (3, 3)
    for number in range(3):
        parameters, positions = module.run(number, 6)
        assert np.array_equal(data["positions"][number], positions)
        assert np.array_equal(data["parameters"][number], parameters)
    assert not np.array_equal(data["positions"][0], data["positions"][1])
