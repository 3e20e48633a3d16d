"""Sweeps from Python are those of the command line."""
import csv
import io
import json
import os
import signal
import threading
import time

import pytest

import muslin

SHEET = {"cloths": [{"grid": {"points": [4, 4], "size": [1, 1]}, "fabric": "cotton"}], "frames": 4}


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "sheet.json").write_text(json.dumps(SHEET))
    values = {
        "scene": "sheet.json",
        "axes": [
            {"set": "cloths/0/fabric/density", "values": [0.1, 0.2, -1]},
            {"set": "seed", "values": [1, 2]},
        ],
        "figures": ["hash", "kinetic_energy", "max strain_max", "center_of_mass_y", "jammed"],
    }
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(values))
    return path


def test_the_table_is_the_command_lines(cli, plan, tmp_path):
    seen = []
    table = muslin.sweep(plan, tmp_path / "ours", jobs=2, progress=lambda done, count: seen.append((done, count)))
    assert seen == [(k, 6) for k in range(1, 7)]
    cli("sweep", plan, "--out", tmp_path / "theirs", cwd=tmp_path)
    cli("sweep", "run", tmp_path / "theirs")
    rows = list(csv.reader(io.StringIO(cli("sweep", "table", tmp_path / "theirs"))))
    assert rows[0] == list(table)[:-1] and list(table)[-1] == "run_ms"
    as_text = lambda value: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    for number, name in enumerate(rows[0]):
        theirs = [row[number] for row in rows[1:]]
        ours = table[name]
        if ours and isinstance(ours[0], float):
            theirs = [float(cell) if cell else None for cell in theirs]
            assert ours == theirs, name
        else:
            assert [as_text(value) for value in ours] == theirs, name
    assert table["cloths/0/fabric/density"] == [0.1, 0.1, 0.2, 0.2, -1, -1] and table["seed"] == [1, 2] * 3
    assert table["outcome"][:4] == ["finished"] * 4 and table["outcome"][4:] == ["invalid"] * 2
    assert table.status == {"done": 4, "failed": 2, "running": 0, "left": 0}
    assert [line for line, _, _ in table.troubles] == [4, 5] and "density" in table.troubles[0][2]
    # What one of them began, the other goes on with.
    assert muslin.sweep(plan, tmp_path / "theirs") == {**table, "run_ms": muslin.sweep(plan, tmp_path / "theirs")["run_ms"]}


def test_figures_of_all_frames_are_those_of_the_reports(plan, tmp_path):
    table = muslin.sweep(plan, tmp_path / "ours")
    reports = muslin.Simulation(muslin.Scene({**SHEET, "seed": 1}).replaced({"cloths/0/fabric/density": 0.1})).run()
    assert table["max strain_max"][0] == max(report.strain_max for report in reports)
    assert table["center_of_mass_y"][0] == reports[-1].center_of_mass[1]
    assert table["hash"][0] == reports[-1].hash and table["jammed"][0] is False


def test_a_scene_in_memory_and_a_cache(tmp_path):
    scene = muslin.Scene(SHEET)
    plan = {"scene": scene, "axes": [{"set": "frames", "values": [1, 2]}], "figures": ["hash", "frame"]}
    first = muslin.sweep(plan, tmp_path / "one", cache=tmp_path / "cache")
    assert first["frame"] == [1, 2] and first["frames"] == [1, 2]
    assert len(list((tmp_path / "cache").iterdir())) == 2
    again = muslin.sweep({**plan, "axes": [{"set": "frames", "values": [2]}]}, tmp_path / "two", cache=tmp_path / "cache")
    assert again["run_ms"] == first["run_ms"][1:] and again["key"] == first["key"][1:]  # the time of a run that was not made again
    with pytest.raises(muslin.Error, match="another plan"):
        muslin.sweep({**plan, "figures": ["frame"]}, tmp_path / "one")


def test_the_page_holds_the_table(plan, tmp_path):
    table = muslin.sweep(plan, tmp_path / "ours")
    table.save_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page == table.page and page.startswith("<!doctype html>") and table["hash"][0] in page
    assert "srcdoc" in table._repr_html_()


def test_ctrl_c_ends_the_runs_and_the_next_call_goes_on(ctrl_c, tmp_path):
    scene = muslin.Scene(SHEET, frames=100000)
    plan = {"scene": scene, "axes": [{"set": "seed", "values": [1, 2, 3]}], "figures": ["hash"]}
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        muslin.sweep(plan, tmp_path / "long", jobs=2)
    assert time.monotonic() - start < 60
    assert muslin._native.Sweep(str(tmp_path / "long"), "").status()["left"] == 3


def test_a_plan_that_is_refused_leaves_nothing(tmp_path):
    scene = muslin.Scene(SHEET)
    for wrong in ({"axe": []}, {"axes": [{"set": "sead", "values": [1]}]}):
        with pytest.raises(muslin.Error):
            muslin.sweep({"scene": scene, **wrong}, tmp_path / "s", jobs=1)
    other = {"scene": scene.with_solver("xpbd"), "axes": [{"set": "seed", "values": [1, 2]}], "figures": ["hash"]}
    assert muslin.sweep(other, tmp_path / "s", jobs=1).status["done"] == 2


def test_what_progress_raises_ends_the_sweep(plan, tmp_path):
    def fail(done, count):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        muslin.sweep(plan, tmp_path / "ours", jobs=1, progress=fail)


WRONG = [
    ("no plan", 3, "file or a dict"),
    ("no file", "/no/such/plan.json", "cannot be read"),
    ("unknown key", {"scene": "flag", "axess": []}, "axes"),
    ("unknown path", {"scene": "flag", "axes": [{"set": "cloths/0/fabric/densty", "values": [1]}]}, "density"),
    ("set without =", {"scene": "flag", "set": ["frames"]}, "PATH=VALUE"),
    ("unknown figure", {"scene": "flag", "figures": ["strain_mx"]}, "strain_max"),
    ("unknown scene", {"scene": "flagg"}, "flagg"),
    ("unknown solver", {"scene": "flag", "solver": "newtn"}, "newton"),
    ("not finite", {"scene": "flag", "axes": [{"set": "seed", "values": [float("nan")]}]}, "finite"),
]


@pytest.mark.parametrize("what, plan, words", WRONG, ids=[wrong[0] for wrong in WRONG])
def test_wrong_plans(tmp_path, what, plan, words):
    with pytest.raises(muslin.Error, match=words):
        muslin.sweep(plan, tmp_path / "sweep")


def test_wrong_options(plan, tmp_path):
    for options in ({"jobs": -1}, {"jobs": 1.5}, {"progress": 3}):
        with pytest.raises(muslin.Error):
            muslin.sweep(plan, tmp_path / "sweep", **options)


def test_figures_and_schema_tell_each_other():
    names = [figure["name"] for figure in muslin.figures()]
    schema = json.loads(muslin.plan_schema())
    assert schema["properties"]["figures"]["items"]["enum"] == names
    assert {"strain_p99", "mean iterations", "center_of_mass_y", "ms"} <= set(names) and len(set(names)) == len(names)
