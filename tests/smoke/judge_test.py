#!/usr/bin/env python3
"""Does `muslin check-frames` judge fast motion rightly? Twelve runs whose frames are made here from a motion that is known at all
times: in six nothing ever passes through anything, in six something does between two frames, of which none intersects. That the
motions are so is looked up at 200 times a frame, by points of cloth inside the body, or beyond the other cloth.

usage: judge_test.py MUSLIN
"""
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

FRAME = 1 / 60  # [s]
STEP = 1 / 3  # of what is fast in a frame [m]: 20 m/s
R = 0.1  # of the ball [m]


class Cloth:
    """A grid that lies along x and `v`, with corner `at`: its part of a scene, where it is, points all over it."""

    def __init__(self, name, points, size, at, v=(0, 0, 1)):
        self.part = {"name": name, "grid": {"points": points, "size": size, "origin": at, "u": [1, 0, 0], "v": v}}
        self.points = points
        s, t = np.meshgrid(np.linspace(0, size[0], points[0]), np.linspace(0, size[1], points[1]))
        self.x = np.array(at) + np.outer(s.ravel(), [1, 0, 0]) + np.outer(t.ravel(), v)

    def dense(self, x):
        """Points on the sides and diagonals of its cells, of which no triangle is without."""
        cells = x.reshape(self.points[1], self.points[0], 3)
        pairs = [(cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:]), (cells[:-1, :-1], cells[1:, 1:]), (cells[:-1, 1:], cells[1:, :-1])]
        return np.concatenate([((1 - w) * a + w * b).reshape(-1, 3) for a, b in pairs for w in np.linspace(0, 1, 12)])


def flying(t):
    return np.array([0, 0.45, -0.5 + STEP * t])


FLIGHT = {"motion": {"keyframes": [{"time": 0}, {"time": 10 * FRAME, "offset": [0, 0, 10 * STEP]}]}}
BALL = {"name": "body", "shape": "sphere", "radius": R, "center": list(flying(0)), **FLIGHT}


def in_ball(x, t):
    return np.linalg.norm(x - flying(t), axis=1) < R


def standing(name="sheet", width=1.0, left=-0.5):
    return Cloth(name, [round(10 * width) + 1, 11], [width, 1], [left, 0, 0.01], (0, 1, 0))


def over_the_ball(t, x):
    """A standing sheet as a blunt cone that is drawn over the front of the ball; its border stays."""
    away = np.hypot(x[:, 0], x[:, 1] - 0.45)
    tip = max(0.01, flying(t)[2] + 2 * R)
    y = x.copy()
    y[:, 2] = 0.01 + (tip - 0.01) * np.clip(1 - (away - 1.5 * R) / 0.25, 0, 1)
    return y


def turned(x, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


def round_the_edge(t, x):
    """Beyond the edge at x = 0, 2 cm down and back, all within the second frame."""
    s = 3 * min(max(t - 1, 0), 1)
    return x + np.array([0.02 * min(s, 1, 3 - s), -0.02 * min(max(s - 1, 0), 1), 0])


def cases(folder):
    """Name, cloths, colliders, motion(t in frames, places at the start of each), whether a point is in a body at t or
    which cloth may not come below which, frames, and what is expected: (exit code, what is found, whether there is a note)."""
    sheet = standing()
    yield "clean: a sheet gives way", [sheet], [BALL], over_the_ball, in_ball, 2, (0, None, False)
    patch = Cloth("patch", [3, 3], [0.06, 0.06], [-0.03, 0.42, -0.5 + 1.2 * R], (0, 1, 0))
    yield ("clean: a patch slides round the ball", [patch], [BALL], lambda t, x: turned(x - flying(0), 120 * t) + flying(t), in_ball, 2,
           (0, None, True))
    drum = {"name": "body", "shape": "box", "size": [0.2, 0.2, 0.2], "center": [0, 0, 0],
            "motion": {"keyframes": [{"time": 0}, {"time": 3 * FRAME, "rotation": [0, 360, 0]}]}}
    yield ("clean: cloth turns with a drum", [Cloth("side", [5, 5], [0.16, 0.16], [-0.08, -0.08, 0.101], (0, 1, 0))], [drum],
           lambda t, x: turned(x, 120 * t), lambda x, t: (abs(turned(x, -120 * t)) < 0.1).all(axis=1), 3, (0, None, False))
    yield ("clean: the ball flies through a gap", [standing("left", 0.4, -0.55), standing("right", 0.4, 0.15)], [BALL],
           lambda t, x: x, in_ball, 4, (0, None, False))
    table, strip = Cloth("table", [7, 6], [0.3, 0.3], [-0.3, 0, 0]), Cloth("strip", [2, 8], [0.015, 0.1], [-0.016, 0.01, 0.1])
    yield ("clean: a strip slips round an edge", [table, strip], [], [lambda t, x: x, round_the_edge], (1, 0), 3, (0, None, True))
    fast = Cloth("fast", [6, 6], [0.3, 0.3], [-1.2, 0.004, 0.01])
    yield ("clean: a sheet overtakes another", [table, fast], [], [lambda t, x: x, lambda t, x: x + [0.5 * t, 0.001 * math.sin(3 * t), 0]],
           (1, 0), 4, (0, None, False))

    yield "dirty: a ball through a sheet at rest", [sheet], [BALL], lambda t, x: x, in_ball, 3, (1, "through_colliders", False)
    yield ("dirty: a ball through a patch that is smaller", [Cloth("patch", [3, 3], [0.06, 0.06], [-0.03, 0.42, 0.01], (0, 1, 0))],
           [BALL], lambda t, x: x, in_ball, 3, (1, "through_colliders", False))
    board = {"name": "body", "shape": "box", "size": [2, 0.01, 2], "center": [0, 0, 0]}
    yield ("dirty: a patch through a board, drawn aside", [Cloth("patch", [3, 3], [0.06, 0.06], [0, 0.25, 0])], [board],
           lambda t, x: x + [0.04 * max(t - 1, 0), -0.2 * t, 0.03 * max(t - 1, 0)], lambda x, t: abs(x[:, 1]) < 0.005, 3,
           (1, "through_colliders", False))
    yield ("dirty: a sheet that gave way snaps through the ball", [sheet], [BALL],
           lambda t, x: over_the_ball(t, x) if t <= 2 else x + np.maximum(3 - t, 0) * (over_the_ball(2, x) - x), in_ball, 4,
           (1, "through_colliders", False))
    cube = os.path.join(folder, "cube.obj")
    with open(cube, "w") as f:
        f.writelines("v %g %g %g\n" % (0.1 * (i & 1) - 0.05, 0.1 * (i >> 1 & 1) - 0.05, 0.1 * (i >> 2) - 0.05) for i in range(8))
        f.writelines("f %d %d %d %d\n" % q for q in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)))
    body = {"name": "body", "shape": "mesh", "mesh": {"file": "cube.obj"}, "center": list(flying(0)), **FLIGHT}
    yield ("dirty: a cube of triangles through a sheet", [Cloth("sheet", [22, 22], [1, 1], [-0.5, 0, 0.01], (0, 1, 0))], [body],
           lambda t, x: x, lambda x, t: (abs(x - flying(t)) < 0.05).all(axis=1), 3, (1, "layer_crossings", False))
    falls = Cloth("falls", [6, 6], [0.2, 0.2], [-0.25, 0.3, 0.05])
    yield ("dirty: a sheet through another", [table, falls], [], [lambda t, x: x, lambda t, x: x - [0, 0.22 * t, 0]], (1, 0), 3,
           (1, "layer_crossings", False))


def ever_passes(cloths, place, inside, frames):
    """By the known motion: a point of cloth in the body, or of one cloth at the level of the other where that lies."""
    for t in np.linspace(0, frames, 200 * frames + 1):
        x = place(t)
        if callable(inside):
            if any(inside(cloth.dense(p), t).any() for cloth, p in zip(cloths, x)):
                return True
        else:
            upper, lower = cloths[inside[0]].dense(x[inside[0]]), x[inside[1]]
            over = ((upper[:, [0, 2]] > lower[:, [0, 2]].min(0)) & (upper[:, [0, 2]] < lower[:, [0, 2]].max(0))).all(axis=1)
            if (abs(upper[over, 1] - lower[0, 1]) < 0.0012).any():
                return True
    return False


def judge(muslin, folder, name, cloths, colliders, place, frames):
    """The exit code and the verdict on a run whose frames are overwritten by these places."""
    out = os.path.join(folder, "".join(c if c.isalnum() else "_" for c in name))
    scene = {"frame_time": FRAME, "frames": frames, "cloths": [c.part for c in cloths], "solver": {"family": "newton"}}
    with open(out + ".json", "w") as f:
        json.dump({**scene, "colliders": colliders}, f)
    subprocess.run([muslin, "run", out + ".json", "--out", out, "-q", "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    record = os.path.join(out, "run.json")
    with open(record) as f:
        run = json.load(f)
    for k, row in enumerate(run["frames"]):  # as if the run had written what is made here
        file = "frame_%04d.obj" % k
        with open(os.path.join(out, file)) as f:
            faces = [line for line in f if not line.startswith("v ")]
        text = "".join("v %.17g %.17g %.17g\n" % tuple(p) for p in np.vstack(place(k))) + "".join(faces)
        with open(os.path.join(out, file), "w", newline="") as f:
            f.write(text)
        row["sha256"][file] = hashlib.sha256(text.encode()).hexdigest()
        row.pop("blocked_bodies", None)
        row["blocked"] = 0
    with open(record, "w") as f:
        json.dump(run, f)
    p = subprocess.run([muslin, "check-frames", out, "--json", "--threads", "1"], capture_output=True, text=True)
    return p.returncode, json.loads(p.stdout.splitlines()[-1])


def main():
    muslin, bad, count = sys.argv[1], [], {"clean": 0, "dirty": 0}
    with tempfile.TemporaryDirectory() as folder:
        for name, cloths, colliders, motion, inside, frames, (code, found, note) in cases(folder):
            motions = motion if isinstance(motion, list) else [motion] * len(cloths)
            place = lambda t: [m(t, c.x) for m, c in zip(motions, cloths)]
            count[name.split(":")[0]] += 1
            if ever_passes(cloths, place, inside, frames) != (code == 1):
                bad.append(name + ": the motion is not what it is said to be")
            got, v = judge(muslin, folder, name, cloths, colliders, place, frames)
            possible = v["layer_crossings"]["doubted"] + v["through_colliders"]["possible"]
            words = "exit %d, crossings %d, through %d, possible %d, intersecting %d, inside %d" % (
                got, v["layer_crossings"]["total"], v["through_colliders"]["total"], possible, v["intersecting_pairs"]["total"],
                v["inside_colliders"]["total"])
            print("%-55s %s" % (name, words))
            if got != code or v["clean"] != (code == 0) or (found and v[found]["total"] == 0) or (code == 0 and (possible > 0) != note):
                bad.append(name + ": " + words)
            if v["intersecting_pairs"]["total"] + v["inside_colliders"]["total"] + v["cut_by_colliders"]["total"] > 0:
                bad.append(name + ": a frame tells by itself; only what is between is tried here")
    if count != {"clean": 6, "dirty": 6}:
        bad.append("expected six clean and six dirty runs, got %s" % count)
    print("\n".join(["FAIL " + b for b in bad]) or "12 runs, every verdict and exit code right")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
