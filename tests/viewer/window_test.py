#!/usr/bin/env python3
"""The viewer in a real window, under real keys and a real mouse.

usage: window_test.py PROGRAM [NAME OF A TEST]...

Looks at the log (`muslin view --log`) and at the pictures that the viewer writes. Needs Xvfb and xdotool;
without them it says so and exits with 77, which is a skipped test.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback

from display import Display, Viewer, differing_fraction, missing_tools, read_png, temporary_folder

SCENE = {
    "name": "small",
    "frame_time": 1 / 60,
    "cloths": [{
        "grid": {"points": [13, 13], "size": [1, 1], "origin": [-0.5, 0.6, -0.5]},
        "pins": [{"grid": [[0, 0], [-1, 0]]}],
    }],
    "colliders": [{"name": "ball", "shape": "sphere", "center": [0, 0.15, 0], "radius": 0.3}],
    "solver": {"family": "position"},
}


def write_scene(folder, scene, name="scene.json"):
    path = os.path.join(folder, name)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(scene, file)
    os.rename(path + ".new", path)
    return path


class Session:
    """A viewer on the small scene, and what tests ask of it again and again."""

    def __init__(self, display, program, folder, *arguments, scene=None):
        self.folder = folder
        self.path = write_scene(folder, scene or SCENE)
        self.viewer = Viewer(display, program,
                             [self.path, "--paused", "--size", "640x480", "--pictures", folder, *arguments])
        self.viewer.find_window()
        self.viewer.key("Tab", "panel off")  # the stage has the whole window

    def middle(self, steps):
        """Where the middle of the cloth is after so many steps of one frame."""
        for _ in range(steps):
            match = self.viewer.key("n", r"frame (\d+): .* middle (\S+) (\S+) (\S+),")
        return [float(x) for x in match.groups()[1:]]

    def picture(self):
        return read_png(self.viewer.key("s", r"wrote (\S+\.png)").group(1))

    def end(self):
        code = self.viewer.end()
        assert code == 130, f"exit code {code} after SIGTERM"


def test_dragging_the_ball_moves_cloth(session):
    viewer = session.viewer
    untouched = session.middle(35)
    viewer.key("r", "resets")
    session.middle(25)
    picture = session.picture()
    viewer.point(320, 300)
    viewer.hand("mousedown", 1)
    since = viewer.mark()
    for step in range(1, 5):
        viewer.point(320 + 20 * step, 300 - 10 * step)
    viewer.hand("mouseup", 1)
    viewer.wait_for(r"carries collider 0 by 0\.[0-9]*[1-9]", since)
    after = session.middle(10)
    away = sum((a - b) ** 2 for a, b in zip(after, untouched)) ** 0.5
    assert away > 0.02, f"the middle of the cloth is at {after}, without the drag at {untouched}"
    assert differing_fraction(picture, session.picture()) > 0.03


def test_a_vertex_follows_the_mouse(session):
    viewer = session.viewer
    before = session.middle(20)
    since = viewer.mark()
    viewer.point(300, 175)
    viewer.hand("mousedown", 1)
    viewer.wait_for(r"pulls vertex \d+", since)
    since = viewer.mark()
    viewer.point(300, 60)
    viewer.wait_for(r"pulls vertex \d+ to", since)
    after = session.middle(15)
    assert after[1] > before[1] + 0.03, f"pulled up, the middle went from {before} to {after}"
    since = viewer.mark()
    viewer.hand("mouseup", 1)
    viewer.wait_for("releases", since)


def test_gravity_and_wind_are_switched(session):
    viewer = session.viewer
    viewer.key("g", "gravity off")
    viewer.key("r", "resets")
    still = session.middle(5)
    assert abs(still[1] - 0.6) < 1e-3, f"without gravity the middle fell to {still}"
    viewer.key("v", "wind on")
    blown = session.middle(15)
    assert abs(blown[2] - still[2]) > 1e-3, f"in the wind the middle went from {still} to {blown} only"
    viewer.key("v", "wind off")
    viewer.key("g", "gravity on")
    fallen = session.middle(15)
    assert fallen[1] < blown[1] - 0.02


def test_wireframe_shows(session):
    session.middle(10)
    plain = session.picture()
    session.viewer.key("w", "wireframe on")
    wired = session.picture()
    fraction = differing_fraction(plain, wired)
    assert 0.005 < fraction < 0.5, f"{fraction} of the pixels differ"
    session.viewer.key("w", "wireframe off")
    assert differing_fraction(plain, session.picture()) < 0.001


def test_the_solver_is_switched_on_the_same_cloth(session):
    viewer = session.viewer
    before = session.middle(12)
    viewer.key("9", r"edits the scene, newton goes on from frame 12")
    after = session.middle(1)
    assert max(abs(a - b) for a, b in zip(before, after)) < 0.08, f"{before} became {after} in a frame"
    viewer.wait_for(r"frame 13: newton")


def test_a_key_pins_and_unpins(session):
    viewer = session.viewer
    viewer.point(300, 170)
    vertex = viewer.key("k", r"holds vertex (\d+)").group(1)
    held = session.middle(25)
    viewer.key("k", rf"lets go of vertex {vertex}\b")
    free = session.middle(40)
    assert free[1] < held[1] - 0.005, f"let go, the middle went from {held} to {free}"


def test_saving_the_file_reloads_it(session):
    viewer = session.viewer
    session.middle(5)
    since = viewer.mark()
    write_scene(session.folder, dict(SCENE, gravity=[0, 0, 0]))
    viewer.wait_for(r"edits the scene, position goes on from frame 5", since)
    since = viewer.mark()
    path = write_scene(session.folder, dict(SCENE, gravity="down"))
    viewer.wait_for(r"trouble: .*scene\.json:\d+:\d+: /gravity", since)
    session.middle(2)  # the old one goes on
    since = viewer.mark()
    finer = json.loads(json.dumps(SCENE))
    finer["cloths"][0]["grid"]["points"] = [9, 9]
    write_scene(session.folder, finer)
    viewer.wait_for(r"goes on from frame 0", since)
    assert path == session.path


def cloth_fraction(picture):
    """The fraction of pixels that are as blue as the cloth's dye."""
    width, height, rows = picture
    blue = sum(row[x + 2] > row[x] + 25 for row in rows for x in range(0, 3 * width, 3))
    return blue / (width * height)


def test_every_method_has_a_key(session):
    viewer = session.viewer
    keys = [("1", "Explicit"), ("2", "PBD"), ("3", "XPBD"), ("4", "Plain descent"), ("5", "Chebyshev"),
            ("6", "Block descent"), ("7", "Projective"), ("8", "Baraff–Witkin"), ("9", "Newton"),
            ("0", "Newton multigrid"), ("q", "Quasi-Newton")]
    for key, label in keys:
        viewer.key(key, rf"{label} runs now: ")
    viewer.key("shift+2", "edits the scene, position goes on")
    viewer.key("shift+3", "edits the scene, implicit goes on")


def test_undo_and_redo(session):
    viewer = session.viewer
    viewer.key("ctrl+z", "nothing to undo")
    viewer.key("g", "gravity off")
    viewer.key("9", "Newton runs now")
    viewer.key("ctrl+z", "Position runs now")
    viewer.key("ctrl+z", "edits the scene")
    fallen = session.middle(10)
    assert fallen[1] < 0.59, f"gravity is on again, but the middle is at {fallen}"
    viewer.key("ctrl+z", "nothing to undo")
    viewer.key("ctrl+shift+z", "edits the scene")
    viewer.key("r", "resets")
    still = session.middle(10)
    assert abs(still[1] - 0.6) < 1e-3, f"gravity is off again, but the middle is at {still}"
    viewer.key("ctrl+shift+z", "Newton runs now")
    viewer.key("ctrl+shift+z", "nothing to redo")


def test_the_camera_follows_falling_cloth(display, program):
    with temporary_folder() as folder:
        free = {"frame_time": 0.1, "cloths": [{"grid": {"points": [5, 5], "size": [1, 1]}}],
                "solver": {"family": "explicit"}}
        session = Session(display, program, folder, scene=free)
        viewer = session.viewer
        before = cloth_fraction(session.picture())
        assert before > 0.02, f"{before} of the picture is cloth"
        fallen = session.middle(12)
        assert fallen[1] < -5, f"the cloth fell to {fallen}"
        after = cloth_fraction(session.picture())
        assert after > before / 2, f"{after} of the picture is cloth, {before} before it fell"
        viewer.key("t", "the camera stays")
        session.middle(6)
        assert cloth_fraction(session.picture()) < before / 10, "left alone, it does not follow"
        viewer.key("t", "the camera follows")
        assert cloth_fraction(session.picture()) > before / 2
        session.end()


LASSO_SCENE = """{
  // Two corners hold it.
  "frame_time": 0.016666666666666666, /* 60 a second */
  "cloths": [{
    "pins": [{"grid": [[0, 0], [-1, 0]]}], // the corners
    "grid": {"points": [13, 13], "size": [1, 1], "origin": [-0.5, 0.6, -0.5]}
  }],
  "solver": {"family": "position"} // the last line
}
"""


def test_the_lasso_pins_and_the_file_keeps_its_comments(display, program):
    with temporary_folder() as folder:
        session = Session(display, program, folder, scene=json.loads(re.sub(r"//.*|/\*.*?\*/", "", LASSO_SCENE)))
        viewer = session.viewer
        with open(session.path, "w", encoding="utf-8") as file:
            file.write(LASSO_SCENE)
        viewer.wait_for("edits the scene")
        viewer.key("l", "lasso on")
        corners = [(260, 180), (260, 300), (380, 300), (380, 180), (265, 182)]
        viewer.point(*corners[0])
        viewer.hand("mousedown", 1)
        for corner in corners[1:]:
            viewer.point(*corner)
        since = viewer.mark()
        viewer.hand("mouseup", 1)
        count = int(viewer.wait_for(r"pins (\d+) vertices", since).group(1))
        assert 4 < count < 169, f"{count} vertices are pinned"
        held = session.middle(20)
        viewer.key("ctrl+s", r"saved .*scene\.json")
        with open(session.path, encoding="utf-8") as file:
            text = file.read()
        added = re.search(r', \{"vertices": \[([0-9, ]+)\]\}', text)
        assert added, text
        assert text.replace(added.group(0), "") == LASSO_SCENE, "nothing else has changed"
        assert len(added.group(1).split(",")) == count
        viewer.key("ctrl+z", "undone")
        free = session.middle(20)
        assert free[1] < held[1] - 0.02, f"unpinned, the middle went from {held} to {free} only"
        session.end()


def test_a_drape_that_meets_things_is_refused_in_a_sentence(display, program):
    scene = dict(SCENE, cloths=[dict(SCENE["cloths"][0], pins=[])], self_collision={"enabled": True})
    with temporary_folder() as folder:
        session = Session(display, program, folder, scene=scene)
        session.middle(40)
        words = session.viewer.key("q", r"trouble: (.*)").group(1)
        sentence = words.split("  ")[0]  # an empty line comes before the numbers
        assert re.search(r"the cloth meets .*bodies in \d+ places, up to [0-9.]+ mm deep", sentence), words
        assert "(R)" in sentence and "triangle" not in sentence, sentence
        session.viewer.key("r", "resets")
        session.viewer.key("q", "quasi_newton goes on from frame 0")
        session.end()


def test_solvers_side_by_side(display, program):
    with temporary_folder() as folder:
        session = Session(display, program, folder, "--solvers", "implicit_plain,newton")
        viewer = session.viewer
        viewer.wait_for(r"loads small with 3 lanes")
        session.middle(6)
        for label in ("Plain descent", "Newton", "Reference"):
            viewer.wait_for(rf"frame 6: {label}: ")
        width, height, rows = session.picture()
        assert (width, height) == (640, 480)
        # what is far from the reference has another colour than what is not
        left = [rows[y][3 * x:3 * x + 3] for y in range(40, 200) for x in range(20, 300)]
        right = [rows[y][3 * x:3 * x + 3] for y in range(40, 200) for x in range(340, 620)]
        different = sum(max(abs(a - b) for a, b in zip(p, q)) > 24 for p, q in zip(left, right))
        assert different > 0.02 * len(left), f"{different} of {len(left)} pixels differ"
        session.end()


def halved(picture):
    """Every pixel the mean of two times two."""
    width, height, rows = picture
    small = []
    for y in range(0, height, 2):
        above, below = rows[y], rows[y + 1]
        row = bytearray(3 * (width // 2))
        for colour in range(3):
            sums = [a + b + c + d for a, b, c, d in zip(above[colour::6], above[colour + 3::6],
                                                       below[colour::6], below[colour + 3::6])]
            row[colour::3] = bytes(total // 4 for total in sums)
        small.append(bytes(row))
    return width // 2, height // 2, small


def window_at_rest(screen, program, scale, *keys):
    """What is on a screen of 900 x 600 places of `scale` pixels each way, after some keys."""
    with temporary_folder() as folder, Display(f"{900 * scale}x{600 * scale}") as display:
        path = write_scene(folder, SCENE)
        viewer = Viewer(display, program, [path, "--paused", "--size", "900x600", "--scale", str(scale),
                                           "--pictures", folder, *screen])
        viewer.find_window()
        viewer.hand("windowmove", "--sync", viewer.window, 0, 0)
        viewer.point(880 * scale, 300 * scale)
        for name, pattern in keys:
            viewer.key(name, pattern)
        before, after = None, display.picture()
        while before != after:
            time.sleep(1)
            before, after = after, display.picture()
        viewer.end()
        return after


def test_twice_the_pixels_show_the_same_window(_, program):
    """Nothing may be smaller, cut off or elsewhere on a screen of twice as many pixels each way."""
    for screen, keys in (((), [("h", "heat strain"), ("F1", "help on")]),
                         (("--solvers", "implicit_plain,newton"), [])):  # before a time is measured
        plain = window_at_rest(screen, program, 1, *keys)
        fine = halved(window_at_rest(screen, program, 2, *keys))
        fraction = differing_fraction(plain, fine)
        assert fraction < 0.06, f"{fraction} of the pixels differ, with {screen}"


def test_closing_while_recording_keeps_the_film(display, program):
    if not shutil.which("ffmpeg"):
        print("  (without ffmpeg there is no film to look at)")
        return
    with temporary_folder() as folder:
        session = Session(display, program, folder)
        session.viewer.key("m", r"films")
        session.middle(4)
        session.end()  # at once: the last frame may not be on the window yet
        session.viewer.wait_for(r"wrote \S+\.mp4, 5 frames")
        film = os.path.join(folder, "muslin_001.mp4")
        with open(film, "rb") as file:
            assert file.read(12)[4:8] == b"ftyp"


def test_without_ffmpeg_the_viewer_goes_on(display, program):
    with temporary_folder() as folder:
        path = write_scene(folder, SCENE)
        viewer = Viewer(display, program, [path, "--paused", "--size", "640x480", "--pictures", folder],
                        {"MUSLIN_FFMPEG": os.path.join(folder, "no_such_program")})
        viewer.find_window()
        viewer.key("m", r"trouble: .*ffmpeg")
        viewer.key("n", r"frame 1: ")
        viewer.end()


def test_keys_of_scenes_do_nothing_in_the_gallery(display, program):
    with temporary_folder() as folder:
        viewer = Viewer(display, program, ["--size", "640x480", "--pictures", folder])
        viewer.find_window(shows_scene=False)
        for key in ("m", "c", "p", "n", "s", "ctrl+z", "r", "k"):
            viewer.hand("key", key)
        viewer.key("F1", r"help on")
        assert os.listdir(folder) == [], os.listdir(folder)
        assert viewer.end() == 130


def test_failures_have_words(display, program):
    def words_of(environment):
        result = subprocess.run([program, "view", "hang"], env=environment, capture_output=True, text=True,
                                timeout=60, check=False)
        assert result.returncode == 5, result
        return result.stderr

    nowhere = dict(display.environment, DISPLAY=":31999")
    assert "muslin render works without one" in words_of(nowhere)
    old = dict(display.environment, MESA_GL_VERSION_OVERRIDE="2.1", MESA_GLSL_VERSION_OVERRIDE="120")
    assert "needs OpenGL 3.3, the display has 2.1" in words_of(old)


ON_ONE_SCENE = [test_dragging_the_ball_moves_cloth, test_a_vertex_follows_the_mouse,
                test_gravity_and_wind_are_switched, test_wireframe_shows,
                test_the_solver_is_switched_on_the_same_cloth, test_a_key_pins_and_unpins,
                test_saving_the_file_reloads_it, test_every_method_has_a_key, test_undo_and_redo]
ON_THEIR_OWN = [test_the_camera_follows_falling_cloth, test_the_lasso_pins_and_the_file_keeps_its_comments,
                test_a_drape_that_meets_things_is_refused_in_a_sentence,
                test_solvers_side_by_side, test_twice_the_pixels_show_the_same_window, test_closing_while_recording_keeps_the_film,
                test_without_ffmpeg_the_viewer_goes_on, test_keys_of_scenes_do_nothing_in_the_gallery,
                test_failures_have_words]


def run_on_a_new_scene(test, display, program):
    with temporary_folder() as folder:
        session = Session(display, program, folder)
        try:
            test(session)
            session.end()
        finally:
            session.viewer.process.kill()


def main():
    program, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    absent = missing_tools()
    if absent:
        print(f"skipped: there is no {' and no '.join(absent)} (scripts/setup installs them)")
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    failed = 0
    with Display() as display:
        for test in ON_ONE_SCENE + ON_THEIR_OWN:
            if wanted and test.__name__ not in wanted:
                continue
            began = time.monotonic()
            try:
                if test in ON_ONE_SCENE:
                    run_on_a_new_scene(test, display, program)
                else:
                    test(display, program)
                verdict = "ok"
            except Exception:  # a test that fails must not keep the others from running
                traceback.print_exc()
                verdict, failed = "FAILED", failed + 1
            print(f"{test.__name__}: {verdict}, {time.monotonic() - began:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
