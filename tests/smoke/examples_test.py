#!/usr/bin/env python3
"""Runs an example and holds what it prints against a formula or a property that does not come from the library.

usage: examples_test.py ROOT NAME PROGRAM
"""
import math
import os
import re
import subprocess
import sys
import tempfile

MOST_LINES = 60


def number(text, label):
    """The number that follows a label."""
    found = re.search(re.escape(label) + r"\s+([-+.\de]+)", text)
    assert found, f"no '{label}' in\n{text}"
    return float(found.group(1))


def near(measured, expected, error, what):
    assert abs(measured - expected) <= error, f"{what}: {measured}, expected {expected} ± {error}"


def scene_in_code(text):
    """A strip of 1 m, 0.15 kg/m² and 100 N/m lengthens by g ρ L² / 2k."""
    expected = 1e3 * 9.81 * 0.15 / (2 * 100)  # [mm]
    near(number(text, "stretched"), expected, 0.01 * expected, "stretch")
    near(number(text, "expected"), expected, 1e-3, "the program's own formula")


def own_mesh_and_force(text):
    """z₀ exp(ω² h t / 4) cos ω t, at quarters of a period of 1 s: the force of a frame of h = 1/240 s is that of its beginning,
    half a frame late on the average, which gains energy; the phase is off by half a step at most."""
    places = [(float(t), float(z)) for t, z in re.findall(r"t ([\d.]+) s  z ([-+.\d]+) m", text)]
    assert [t for t, _ in places] == [0.25, 0.5, 0.75, 1], places
    for t, z in places:
        size = 0.1 * math.exp((2 * math.pi) ** 2 * t / 240 / 4)
        near(z, size * math.cos(2 * math.pi * t), size * math.pi / 240 * 1.1, f"z at {t} s")


def own_energy(text):
    """k l³ = m g, by five families."""
    expected = (1e-3 * 9.81 / 1.25) ** (1 / 3)
    near(number(text, "expected"), expected, 1e-5, "the program's own formula")
    lengths = re.findall(r"(\w+) +([\d.]+) m$", text, re.MULTILINE)[1:]
    assert len(lengths) == 5, text
    for family, length in lengths:
        near(float(length), expected, 1e-3 * expected, family)


def scale(text):
    """0.4 m x 0.3 m of denim, 0.324 kg/m2 as its table has it."""
    near(number(text, "weight"), 0.4 * 0.3 * 0.324 * 9.81, 2e-6, "weight")


def grip(text):
    """0.4 m x 0.05 m of cotton, 0.15 kg/m2. What gripper and table hold together is its weight and what lifts it: damping by
    5/s at 0.2 m/s, a tenth of the weight. Once in the air and at rest the gripper holds all."""
    weight = 0.4 * 0.05 * 0.15 * 9.81
    rows = [tuple(map(float, r)) for r in re.findall(r"t ([.\d]+) s  height ([.\d]+) m  gripper ([-.\d]+) N  table ([-.\d]+) N", text)]
    assert len(rows) == 10, text
    for t, _, gripper, table in rows:
        near(gripper + table, weight, 0.12 * weight, f"together at {t} s")
    assert rows[0][3] > 0.5 * weight, "most lies on the table at first"
    near(rows[-1][2], weight, 0.005 * weight, "gripper at the end")
    near(rows[-1][3], 0, 0.005 * weight, "table at the end")


def batch(text):
    rows = re.findall(r"scene \d  batch (\w{16})  alone (\w{16})", text)
    assert len(rows) == 8, text
    assert all(batch == alone for batch, alone in rows), "a batch has other bits than its scenes alone"
    assert len({batch for batch, _ in rows}) == 8, "different winds end alike"


def save_and_resume(text):
    hashes = re.findall(r"frame 30  (\w{16})", text)
    assert len(hashes) == 2 and hashes[0] == hashes[1], text
    assert number(text, "goes on at frame") == 15, text
    assert "refused: " in text and "taken" not in text, text


def contact(text):
    """Nothing is inside anything, cloth ends in contact, and from rest to rest contact exerts the weight."""
    frames = re.findall(r"contacts +(\d+)  min_gap (\S+) m  nearest (\S+) m  blocked (\S+) m  force (\S+) N", text)
    assert len(frames) == 6, text
    assert all(float(nearest) > 0 for _, _, nearest, _, _ in frames), text
    assert int(frames[-1][0]) > 0 and float(frames[-1][3]) == 0, text
    weight = 0.3 * 0.3 * 0.1 * 9.81
    near(number(text, "weight"), weight, 1e-3 * weight, "weight")
    near(float(frames[-1][4]), weight, 0.02 * weight, "force at rest")
    near(number(text, "mean force"), weight, 0.02 * weight, "mean force")


def main():
    root, name, program = sys.argv[1:]
    with open(os.path.join(root, "examples", name + ".cpp"), encoding="utf-8") as source:
        lines = len(source.readlines())
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([os.path.abspath(program)], cwd=folder, text=True, capture_output=True, check=False)
    print(result.stdout + result.stderr)
    assert result.returncode == 0, f"ended in {result.returncode}"
    assert lines <= MOST_LINES, f"{lines} lines, an example has at most {MOST_LINES}"
    globals()[name](result.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
