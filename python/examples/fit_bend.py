"""Fits the bending rigidity of a fabric to a measured overhang.

A strip lies on a table and hangs over its edge; the line from the edge to the tip was measured to be 41.5 degrees below
the table when 10 cm hang over. That is the cantilever test [Peirce 1930; ASTM D1388], whose closed form says
bend = density * g * (overhang / 2)^3.
"""
import math

import numpy as np

import muslin

OVERHANG = 0.10  # [m], measured
ANGLE = 41.5  # [degrees], measured
DENSITY = 0.15  # [kg/m^2], measured
G = 9.81


def hanging_strip(bend, cells=16):
    """A strip whose first two rows are held: the edge of the table is midway between them, where bending begins."""
    cell = OVERHANG / (cells - 0.5)
    return muslin.Simulation(muslin.Scene(
        frame_time=0.1,
        damping=2,  # comes to rest
        gravity=[0, -G, 0],
        cloths=[muslin.Cloth(
            grid=muslin.Grid(points=[cells + 1, 3], size=[cells * cell, 2 * cell], origin=[-cell / 2, 0, 0]),
            fabric=muslin.Fabric(preset="cotton", density=DENSITY, bend=bend), membrane="baraff_witkin", bending="dihedral",
            pins=[muslin.Pin(grid=[[i, j] for i in (0, 1) for j in (0, 1, 2)])])]))


def angle_of(bend):
    """Of the tip below the edge, at rest [degrees]."""
    simulation = hanging_strip(bend)
    before = math.inf
    for _ in range(200):
        simulation.step()
        tip = simulation.positions.reshape(3, -1, 3)[1, -1]
        if abs(tip[1] - before) < 1e-6:
            break
        before = tip[1]
    return math.degrees(math.atan2(-tip[1], tip[0]))


def fit(low=1e-7, high=1e-3):
    """The bending rigidity [N m] that gives the measured angle: stiffer strips hang less."""
    miss = lambda exponent: angle_of(10**exponent) - ANGLE
    a, b = math.log10(low), math.log10(high)
    try:
        from scipy.optimize import brentq
    except ImportError:
        while b - a > 1e-3:
            middle = (a + b) / 2
            a, b = (middle, b) if miss(middle) > 0 else (a, middle)
        return 10 ** ((a + b) / 2)
    return 10 ** brentq(miss, a, b, xtol=1e-3)


if __name__ == "__main__":
    bend = fit()
    closed = DENSITY * G * (OVERHANG / 2) ** 3
    print(f"bend {bend:.4g} N m; closed form {closed:.4g} N m; difference {100 * (bend / closed - 1):.1f} %")
