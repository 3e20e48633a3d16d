"""Files from anywhere, and programs that end in the middle: words, never a signal."""
import json
import os
import struct
import subprocess
import sys
import zlib

import pytest

import muslin

pictures = pytest.mark.skipif(not hasattr(muslin._native, "render"), reason="built without pictures")
OBJ = ("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 3/3 2/2\n")


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


BROKEN = {
    "no pixels": png(4, 4),
    "a chunk longer than the file": png(4, 4) + struct.pack(">I", 0xFFFFFF00) + b"IDAT",
    "cut in a chunk": (png(16, 16) + chunk(b"IDAT", zlib.compress(bytes(16 * 49))))[:-20],
    "huge": png(60000, 60000) + chunk(b"IDAT", b""),
}


@pictures
@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_picture_leaves_the_cloth_unpainted(tmp_path, what):
    (tmp_path / "m.obj").write_text(OBJ)
    scene = muslin.Scene(cloths=[{"mesh": {"file": "m.obj"}}], folder=tmp_path)
    unpainted = muslin.render(scene, size=(32, 32))
    (tmp_path / "m.mtl").write_text("newmtl a\nmap_Kd p.png\n")
    (tmp_path / "p.png").write_bytes(BROKEN[what])
    assert (muslin.render(scene, size=(32, 32)) == unpainted).all()


@pytest.mark.parametrize("record", ['{"scene": {"a": %s}}', '{"scene": {}, "frames": [{"frame": %s}]}', "%s"])
def test_a_record_that_nests_too_deep_is_refused(tmp_path, record):
    (tmp_path / "run.json").write_text(record % ("[" * 100000 + "]" * 100000))
    (tmp_path / "frame_0000.ply").write_text("")
    with pytest.raises(muslin.Error, match="nested deeper than 64 levels"):
        muslin.check_frames(tmp_path)


def test_a_sweep_that_nests_too_deep_is_refused(tmp_path):
    plan = {"scene": "hang", "frames": 1, "axes": [{"set": "seed", "values": [1, 2]}],
            "set": ["cloths/0/grid/points=[4,4]"]}
    folder = tmp_path / "sweep"
    muslin.sweep(plan, folder)
    result = folder / "results" / "000000.json"
    values = json.loads(result.read_text())
    values["figures"] = "DEEP"
    result.write_text(json.dumps(values).replace('"DEEP"', "[" * 100000 + "]" * 100000))
    with pytest.raises(muslin.Error, match="nested deeper than 64 levels"):
        muslin.sweep(plan, folder)


ENDS = """
import muslin, threading, time
scene = muslin.Scene(cloths=[{"grid": {"points": [60, 60]}}], solver={"family": "newton"})
begun = threading.Event()
def work():
    simulation = muslin.Simulation(scene)
    begun.set()
    while True:
        %s
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.2)
"""


@pytest.mark.parametrize("call", ["simulation.step()", "simulation.advance()", "muslin.Simulation(scene)", "simulation._native.check(False)"])
def test_a_program_may_end_while_daemon_threads_work(call):
    ended = subprocess.run([sys.executable, "-c", ENDS % call], capture_output=True, text=True, timeout=120, env=os.environ)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
