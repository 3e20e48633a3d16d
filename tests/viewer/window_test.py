#!/usr/bin/env python3
"""The viewer in a real window, under real keys and a real mouse.

usage: window_test.py PROGRAM [NAME OF A TEST]...

Looks at the log (`muslin view --log`) and at the pictures that the viewer writes. Needs Xvfb and xdotool;
without them it says so and exits with 77, which is a skipped test.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback

from display import Display, Viewer, differing_share, missing_tools, read_png, temporary_folder

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
    assert differing_share(picture, session.picture()) > 0.03


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
    share = differing_share(plain, wired)
    assert 0.005 < share < 0.5, f"{share} of the pixels differ"
    session.viewer.key("w", "wireframe off")
    assert differing_share(plain, session.picture()) < 0.001


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
                test_saving_the_file_reloads_it]
ON_THEIR_OWN = [test_solvers_side_by_side, test_closing_while_recording_keeps_the_film,
                test_without_ffmpeg_the_viewer_goes_on, test_failures_have_words]


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
