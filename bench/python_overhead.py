#!/usr/bin/env python3
"""What a step costs more from Python than from C++: the same scene of 1024 vertices, stepped by both in turns, by the
processor's time; what the way through Python alone costs, by a scene of four vertices;
and how much sooner eight simulations end in two threads than in one, beside two processes, which share no lock.

usage: PYTHONPATH=build/release/python bench/python_overhead.py build/release/bench/bench_python_overhead [steps] [rounds]
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import muslin

SCENE = muslin.Scene(cloths=[{"grid": {"points": [32, 32], "size": [0.3, 0.3]}, "pins": [{"grid": [[0, 0], [-1, 0]]}]}])


def timed(*command):
    """Seconds and hash that a process prints; a fresh one for either language, as one that has run much has other memory."""
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), words[-1]


def from_cpp(program, scene, steps, what):
    return timed(program, scene, str(steps), what)


def from_python(scene, steps, what):
    return timed(sys.executable, __file__, "--steps", scene, str(steps), what)


def make_steps(scene, steps, what):
    simulation, total = muslin.Simulation(muslin.Scene(scene), threads=1), 0.0
    start = time.process_time()
    for _ in range(steps):
        simulation.step()
        if what == "read":
            total += simulation.positions[0, 1]
    print(time.process_time() - start, simulation.hash)


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
                ratio = statistics.median(ours / theirs for theirs, ours in zip(cpp, python))
                print(f"{method:13} {what}: C++ {1e3 * min(cpp) / steps:.4f} ms, Python {1e3 * min(python) / steps:.4f} ms a step, "
                      f"{100 * (min(python) / min(cpp) - 1):+.2f} % (least of {rounds}), {100 * (ratio - 1):+.2f} % (median of "
                      "pairs)", flush=True)


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


def hash_after(steps, seed):
    simulation = muslin.Simulation(muslin.Scene(SCENE.dict(), seed=seed), threads=1)
    simulation.run(steps)
    return simulation.hash


def in_threads(count, steps):
    """Hashes, seconds, processor time, and how often a thread waited for something."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    with ThreadPoolExecutor(count) as pool:
        hashes = list(pool.map(lambda seed: hash_after(steps, seed), range(8)))
    after = resource.getrusage(resource.RUSAGE_SELF)
    return hashes, time.monotonic() - start, after.ru_utime - before.ru_utime, after.ru_nvcsw - before.ru_nvcsw


def in_two_processes(steps):
    """Seconds, from when both have begun."""
    children = [subprocess.Popen([sys.executable, __file__, "--half", str(half), str(steps)], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True) for half in (0, 1)]
    for child in children:
        child.stdout.readline()
    start = time.monotonic()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.close()
    for child in children:
        child.wait()
    return time.monotonic() - start


def half(number, steps):
    print("ready", flush=True)
    sys.stdin.readline()
    for seed in range(4 * number, 4 * number + 4):
        hash_after(steps, seed)


def side_by_side(steps, rounds):
    faster, as_processes = [], []
    for _ in range(rounds):
        (one, single, cpu, waits), (two, double, cpu_of_two, waits_of_two) = (in_threads(count, steps) for count in (1, 2))
        assert one == two, "other bits"
        faster.append(single / double)
        as_processes.append(single / in_two_processes(steps))
    print(f"8 simulations: {statistics.median(faster):.2f} times as fast in two threads as in one, in two processes "
          f"{statistics.median(as_processes):.2f} (medians of {rounds}); at last {cpu:.2f} s and {cpu_of_two:.2f} s of "
          f"the processor, {waits} and {waits_of_two} waits; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    if sys.argv[1] == "--half":
        half(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1] == "--steps":
        make_steps(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        overhead(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200, int(sys.argv[3]) if len(sys.argv) > 3 else 10)
        cost_of_a_call(sys.argv[1], 20000, 5)
        side_by_side(60, 5)
