"""Plots the energy gap over iterations and milliseconds, from the CSV that bench_minimum --part race writes.

usage: plot_race.py race.csv race.png
"""
import csv
import sys
from collections import defaultdict

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

COLOURS = {"quasi_newton": "#c0392b", "newton_multigrid": "#8e44ad", "projective": "#2980b9",
           "chebyshev": "#27ae60", "block_descent": "#7f8c8d"}


def main(source, target):
    curves = defaultdict(list)  # (vertices, stiffness, bending) and method -> rows of the first sampled state
    sampled = {}
    with open(source, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            case = (int(row["vertices"]), float(row["stiffness"]), float(row["bending"]))
            if sampled.setdefault(case, row["frame"]) != row["frame"]:
                continue
            curves[case, row["method"]].append([float(row[key]) for key in ("iteration", "ms", "energy_gap")])
    sizes = sorted({case[0] for case, _ in curves if case[1] == 1000 and case[2] < 5e-5})
    figure, axes = plt.subplots(2, len(sizes), figsize=(4 * len(sizes), 7), sharey=True, squeeze=False)
    for column, size in enumerate(sizes):
        for line, (axis, label) in enumerate(((0, "iterations"), (1, "ms"))):
            panel = axes[line][column]
            for (case, method), rows in curves.items():
                if case != (size, 1000, 2e-5):
                    continue
                # The start lies at zero, which a logarithmic axis does not have
                points = [row for row in rows if row[axis] > 0 and row[2] > 0]
                panel.loglog([p[axis] for p in points], [p[2] for p in points], label=method, marker=".",
                             color=COLOURS.get(method))
            panel.axhline(1e-2, color="#cccccc", zorder=0)
            panel.set_xlabel(label)
            panel.grid(True, which="major", alpha=0.25)
        axes[0][column].set_title(f"{size} vertices")
    for row in axes:
        row[0].set_ylabel("energy gap (F − F*)/(F₀ − F*)")
    axes[0][0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
