#!/usr/bin/python3
"""What `muslin run --format` and `muslin convert` write, read by struct and numpy and held against the OBJ frames.

usage: formats_test.py MUSLIN
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import numpy

try:
    import h5py
except ImportError:
    h5py = None

MUSLIN = sys.argv.pop(1)
FRAMES = 5  # after frame 0
SERIES = "pc2,mdd,glb,usda,npz,vtp"
FILES = ["colliders.mdd", "colliders.obj", "colliders.pc2", "run.glb", "run.mdd", "run.npz", "run.obj", "run.pc2", "run.pvd",
         "run.usda"]
SCENE = {
    "frames": FRAMES, "frame_time": 0.02, "solver": {"family": "quasi_newton"},
    "cloths": [
        {"name": "sheet", "colour": "#ff0080", "grid": {"points": [5, 4], "size": [0.4, 0.3]},
         "pins": [{"grid": [[0, 0], [-1, 0]], "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [0, 0.5, 0]}]}}]},
        {"name": "two quads", "mesh": {"file": "quads.obj", "translation": [2, 0, 0]}},
    ],
    "colliders": [
        {"name": "ball", "shape": "sphere", "radius": 0.1, "center": [0.2, -0.3, 0.1], "colour": "#00ff00",
         "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [0.3, 0, 0], "rotation": [0, 0, 400]}]}},
        {"name": "floor", "shape": "plane", "center": [0, -1, 0]},
        {"name": "body", "shape": "mesh", "center": [0, 3, 0], "mesh": {"file": "tetrahedron.obj"},
         "frames": {"file": "breathing.pc2", "interval": 0.02}},
    ],
}
# A ball that is led below a floor: cloth between them stops it (docs/contact.md).
SQUEEZE = {
    "frames": 16, "solver": {"family": "quasi_newton"}, "self_collision": {"enabled": True, "distance": 0.009},
    "cloths": [{"grid": {"points": [13, 13], "size": [0.4, 0.4], "origin": [-0.2, 0.01, -0.2]}}],
    "colliders": [{"name": "ball", "shape": "sphere", "center": [0, 0.23, 0], "radius": 0.2,
                   "motion": {"keyframes": [{"time": 0}, {"time": 0.2, "offset": [0, -0.1, 0]}, {"time": 0.4}]}},
                  {"name": "floor", "shape": "plane"}],
}
QUADS = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nf 4 3 2 1\nf 3 6 5 2\n"
TETRAHEDRON = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def obj_vertices(path):
    with open(path, encoding="utf-8") as file:
        return numpy.array([line.split()[1:4] for line in file if line.startswith("v ")], float)


def obj_faces(path):
    with open(path, encoding="utf-8") as file:
        return [[int(corner.split("/")[0]) - 1 for corner in line.split()[1:]] for line in file if line.startswith("f ")]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_pc2(path):
    content = read(path)
    signature, version, points, first, step, samples = struct.unpack("<12siiffi", content[:32])
    assert (signature, version, first, step) == (b"POINTCACHE2\0", 1, 0, 1)
    return numpy.frombuffer(content, "<f4", offset=32).reshape(samples, points, 3)


def read_mdd(path):
    content = read(path)
    frames, points = struct.unpack(">ii", content[:8])
    times = numpy.frombuffer(content, ">f4", frames, 8)
    return times, numpy.frombuffer(content, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)


class Glb:
    """Of a binary glTF what the tests need: accessors with sparse ones filled in, and meshes at a frame."""

    def __init__(self, path):
        content = read(path)
        magic, version, length, size, kind = struct.unpack("<4sIII4s", content[:20])
        assert (magic, version, length, kind) == (b"glTF", 2, len(content), b"JSON")
        self.json = json.loads(content[20:20 + size])
        binary_size, kind = struct.unpack("<I4s", content[20 + size:28 + size])
        assert kind == b"BIN\0" and 28 + size + binary_size == len(content) == length
        self.binary = content[28 + size:]

    def numbers(self, view, component, count, width, offset=0):
        view = self.json["bufferViews"][view]
        kind = {5126: "<f4", 5125: "<u4"}[component]
        return numpy.frombuffer(self.binary, kind, count * width, view["byteOffset"] + offset).reshape(count, width)

    def accessor(self, number):
        a = self.json["accessors"][number]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[a["type"]]
        if "bufferView" in a:
            return self.numbers(a["bufferView"], a["componentType"], a["count"], width, a.get("byteOffset", 0))
        values = numpy.zeros((a["count"], width), "f4")
        s = a["sparse"]
        places = self.numbers(s["indices"]["bufferView"], 5125, s["count"], 1)[:, 0]
        values[places] = self.numbers(s["values"]["bufferView"], 5126, s["count"], width)
        return values

    def channel(self, node, path):
        for channel in self.json["animations"][0]["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                return self.accessor(self.json["animations"][0]["samplers"][channel["sampler"]]["output"])
        return None

    def vertices(self, node, frame):
        """Where the mesh of a node is in the node's own frame."""
        primitive = self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"][0]
        places = self.accessor(primitive["attributes"]["POSITION"]).astype(float)
        weights = self.channel(node, "weights")
        if weights is not None:
            for weight, target in zip(weights.reshape(FRAMES + 1, -1)[frame], primitive["targets"]):
                places = places + weight * self.accessor(target["POSITION"])
        return places


def usd_meshes(path):
    """name -> {frame: vertices} and {frame: matrix}; a frame "" is what does not change."""
    text = read(path).decode()
    meshes = {}
    for name, block in re.findall(r'def Mesh "(\w+)"\n    \{\n(.*?)\n    \}\n', text, re.S):
        meshes[name] = {}
        for attribute, key in (("point3f[] points", "points"), ("matrix4d xformOp:transform", "pose")):
            found = re.search(re.escape(attribute) + r"\.timeSamples = \{\n(.*?)\n        \}", block, re.S)
            lines = [line.strip().rstrip(",").split(": ", 1) for line in found[1].split("\n")] if found else []
            single = re.search(re.escape(attribute) + r" = (.*)", block)
            if single:
                lines = [["-1", single[1]]]
            width = 3 if key == "points" else 4
            meshes[name][key] = {
                int(frame): numpy.array(re.findall(r"[-+.\de]+", value), float).reshape(-1, width) for frame, value in lines}
    return meshes


def vtp_arrays(path):
    content = read(path)
    head, raw = content.split(b'<AppendedData encoding="raw">\n_', 1)
    kinds = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int8": "i1"}
    arrays = {}
    for kind, name, width, offset in re.findall(
            rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>', head):
        (size,) = struct.unpack_from("<Q", raw, int(offset))
        values = numpy.frombuffer(raw, kinds[kind.decode()], size // numpy.dtype(kinds[kind.decode()]).itemsize, int(offset) + 8)
        arrays[name.decode()] = values.reshape(-1, int(width)) if int(width) > 1 else values
    return arrays


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        cls.write("scene.json", json.dumps(SCENE).encode())
        cls.write("quads.obj", QUADS.encode())
        cls.write("tetrahedron.obj", "".join("v %g %g %g\n" % tuple(v) for v in TETRAHEDRON).encode() + FACES.encode())
        samples = numpy.stack([TETRAHEDRON * (1 + 0.1 * k) for k in range(FRAMES + 1)]).astype("<f4")
        cls.write("breathing.pc2", struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 4, 0, 1, FRAMES + 1) + samples.tobytes())
        cls.muslin("run", "scene.json", "--out", "run", "--format", "obj," + SERIES, "-q")
        cls.truth = [obj_vertices(cls.path("run", "frame_%04d.obj" % k)) for k in range(FRAMES + 1)]
        cls.vertices = len(cls.truth[0])

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def path(cls, *parts):
        return os.path.join(cls.folder, *parts)

    @classmethod
    def write(cls, name, content):
        with open(cls.path(name), "wb") as file:
            file.write(content)

    @classmethod
    def muslin(cls, *words, code=0):
        done = subprocess.run([MUSLIN, *words], cwd=cls.folder, capture_output=True, text=True)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def near(self, found, expected):
        """To the rounding of single precision."""
        found, expected = numpy.asarray(found, float), numpy.asarray(expected, float)
        self.assertEqual(found.shape, expected.shape)
        numpy.testing.assert_allclose(found, expected, rtol=2e-7, atol=2e-7)

    def ball_moves(self, frame):
        return numpy.array([0.2 + 0.3 * frame * 0.02, -0.3, 0.1])

    def body(self, frame):
        return TETRAHEDRON * (1 + 0.1 * frame)

    def test_cloth_moved(self):
        self.assertGreater(abs(self.truth[-1] - self.truth[0]).max(), 1e-3)

    def test_point_caches(self):
        times, mdd = read_mdd(self.path("run", "run.mdd"))
        self.near(times, [0.02 * k for k in range(FRAMES + 1)])
        for cache in (read_pc2(self.path("run", "run.pc2")), mdd):
            self.assertEqual(len(cache), FRAMES + 1)
            for frame, expected in enumerate(self.truth):
                self.near(cache[frame], expected)
                self.assertEqual(cache[frame].astype("f4").tobytes(), expected.astype("f4").tobytes())
        self.near(obj_vertices(self.path("run", "run.obj")), self.truth[0])
        self.assertEqual(obj_faces(self.path("run", "run.obj")), obj_faces(self.path("run", "frame_0000.obj")))
        self.assertEqual(read(self.path("run", "run.obj")).count(b"\no ") + read(self.path("run", "run.obj")).startswith(b"o "), 1)

    def test_point_caches_of_colliders(self):
        caches = read_pc2(self.path("run", "colliders.pc2")), read_mdd(self.path("run", "colliders.mdd"))[1]
        mesh = obj_vertices(self.path("run", "colliders.obj"))
        for cache in caches:
            self.near(cache[0], mesh)
            ball = cache[:, :-7]  # then the plane's 3 and the body's 4
            for frame in range(FRAMES + 1):
                self.near(numpy.linalg.norm(ball[frame] - self.ball_moves(frame), axis=1), [0.1] * ball.shape[1])
                self.near(cache[frame][-7:-4, 1], [-1] * 3)
                self.near(cache[frame][-4:], self.body(frame) + [0, 3, 0])

    def test_glb(self):
        glb = Glb(self.path("run", "run.glb"))
        self.assertEqual([n["name"] for n in glb.json["nodes"]], ["sheet", "two quads", "ball", "floor", "body"])
        for frame, expected in enumerate(self.truth):
            self.near(numpy.concatenate([glb.vertices(0, frame), glb.vertices(1, frame)]), expected)
            self.near(glb.vertices(4, frame), self.body(frame))
            self.near(glb.channel(2, "translation")[frame], self.ball_moves(frame))
            half = numpy.radians(400 * 0.02 * frame) / 2
            self.near(glb.channel(2, "rotation")[frame], [0, 0, numpy.sin(half), numpy.cos(half)])
        self.assertEqual(glb.json["meshes"][0]["extras"]["pinned"], [0, 4])
        looks = [glb.json["materials"][mesh["primitives"][0]["material"]] for mesh in glb.json["meshes"]]
        self.assertEqual([look["name"] for look in looks], ["sheet", "cloth", "ball", "cloth", "cloth"])
        self.near(looks[0]["pbrMetallicRoughness"]["baseColorFactor"], [1, 0, 0.2158605, 1])  # linear: 0x80 is 21.6 % of white
        self.near(looks[2]["pbrMetallicRoughness"]["baseColorFactor"], [0, 1, 0, 1])

    def test_usda(self):
        meshes = usd_meshes(self.path("run", "run.usda"))
        self.assertEqual(list(meshes), ["sheet", "two_quads", "ball", "floor", "body"])
        for frame, expected in enumerate(self.truth):
            self.near(numpy.concatenate([meshes[m]["points"][frame] for m in ("sheet", "two_quads")]), expected)
            self.near(meshes["body"]["points"][frame], self.body(frame))
            self.near(meshes["ball"]["pose"][frame][3, :3], self.ball_moves(frame))
            angle = numpy.radians(400 * 0.02 * frame)
            self.near(meshes["ball"]["pose"][frame][0, :2], [numpy.cos(angle), numpy.sin(angle)])
        self.assertEqual(list(meshes["floor"]["points"]), [-1])
        colours = re.findall(r"displayColor = \[\((.*?)\)\]", read(self.path("run", "run.usda")).decode())
        self.near([[float(x) for x in colour.split(",")] for colour in colours], [[1, 0, 0.2158605], [0, 1, 0]])

    def test_npz(self):
        with numpy.load(self.path("run", "run.npz")) as arrays:
            self.assertEqual(arrays["positions"].tobytes(), numpy.stack(self.truth).tobytes())  # to the bit
            self.near(arrays["times"], [0.02 * k for k in range(FRAMES + 1)])
            self.assertEqual(list(arrays["pinned"]), [0, 4])
            self.assertEqual(list(arrays["cloth_first_vertex"]), [0, 20])
            self.assertEqual(arrays["triangles"].shape, (4 * 3 * 2 + 4, 3))
            self.assertEqual(arrays["triangles"].max(), self.vertices - 1)
            poses = arrays["collider_poses"]
            self.assertEqual(poses.shape, (FRAMES + 1, 3, 3, 4))
            for frame in range(FRAMES + 1):
                self.near(poses[frame, 0, :, 3], self.ball_moves(frame))
                self.near(arrays["collider_2_vertices"][frame], self.body(frame))
            self.assertEqual(arrays["collider_0_vertices"].shape[1], 3)

    def test_h5_is_npz(self):
        done = subprocess.run([MUSLIN, "run", "scene.json", "--out", "h5", "--format", "ply,h5", "-q"], cwd=self.folder,
                              capture_output=True, text=True)
        if "built without the HDF5 library" in done.stderr:
            self.skipTest("built without HDF5")
        self.assertEqual(done.returncode, 0, done.stderr)
        time.sleep(1.1)  # a file that had times in it would differ
        self.muslin("convert", "h5", "--to", "h5", "--out", "h5_again", "-q")
        self.assertEqual(read(self.path("h5", "run.h5")), read(self.path("h5_again", "run.h5")))
        if h5py is None:
            self.skipTest("h5py is not installed (Debian: python3-h5py)")
        with h5py.File(self.path("h5", "run.h5")) as sets, numpy.load(self.path("run", "run.npz")) as arrays:
            self.assertEqual(sorted(sets), sorted(arrays.files))
            for name in arrays.files:
                self.assertEqual(sets[name].dtype, arrays[name].dtype, name)
                numpy.testing.assert_array_equal(sets[name][()], arrays[name], name)

    def test_glb_and_usda_are_meshes_again(self):
        for name in "run.glb", "run.usda":
            said = self.muslin("check", os.path.join("run", name))
            self.assertIn("objects: sheet, two quads, ball, floor, body" if name == "run.glb" else "objects: sheet, two_quads", said)
        scene = dict(SCENE, cloths=[{"mesh": {"file": "run/run.glb", "object": "sheet"}}], frames=0,
                     colliders=[dict(SCENE["colliders"][2], mesh={"file": "run/run.glb", "object": "body"})])
        del scene["colliders"][0]["frames"], scene["colliders"][0]["center"]
        self.write("again.json", json.dumps(scene).encode())
        self.muslin("run", "again.json", "--out", "glb_again", "-q")
        self.near(obj_vertices(self.path("glb_again", "frame_0000.obj")), self.truth[0][:20])

    def test_vtp(self):
        names = re.findall(r'<DataSet timestep="([^"]*)" file="([^"]*)"/>', read(self.path("run", "run.pvd")).decode())
        self.assertEqual([file for _, file in names], ["frame_%04d.vtp" % k for k in range(FRAMES + 1)])
        self.near([float(t) for t, _ in names], [0.02 * k for k in range(FRAMES + 1)])
        for frame, (_, file) in enumerate(names):
            arrays = vtp_arrays(self.path("run", file))
            n = self.vertices
            self.assertEqual(arrays["Points"][:n].tobytes(), self.truth[frame].tobytes())
            self.near(arrays["Points"][-4:], self.body(frame) + [0, 3, 0])
            for name in ("velocity", "strain", "elastic_energy", "gap"):
                self.assertTrue(numpy.isfinite(arrays[name][:n]).all(), name)
                self.assertTrue(numpy.isnan(arrays[name][n:]).all(), name)
            self.assertEqual(list(numpy.nonzero(arrays["pinned"])[0]), [0, 4])
            ends = numpy.concatenate([[0], arrays["offsets"]])
            faces = [list(arrays["connectivity"][a:b]) for a, b in zip(ends, ends[1:])]
            self.assertEqual([f for f in faces if max(f) < n], obj_faces(self.path("run", "frame_0000.obj")))
        # What pins do, the solver's velocity says; a free fall is as fast as it is long.
        self.near(arrays["velocity"][0], [0, 0.5, 0])
        gap = numpy.linalg.norm(self.truth[FRAMES][:20] - self.ball_moves(FRAMES), axis=1) - 0.1
        self.assertLess(abs(arrays["gap"][:20] - gap).max(), 0.01)  # less half a thickness

    def test_vtp_energy(self):
        record = json.loads(read(self.path("run", "run.json")))
        arrays = vtp_arrays(self.path("run", "frame_%04d.vtp" % FRAMES))
        area = numpy.zeros(self.vertices)  # at rest: as the cloth starts
        x = self.truth[0]
        for a, b, c in [[f[0], *f[k:k + 2]] for f in obj_faces(self.path("run", "frame_0000.obj")) for k in range(1, len(f) - 1)]:
            area[[a, b, c]] += numpy.linalg.norm(numpy.cross(x[b] - x[a], x[c] - x[a])) / 6
        total = (arrays["elastic_energy"][:self.vertices] * area).sum()
        self.assertAlmostEqual(total / record["frames"][FRAMES]["elastic_energy"], 1, delta=0.02)

    def test_convert_gives_the_same_bytes(self):
        self.muslin("run", "scene.json", "--out", "ply", "--format", "ply", "-q")
        self.muslin("convert", "ply", "--to", "obj," + SERIES, "--out", "converted", "-q")
        for name in FILES + ["frame_0003.obj"]:
            self.assertEqual(read(self.path("converted", name)), read(self.path("run", name)), name)
        self.assertEqual(vtp_arrays(self.path("converted", "frame_0003.vtp"))["Points"].tobytes(),
                         vtp_arrays(self.path("run", "frame_0003.vtp"))["Points"].tobytes())
        self.assertIn("exists already", self.muslin("convert", "ply", "--to", "pc2", "--out", "converted", code=5))
        self.muslin("convert", "ply", "--to", "pc2", "--out", "converted", "--force")
        self.assertIn("another folder", self.muslin("convert", "ply", "--to", "pc2", "--out", "ply", code=3))

    def test_islands_of_texture_stay_apart(self):
        # Two quads side by side, each with the whole picture: the vertices between them have two texture coordinates.
        texture = [(0, 0), (0, 1), (1, 1), (1, 0)]
        obj = "".join("v %g %g %g\n" % v for v in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1), (2, 0, 0), (2, 0, 1)])
        obj += "".join("vt %g %g\n" % uv for uv in texture) + "f 1/1 4/2 3/3 2/4\nf 2/1 3/2 6/3 5/4\n"
        self.write("islands.obj", obj.encode())
        body = {"name": "body", "shape": "mesh", "mesh": {"file": "closed.obj", "translation": [0, -9, 0]}}
        sides = "".join("f %s\n" % " ".join(f"{v}/{k + 1}" for k, v in enumerate(face)) for face in
                        ([1, 3, 2], [1, 2, 4], [1, 4, 3], [2, 3, 4]))
        self.write("closed.obj", ("".join("v %g %g %g\n" % tuple(v) for v in TETRAHEDRON) + "vt 0 0\nvt 0 1\nvt 1 1\n" +
                                  sides).encode())
        scene = {"frames": FRAMES, "cloths": [{"name": "islands", "mesh": {"file": "islands.obj"}}], "colliders": [body]}
        self.write("islands.json", json.dumps(scene).encode())
        self.muslin("run", "islands.json", "--out", "islands", "--format", "obj,glb,usda", "-q")
        fans = [texture[k] for face in range(2) for k in (0, 1, 2, 0, 2, 3)]
        glb = Glb(self.path("islands", "run.glb"))
        for node, triangles in ((0, fans), (1, texture[:3] * 4)):
            primitive = glb.json["meshes"][node]["primitives"][0]
            uv = glb.accessor(primitive["attributes"]["TEXCOORD_0"])[glb.accessor(primitive["indices"])[:, 0]]
            self.near(numpy.column_stack([uv[:, 0], 1 - uv[:, 1]]), triangles)
        for frame in range(FRAMES + 1):
            truth = obj_vertices(self.path("islands", "frame_%04d.obj" % frame))
            found = glb.vertices(0, frame)
            self.near(found[:6], truth)
            self.assertEqual(len(found), 8)  # two have a copy
            self.near(found[6:], truth[[1, 2]])
        self.assertIn("10 vertices, 8 triangles", self.muslin("check", os.path.join("islands", "run.glb")))  # sewn again
        found = re.findall(r"primvars:st = \[(.*?)\] \(\s*interpolation = \"(\w+)\"", read(self.path("islands", "run.usda")).decode())
        for (values, interpolation), expected in zip(found, (texture * 2, texture[:3] * 4)):
            self.assertEqual(interpolation, "faceVarying")
            self.near(numpy.array(re.findall(r"[\d.]+", values), float).reshape(-1, 2), expected)
        self.assertEqual(len(found), 2)

    def peak(self, *words):
        """The most memory that a command takes at a time [bytes]: of the only child of a process that is itself small, as
        Linux counts what a child was before it became another program."""
        code = ("import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], check=True)\n"
                "print(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", code, MUSLIN, *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout)

    def test_memory_does_not_grow_with_frames(self):
        if b"__asan_init" in read(MUSLIN):
            self.skipTest("AddressSanitizer keeps memory that was freed")
        scene = {"cloths": [{"grid": {"points": [2, 2]}}], "solver": {"family": "position"}}
        self.write("small.json", json.dumps(scene).encode())
        peaks = {}
        for frames in (100, 20000):
            run, other = f"long_{frames}", f"long_{frames}_again"
            peaks[frames] = [
                self.peak("run", "small.json", "--frames", str(frames), "--format", "pc2", "--out", run, "-q"),
                self.peak("convert", run, "--to", "pc2,mdd,npz", "--out", other, "-q")]
            self.assertEqual(read(self.path(run, "run.pc2")), read(self.path(other, "run.pc2")))
        text = os.path.getsize(self.path("long_20000", "run.json"))
        for few, many in zip(*peaks.values()):
            self.assertLess(many - few, text / 8)  # it has what every frame reports

    def test_record_and_judge(self):
        record = json.loads(read(self.path("run", "run.json")))
        self.assertEqual(sorted(record["series"]), FILES)
        self.muslin("run", "scene.json", "--out", "cache", "--format", "pc2", "-q")
        self.assertIn("frames              6", self.muslin("check-frames", "cache"))
        self.muslin("convert", "cache", "--to", "obj", "--out", "from_cache", "-q")
        self.near(obj_vertices(self.path("from_cache", "frame_0004.obj")), self.truth[4])
        content = bytearray(read(self.path("cache", "run.pc2")))
        content[-1] ^= 1
        self.write(os.path.join("cache", "run.pc2"), bytes(content))
        self.assertIn("run.pc2", self.muslin("check-frames", "cache", code=3))
        for place, word in ((0, "POINTCACHE2"), (12, "version 1"), (16, "must have at least one point"), (28, "bytes for")):
            broken = bytearray(content)
            broken[place:place + 4] = b"\xff\xff\xff\x7f"
            self.write(os.path.join("cache", "run.pc2"), bytes(broken))
            self.assertIn(word, self.muslin("check-frames", "cache", code=3))
        self.write(os.path.join("cache", "run.pc2"), bytes(content[:-5]))
        self.assertIn("bytes for", self.muslin("check-frames", "cache", code=3))
        self.muslin("run", "scene.json", "--out", "sealed", "--format", "glb", "-q")
        self.assertIn("run.pc2, found no frame that can be read", self.muslin("check-frames", "sealed", code=5))

    def test_resume_gives_the_same_bytes(self):
        words = "run", "scene.json", "--out", "resumed", "--checkpoint", "1"
        self.assertIn("needs --format ply", self.muslin(*words, "--format", "pc2", code=2))
        process = subprocess.Popen([MUSLIN, *words, "--set", "frames=2000", "--format", "ply," + SERIES, "-q"],
                                   cwd=self.folder)
        def saved():  # the frames of saved states, of which only the last two are kept
            names = os.listdir(self.path("resumed")) if os.path.isdir(self.path("resumed")) else []
            return [int(name[11:15]) for name in names if re.fullmatch(r"checkpoint_\d{4}\.state", name)]

        while max(saved(), default=0) < 2:
            time.sleep(0.01)
            self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        frames = max(saved()) + 40
        for name in FILES:
            self.assertFalse(os.path.exists(self.path("resumed", name)), name)  # half a file is none
        record = json.loads(read(self.path("resumed", "run.json")))
        record["scene"]["frames"] = frames
        self.write(os.path.join("resumed", "run.json"), json.dumps(record).encode())
        self.muslin("run", "--resume", "resumed", "-q")
        self.muslin("run", "scene.json", "--out", "straight", "--frames", str(frames), "--format", SERIES, "-q")
        for name in FILES:
            self.assertEqual(read(self.path("resumed", name)), read(self.path("straight", name)), name)
        left = [name for name in os.listdir(self.path("resumed")) if name.endswith(".tmp")]
        self.assertEqual(left, [])

    def test_blocked_colliders_are_where_they_were(self):
        self.write("squeeze.json", json.dumps(SQUEEZE).encode())
        formats = "pc2,glb,usda,npz"
        self.muslin("run", "squeeze.json", "--out", "squeeze", "--checkpoint", "6", "--format", "ply,vtp," + formats, "-q")
        rows = json.loads(read(self.path("squeeze", "run.json")))["frames"]
        told = {row["frame"]: row["blocked_bodies"][0] for row in rows if "blocked_bodies" in row}
        self.assertGreater(len(told), 5)
        self.assertEqual(sorted(told), [row["frame"] for row in rows if row["blocked"] > 0])
        cloth, colliders = read_pc2(self.path("squeeze", "run.pc2")), read_pc2(self.path("squeeze", "colliders.pc2"))
        arrays = numpy.load(self.path("squeeze", "run.npz"))
        lost = 0  # [m] how far the ball would reach through the cloth where its motion has it
        for frame, row in enumerate(rows):
            ball = colliders[frame, :-3].astype(float)
            center = (ball.min(0) + ball.max(0)) / 2
            nearest = numpy.linalg.norm(cloth[frame] - center, axis=1).min()
            self.assertGreater(nearest, 0.2 - 1e-6, frame)  # nothing of the cloth is in the ball
            numpy.testing.assert_allclose(arrays["collider_poses"][frame, 0, :, 3], center, atol=1e-6)
            self.assertGreater(ball[:, 1].min(), -1e-6)  # nor is the ball below the floor
            wanted = numpy.array([0, 0.23 - 0.1 * min(row["time"], 0.4 - row["time"]) / 0.2, 0])
            numpy.testing.assert_allclose(numpy.linalg.norm(center - wanted), row["blocked"], atol=1e-6)
            lost = max(lost, 0.2 - numpy.linalg.norm(cloth[frame] - wanted, axis=1).min())
            if frame in told:
                numpy.testing.assert_allclose(told[frame]["translation"], center, atol=1e-6)
        self.assertGreater(lost, 0.05)
        # Frames and run.json are enough: converted and resumed, the files have the same bytes
        series = ["run.pc2", "colliders.pc2", "run.glb", "run.usda", "run.npz"]
        self.muslin("convert", "squeeze", "--to", "vtp," + formats, "--out", "squeeze_converted", "-q")
        record = json.loads(read(self.path("squeeze", "run.json")))
        points = [vtp_arrays(self.path(folder, "frame_0012.vtp"))["Points"] for folder in ("squeeze", "squeeze_converted")]
        self.assertEqual(points[0].tobytes(), points[1].tobytes())
        ball = points[0][13 * 13:-3]
        numpy.testing.assert_allclose((ball.min(0) + ball.max(0)) / 2, told[12]["translation"], atol=1e-9)
        expected = {name: read(self.path("squeeze", name)) for name in series}
        for name in series:
            self.assertEqual(read(self.path("squeeze_converted", name)), expected[name], name)
        record.update(outcome="interrupted", frames=record["frames"][:14])
        self.write(os.path.join("squeeze", "run.json"), json.dumps(record).encode())
        self.muslin("run", "--resume", "squeeze", "-q")
        for name in series:
            self.assertEqual(read(self.path("squeeze", name)), expected[name], name)
        # What a stranger wrote there is refused by its place
        for body in (7, [7], [{"collider": 0}], [{"collider": 1e20}], [{"collider": 0, "rotation": [], "translation": [0, 0, 0]}],
                     [{"collider": 0, "rotation": "x", "translation": None}]):
            record["frames"][3]["blocked_bodies"] = body
            self.write(os.path.join("squeeze", "run.json"), json.dumps(record).encode())
            self.assertRegex(self.muslin("convert", "squeeze", "--to", "obj", "--out", "refused", "-q", code=3), "run.json: frame 3: ")
        for collider in (-1, 99):
            record["frames"][3]["blocked_bodies"] = [{"collider": collider, "rotation": [[0] * 3] * 3, "translation": [0, 0, 0]}]
            self.write(os.path.join("squeeze", "run.json"), json.dumps(record).encode())
            self.muslin("convert", "squeeze", "--to", "vtp", "--out", "other", "--force", "-q")

    def test_force_removes_the_earlier_series(self):
        self.muslin("run", "scene.json", "--out", "again", "--format", "pc2,npz", "-q")
        self.assertIn("earlier run", self.muslin("run", "scene.json", "--out", "again", code=5))
        self.muslin("run", "scene.json", "--out", "again", "--format", "obj", "--force", "-q")
        self.assertEqual([name for name in os.listdir(self.path("again")) if name in FILES], [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
