#!/usr/bin/env python3
"""What a step costs more from Python than from C++: the same scene of 1024 vertices, stepped by both in turns, by the
processor's time; what the way through Python alone costs, by a scene of four vertices;
and how much sooner eight simulations end in two threads than in one.

usage: PYTHONPATH=build/release/python bench/python_overhead.py build/release/bench/bench_python_overhead [steps] [rounds]
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import muslin

SCENE = muslin.Scene(cloths=[{"grid": {"points": [32, 32], "size": [0.3, 0.3]}, "pins": [{"grid": [[0, 0], [-1, 0]]}]}])


def from_cpp(program, scene, steps, what):
    words = subprocess.run([program, scene, str(steps), what], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), words[2]


def from_python(scene, steps, what):
    simulation, total = muslin.Simulation(muslin.Scene(scene), threads=1), 0.0
    start = time.process_time()
    for _ in range(steps):
        simulation.step()
        if what == "read":
            total += simulation.positions[0, 1]
    return time.process_time() - start, simulation.hash


def overhead(program, steps, rounds):
    with tempfile.TemporaryDirectory() as folder:
        for method in ("xpbd", "quasi_newton"):
            scene = os.path.join(folder, method + ".json")
            with open(scene, "w", encoding="utf-8") as file:
                file.write(SCENE.with_solver(method).json())
            for what in ("step", "read"):
                cpp, python, hashes = [], [], set()
                for _ in range(rounds):
                    for times, (seconds, digits) in ((cpp, from_cpp(program, scene, steps, what)),
                                                     (python, from_python(scene, steps, what))):
                        times.append(seconds)
                        hashes.add(digits)
                assert len(hashes) == 1, "other bits"
                least, ours = min(cpp), min(python)
                print(f"{method:13} {what}: C++ {1e3 * least / steps:.4f} ms, Python {1e3 * ours / steps:.4f} ms a step, "
                      f"{100 * (ours / least - 1):+.2f} % (least of {rounds}; medians {statistics.median(cpp):.3f} s and "
                      f"{statistics.median(python):.3f} s)", flush=True)


def cost_of_a_call(program, steps, rounds):
    """Where a step is nothing, what is left is the call: times of large steps differ by more than that from run to run."""
    small = SCENE.replaced({"cloths/0/grid/points": [2, 2]}).with_solver("xpbd")
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "small.json")
        with open(scene, "w", encoding="utf-8") as file:
            file.write(small.json())
        pairs = [(from_cpp(program, scene, steps, "step")[0], from_python(scene, steps, "step")[0]) for _ in range(rounds)]
        cpp, python = (min(times) / steps for times in zip(*pairs))
        print(f"four vertices: C++ {1e6 * cpp:.2f} us, Python {1e6 * python:.2f} us: a call costs {1e6 * (python - cpp):.2f} us")


def side_by_side(steps):
    def work(seed):
        simulation = muslin.Simulation(muslin.Scene(SCENE.dict(), seed=seed), threads=1)
        simulation.run(steps)
        return simulation.hash

    found = {}
    for threads in (1, 2):
        start, processor = time.monotonic(), time.process_time()
        with ThreadPoolExecutor(threads) as pool:
            found[threads] = list(pool.map(work, range(8))), time.monotonic() - start, time.process_time() - processor
    assert found[1][0] == found[2][0], "other bits"
    print(f"8 simulations: {found[1][1]:.2f} s in one thread, {found[2][1]:.2f} s in two: {found[1][1] / found[2][1]:.2f} times "
          f"as fast; processor time {found[1][2]:.2f} s and {found[2][2]:.2f} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    overhead(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000, int(sys.argv[3]) if len(sys.argv) > 3 else 3)
    cost_of_a_call(sys.argv[1], 20000, 5)
    side_by_side(60)
