"""Pictures without a display, notebooks, the judge, comparisons."""
import json
import os
import struct

import numpy as np
import pytest

import muslin

pictures = pytest.mark.skipif(not hasattr(muslin._native, "render"), reason="built without pictures")

SHADERS = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "shaders")


@pictures
def test_render_is_what_the_command_line_draws(cli, tmp_path):
    picture = muslin.render("games103_pbd", frame=5, size=(160, 120), look="strain,wireframe")
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    muslin.save_png(tmp_path / "ours.png", picture)
    # One camera for all frames of a run: the same where only one frame is looked at, frame 0.
    ours = muslin.png(muslin.render(muslin.Simulation(muslin.Scene("games103_pbd")), size=(160, 120)))
    cli("render", "games103_pbd", "--frame", 0, "--size", "160x120", "--out", tmp_path / "theirs.png")
    assert ours == (tmp_path / "theirs.png").read_bytes()


@pictures
def test_the_cloth_is_in_the_picture(sheet):
    simulation = muslin.Simulation(sheet)
    camera = muslin.camera_of(simulation, (120, 90))
    first = muslin.render(simulation, size=(120, 90), camera=camera)
    assert np.array_equal(first, muslin.render(simulation, size=(120, 90)))  # that is the automatic one
    simulation.run(20)
    later = muslin.render(simulation, size=(120, 90), camera=camera)
    changed = (first != later).any(axis=2).mean()
    assert 0.01 < changed < 0.9
    away = muslin.render(simulation, size=(120, 90), camera=([0, 0, 5], [0, 0, 10]))
    assert len(np.unique(away.reshape(-1, 3), axis=0)) < len(np.unique(later.reshape(-1, 3), axis=0))


@pictures
def test_looks(sheet):
    simulation = muslin.Simulation(sheet)
    plain = muslin.render(simulation, size=(64, 48))
    for look in ("wireframe", ["phong"], {"shading": "normals", "wireframe": True}, {"heat": "speed", "heat_high": 1},
                 "strain,heat_high=3,legend=false", "shadows=false", {"shaders": SHADERS}, f"shaders={SHADERS}"):
        assert not np.array_equal(plain, muslin.render(simulation, size=(64, 48), look=look))


LOOKS = [
    ("unknown word", dict(look="phonk"), "look: unknown word 'phonk'; did you mean phong"),
    ("nothing like a word", dict(look="qqqqqq"), "see muslin.looks()"),
    ("unknown name", dict(look={"shade": "phong"}), "did you mean shad"),
    ("unknown choice", dict(look={"shading": "phon"}), "did you mean phong"),
    ("no words", dict(look=3), "look: expected words or a dict, got int"),
    ("shading that needs a folder", dict(look="shading=custom"), "shading=custom needs shaders=PATH"),
    ("pattern that needs a file", dict(look={"pattern": "image"}), "pattern=image needs texture=PATH"),
    ("switch of a number", dict(look={"wireframe": 1}), "true or false"),
    ("number of text", dict(look={"heat_high": "much"}), "must be a number"),
    ("texture of a number", dict(look={"texture": 3}), "3.0"),
    ("shaders that are none", dict(look={"shaders": "/nope"}), "/nope"),
    ("texture that is none", dict(look={"pattern": "image", "texture": "/no/such.png"}), "/no/such.png"),
    ("no size", dict(size=(0, 10)), "size"),
    ("size of three", dict(size=(1, 2, 3)), "size"),
    ("size beyond all", dict(size=(100000, 10)), "size"),
    ("camera of nan", dict(camera=([0, 0, float("nan")], [0, 0, 0])), "finite"),
    ("camera of one", dict(camera=[1, 2, 3]), "camera"),
    ("frame of the past", dict(frame=7), "frame"),
]


@pictures
@pytest.mark.parametrize("what, options, words", LOOKS, ids=[look[0] for look in LOOKS])
def test_wrong_pictures(sheet, what, options, words):
    with pytest.raises(muslin.Error, match=words):
        muslin.render(muslin.Simulation(sheet), **options)


@pictures
def test_a_notebook_shows_a_simulation_and_a_film(sheet):
    simulation = muslin.Simulation(sheet)
    shown = simulation._repr_png_()
    assert shown.startswith(b"\x89PNG") and struct.unpack(">II", shown[16:24]) == (480, 360)
    film = muslin.film(simulation, 4, every=2, size=(48, 36))
    assert len(film.pictures) == 3 and simulation.frame == 4
    page = film._repr_html_()
    assert page.count("data:image/png;base64,") == 3 and "<script>" in page


def test_check_frames_of_a_folder_is_the_command_lines(cli, tmp_path):
    cli("run", "torture/stack", "--frames", 6, "--out", tmp_path / "run", "--quiet")
    theirs = json.loads(cli("check-frames", tmp_path / "run", "--within", 0.1, "--json").splitlines()[-1])
    verdicts = muslin.check_frames(tmp_path / "run", within=0.1)
    assert len(verdicts) == 7 and verdicts.clean is theirs["clean"] is True and verdicts.changed_files == []
    gaps = [verdict["least_gap"] for verdict in verdicts if verdict["least_gap"] is not None]
    assert min(gaps) == theirs["least_gap"]["distance"]
    (tmp_path / "run" / "frame_0003.obj").unlink()
    with pytest.raises(muslin.Error, match="frame 3|frame_0003"):
        muslin.check_frames(tmp_path / "run")


def test_check_frames_reads_point_caches(cli, tmp_path):
    cli("run", "torture/stack", "--frames", 3, "--out", tmp_path / "run", "--format", "pc2", "--quiet")
    theirs = json.loads(cli("check-frames", tmp_path / "run", "--within", 0.1, "--json").splitlines()[-1])
    verdicts = muslin.check_frames(tmp_path / "run", within=0.1)
    assert len(verdicts) == 4 and verdicts.clean is theirs["clean"]
    gaps = [verdict["least_gap"] for verdict in verdicts if verdict["least_gap"] is not None]
    assert min(gaps) == theirs["least_gap"]["distance"]


def test_check_frames_finds_what_is_inside(sheet):
    simulation = muslin.Simulation(sheet)
    start = simulation.positions
    dipped = start.copy()
    dipped[20] = [0.1, -0.3, 0.1]  # the middle of the ball
    verdicts = muslin.check_frames([start, dipped], sheet)
    assert verdicts[0]["clean"] and not verdicts.clean
    assert [(vertex, name) for vertex, name, _ in verdicts[1]["inside"]] == [(20, "ball")]
    assert np.isclose(verdicts[1]["inside"][0][2], 0.05)


def test_compare_has_the_numbers_of_the_command_line(cli, tmp_path):
    options = ["--frames", "3", "--set", "cloths/0/grid/points=[6,6]"]
    cli("compare", "games103_implicit", "--solvers", "newton,chebyshev", *options, "--out", tmp_path / "cli", "--quiet")
    theirs = json.loads((tmp_path / "cli" / "compare.json").read_text())
    seen = []
    ours = muslin.compare(muslin.Scene("games103_implicit").replaced({"cloths/0/grid/points": [6, 6]}),
                          ["newton", "chebyshev"], frames=3, page=tmp_path / "page.html",
                          progress=lambda frame, frames: seen.append((frame, frames)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    table = ours.frames
    lengths = {len(column) for column in table.values()}
    assert lengths == {9} and table["solver"] == ["reference"] * 3 + ["newton"] * 3 + ["chebyshev"] * 3
    for mine, other in zip(ours["solvers"], theirs["solvers"]):
        for name, column in other["frames"].items():
            if "ms" not in name:
                assert mine["frames"][name] == column, name
    page = (tmp_path / "page.html").read_text()
    assert page == ours.page and page.startswith("<!") and "srcdoc" in ours._repr_html_()


def test_compare_passes_on_what_progress_raises():
    def fail(frame, frames):
        raise ZeroDivisionError("mine")

    scene = muslin.Scene("games103_implicit").replaced({"cloths/0/grid/points": [6, 6]})
    with pytest.raises(ZeroDivisionError, match="mine"):
        muslin.compare(scene, ["newton"], frames=5, progress=fail)
