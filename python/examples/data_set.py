"""Makes a data set: cloths of random fabrics fall over random balls. usage: data_set.py FILE.npz [runs] [frames]

Each run is a function of its number alone, so that the file is the same for any number of threads.
"""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import muslin

POINTS = 16


def run(number, frames):
    """Parameters and positions of one run: frames + 1 times n x 3 [m]."""
    random = np.random.default_rng(number)
    radius, height = random.uniform(0.05, 0.12), random.uniform(0.02, 0.08)
    bend = 10 ** random.uniform(-6.5, -4.5)
    scene = muslin.Scene(
        cloths=[muslin.Cloth(grid=muslin.Grid(points=[POINTS, POINTS], size=[0.3, 0.3], origin=[-0.15, height, -0.15]),
                             fabric=muslin.Fabric(preset="cotton", bend=bend))],
        colliders=[muslin.Collider(shape="sphere", radius=radius, center=[0, -radius, 0])])
    simulation = muslin.Simulation(scene, threads=1)
    positions = [simulation.positions]
    simulation.run(frames, progress=lambda report: positions.append(simulation.positions))
    return (radius, height, bend), np.float32(positions)


def main(file, runs=8, frames=30):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda number: run(number, frames), range(runs)))
    np.savez_compressed(file, parameters=[parameters for parameters, _ in found],
                        names=["radius [m]", "height [m]", "bend [N m]"], positions=[positions for _, positions in found])
    print(f"{file}: {runs} runs of {frames} frames, {POINTS * POINTS} vertices")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1], *map(int, sys.argv[2:]))
