"""Runs the standing table of quasi_newton: seconds of the processor, work, and what they are worth.

Every scene is run by one program or, alternating, by two, one thread each, with user time read after every frame, so
that only the frames count that are named hard. Beside every speed stands how far the last frame is from a run to
10 µm, and how much kinetic energy it has in comparison: equal tolerance is not equal error.
"""
import argparse
import array
import functools
import json
import math
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile

SCENES = "scenes"
TICKS = os.sysconf("SC_CLK_TCK")
REFERENCE = ["solver/quasi_newton/tolerance=1e-5", "solver/quasi_newton/iterations=400"]


class Case:
    """A scene with its overrides, the first frame that counts, and how many do."""

    def __init__(self, scene, first, count, *overrides, torture=None):
        self.scene, self.first, self.count, self.overrides = scene, first, count, overrides
        self.torture = torture  # options of bench_torture, which writes the scene

    def file(self, folder, bench):
        if self.torture is None:
            made = os.path.join(folder, self.scene + ".json")
            return made if os.path.exists(made) else os.path.join(SCENES, self.scene + ".json")
        made = os.path.join(folder, "torture " + " ".join(self.torture))
        if not os.path.isdir(made):
            subprocess.run([bench, "--scene", self.scene, *self.torture, "--write", made], check=True,
                           stdout=subprocess.DEVNULL)
            without_preset(os.path.join(made, self.scene + ".json"))
        return os.path.join(made, self.scene + ".json")


def without_preset(file):
    """Leaves out what older programs do not know: the usual preset, which has had another name, and the settings of
    a family that does not run."""
    with open(file, encoding="utf-8") as text:
        scene = json.load(text)
    settings = scene["solver"].get("quasi_newton", {})
    settings.pop("preset", None)
    scene["solver"] = {"quasi_newton": settings}
    with open(file, "w", encoding="utf-8") as text:
        json.dump(scene, text)


def grid(points):
    return f"cloths/0/grid/points=[{points},{points}]"


CASES = {
    "hang 10k": Case("hang", 1, 24, grid(100)),
    "hang 100k": Case("hang", 1, 20, grid(316)),
    "swing": Case("swing", 1, 24),
    "skirt, still": Case("cone_still", 1, 24),
    "skirt, turning": Case("cone_turning", 1, 24),
    "skirt on a body": Case("circle_skirt", 20, 24),
    "drape, thick": Case("sphere_drape", 15, 20),
    "drape, thin 10k": Case("sphere_drape", 13, 20, grid(100), "self_collision/enabled=false"),
    "stack 25k": Case("stack", 5, 20, torture=["--cells", "69", "--sheets", "5"]),
    "fold 10k": Case("fold", 10, 24, torture=["--cells", "99"]),
    "rotating sphere 19k": Case("rotating_sphere", 20, 20, torture=["--cells", "137"]),
    "flag": Case("flag", 10, 24),
}


# --- a skirt that hangs from its waist -----------------------------------------------------------------

def write_cones(folder, vertices=5000):
    """A cone of irregular triangles, held at its upper rim: still, and turned by 120 degrees there and back."""
    draw = random.Random(1)
    waist, hem, height = 0.16, 0.42, 0.6
    slant = math.hypot(height, hem - waist)
    edge = math.sqrt(math.pi * (waist + hem) * slant / vertices / (math.sqrt(3) / 2))
    count = int(slant / (edge * math.sqrt(3) / 2))
    places, rings = [], []
    for k in range(count + 1):
        shake = 1 if 0 < k < count else 0
        around = max(24, round(2 * math.pi * (waist + (hem - waist) * k / count) / edge))
        rings.append(range(len(places), len(places) + around))
        for i in range(around):
            angle = 2 * math.pi * (i + 0.5 * (k % 2) + shake * draw.uniform(-0.3, 0.3)) / around
            down = (k + shake * draw.uniform(-0.25, 0.25)) / count
            radius = waist + (hem - waist) * down
            places.append((radius * math.cos(angle), 1 - height * down, radius * math.sin(angle)))
    lines = ["v %.6f %.6f %.6f" % place for place in places]
    for upper, lower in zip(rings, rings[1:]):
        a = b = 0  # the strip goes on along the shorter of its two next edges
        while a < len(upper) or b < len(lower):
            here, there = upper[a % len(upper)], lower[b % len(lower)]
            next_here, next_there = upper[(a + 1) % len(upper)], lower[(b + 1) % len(lower)]
            along_upper = b == len(lower) or (
                a < len(upper) and
                math.dist(places[next_here], places[there]) < math.dist(places[here], places[next_there]))
            corners = (here, next_here, there) if along_upper else (here, next_there, there)
            lines.append("f " + " ".join(str(v + 1) for v in corners))
            a, b = (a + 1, b) if along_upper else (a, b + 1)
    with open(os.path.join(folder, "cone.obj"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    for name, keys in (("still", []), ("turning", [(0, 0), (0.5, 120), (1, 0)])):
        pin = {"vertices": list(rings[0])}
        if keys:
            pin["motion"] = {"keyframes": [{"time": time, "rotation": [0, angle, 0]} for time, angle in keys]}
        scene = {"name": "Skirt, " + name, "frames": 60, "frame_time": 1 / 30, "damping": 0.5,
                 "cloths": [{"name": "skirt", "mesh": {"file": "cone.obj"}, "fabric": "cotton", "pins": [pin]}]}
        with open(os.path.join(folder, f"cone_{name}.json"), "w", encoding="utf-8") as file:
            json.dump(scene, file)


# --- runs ----------------------------------------------------------------------------------------------

def user_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        return int(file.read().rsplit(")", 1)[1].split()[11]) / TICKS


def read_places(folder):
    """Of all vertices of cloth in all frames: their number, and floats x y z."""
    clouds = []
    for place, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith(".pc2") and name != "colliders.pc2":
                with open(os.path.join(place, name), "rb") as file:
                    data = file.read()
                places = array.array("f")
                places.frombytes(data[32:])
                clouds.append((struct.unpack_from("<i", data, 16)[0], places))
    return clouds


@functools.lru_cache
def writes_places(program):
    """Whether a program, which may be an old one, writes point caches."""
    listed = subprocess.run([program, "run", "--help"], capture_output=True, text=True, check=False).stdout
    return "pc2" in listed


def run(program, case, file, overrides):
    """Frames' numbers with `user` seconds of the processor each, from the first on, and all places, if it writes
    them."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", file, "--solver", "quasi_newton", "--frames", str(case.first + case.count - 1),
                   "--threads", "1", "--json", "-q"]
        if writes_places(program):
            command += ["--out", folder, "--format", "pc2", "--force"]
        for override in [*case.overrides, *overrides]:
            command += ["--set", override]
        frames, before = [], 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            for line in process.stdout:
                entry = json.loads(line)
                if entry.get("type") != "frame":
                    continue
                now = user_seconds(process)
                entry["user"], before = now - before, now
                frames.append(entry)
        if not frames or frames[-1]["frame"] != case.first + case.count - 1:
            sys.exit(f"{file}: {program} ended with {process.returncode} after {max(0, len(frames) - 1)} frames")
        return frames[1:], read_places(folder)


def distance_mm(a, b, frame):
    """Root mean square and largest distance of vertices in a frame."""
    total, count, most = 0.0, 0, 0.0
    for (vertices, x), (_, y) in zip(a, b):
        for i in range(3 * vertices * frame, 3 * vertices * (frame + 1), 3):
            square = sum((x[i + k] - y[i + k]) ** 2 for k in range(3))
            total, most = total + square, max(most, square)
        count += vertices
    return 1e3 * math.sqrt(total / count), 1e3 * math.sqrt(most)


def row(case, frames, places, seconds, reference):
    """What the table has of one program."""
    hard = frames[case.first - 1:]

    def mean(name):
        values = [frame.get(name) for frame in hard]
        return "–" if None in values else f"{statistics.mean(values):.1f}"

    vertices = sum(count for count, _ in places)
    by_vertex = f"{1e9 * seconds / case.count / vertices:.0f}" if places else "–"
    cells = [f"{1e3 * seconds / case.count:.1f}", by_vertex,
             mean("iterations"), mean("linear_iterations"), mean("setups"), mean("detections")]
    if reference is None:
        return cells + ["–", "–"]
    exact, exact_places = reference
    energies = []
    for steps in (5, 24):
        k = min(case.first + steps - 1, len(frames)) - 1
        energies.append(f"{100 * (frames[k]['kinetic_energy'] / exact[k]['kinetic_energy'] - 1):+.1f}")
    distance = "{:.2f} / {:.1f}".format(*distance_mm(places, exact_places, len(frames))) if places else "–"
    return cells + [" / ".join(energies), distance]


def program_of(build):
    return build if os.path.isfile(build) else os.path.join(build, "apps", "cli", "muslin")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench_frames", description=__doc__)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--other", help=argparse.SUPPRESS)
    parser.add_argument("--scenes", help="only scenes whose names begin so, separated by commas")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE",
                        help="for this checkout's program alone, as solver/quasi_newton/preset=interactive")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each program; the least time counts")
    parser.add_argument("--no-reference", action="store_true", help="no runs to 10 µm: speed alone")
    options = parser.parse_args()
    folder = os.path.join("out", "bench_frames")
    os.makedirs(folder, exist_ok=True)
    write_cones(folder)
    begins = options.scenes.split(",") if options.scenes else [""]
    cases = {name: case for name, case in CASES.items() if any(name.startswith(begin) for begin in begins)}
    if not cases:
        sys.exit(f"no such scene; there are: {', '.join(CASES)}")
    programs = {"this": program_of(options.build)}
    if options.other:
        programs["other"] = program_of(options.other)
    print("| scene | program | ms a frame | ns a vertex | iterations | PCG | set-ups | detections | "
          "kinetic energy after 5 / 24 [%] | rms / max [mm] | times as fast |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, case in cases.items():
        file = case.file(folder, os.path.join(options.build, "bench", "bench_torture"))
        reference = None if options.no_reference else run(programs["this"], case, file, REFERENCE)
        seconds, last = {}, {}
        for _ in range(options.repeats):
            for who, program in programs.items():
                frames, places = run(program, case, file, options.set if who == "this" else [])
                took = sum(frame["user"] for frame in frames[case.first - 1:])
                seconds[who] = min(took, seconds.get(who, math.inf))
                last[who] = frames, places
        for who in reversed(programs):
            cells = row(case, *last[who], seconds[who], reference)
            factor = f"{seconds['other'] / seconds['this']:.2f}" if who == "this" and "other" in programs else ""
            print("| " + " | ".join([name, who, *cells, factor]) + " |", flush=True)


if __name__ == "__main__":
    main()
