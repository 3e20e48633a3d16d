#!/usr/bin/python3
"""Skinned glTF files as colliders that deform, held against numpy: their places in every frame of a run.

usage: skinned_test.py MUSLIN SCENES
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy

MUSLIN, SCENES = sys.argv.pop(1), sys.argv.pop(1)
NEAR = 1e-6  # [m]
TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


# --- a file, evaluated -----------------------------------------------------------------------------

class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        length = struct.unpack_from("<I", data, 12)[0]
        self.tree = json.loads(data[20:20 + length])
        self.data = data[28 + length:]

    def accessor(self, number):
        item = self.tree["accessors"][number]
        view = self.tree["bufferViews"][item["bufferView"]]
        width = WIDTHS[item["type"]]
        values = numpy.frombuffer(self.data, TYPES[item["componentType"]], item["count"] * width,
                                  view.get("byteOffset", 0) + item.get("byteOffset", 0)).reshape(-1, width)
        if item.get("normalized"):
            return values / numpy.iinfo(values.dtype).max
        return values.astype(float)

    def value(self, sampler, path, time):
        times = self.accessor(sampler["input"])[:, 0]
        values = self.accessor(sampler["output"])
        how = sampler.get("interpolation", "LINEAR")
        each = 3 if how == "CUBICSPLINE" else 1
        values = values.reshape(len(times), each, -1)
        if time <= times[0]:
            return values[0, each // 2]
        if time >= times[-1]:
            return values[-1, each // 2]
        k = int(numpy.searchsorted(times, time, side="right")) - 1
        if how == "STEP":
            return values[k, 0]
        length = times[k + 1] - times[k]
        t = (time - times[k]) / length
        a, b = values[k, each // 2], values[k + 1, each // 2]
        if how == "CUBICSPLINE":
            basis = numpy.array([[2, -2, 1, 1], [-3, 3, -2, -1], [0, 0, 1, 0], [1, 0, 0, 0]], float)
            points = numpy.stack([a, b, length * values[k, 2], length * values[k + 1, 0]])
            return numpy.array([t ** 3, t ** 2, t, 1]) @ basis @ points
        if path == "rotation":  # by the axis and angle of what leads from a to b
            a, b = a / numpy.linalg.norm(a), b / numpy.linalg.norm(b)
            if a @ b < 0:
                b = -b
            w = min(1.0, a @ b)
            across = b - w * a
            size = numpy.linalg.norm(across)
            if size < 1e-9:
                return a
            angle = math.atan2(size, w)
            return math.cos(t * angle) * a + math.sin(t * angle) * across / size
        return (1 - t) * a + t * b

    def places(self, time, animation):
        """Of all vertices, node after node as the scene has them."""
        nodes = [dict(node) for node in self.tree["nodes"]]
        for channel in animation["channels"]:
            target = channel["target"]
            nodes[target["node"]][target["path"]] = self.value(animation["samplers"][channel["sampler"]], target["path"],
                                                               time)
        parent = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}

        def local(node):
            if "matrix" in node:
                return numpy.array(node["matrix"]).reshape(4, 4).T
            matrix = numpy.eye(4)
            x, y, z, w = numpy.array(node.get("rotation", [0, 0, 0, 1])) / numpy.linalg.norm(node.get("rotation", [0, 0, 0, 1]))
            matrix[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                              [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                              [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
            matrix[:3, :3] *= numpy.array(node.get("scale", [1, 1, 1]))
            matrix[:3, 3] = node.get("translation", [0, 0, 0])
            return matrix

        def in_scene(n):
            return (in_scene(parent[n]) if n in parent else numpy.eye(4)) @ local(nodes[n])

        def visit(n):
            node = nodes[n]
            if "mesh" in node:
                yield self.part(node, in_scene(n), in_scene)
            for child in node.get("children", []):
                yield from visit(child)

        scene = self.tree["scenes"][self.tree.get("scene", 0)]
        return numpy.concatenate([part for n in scene["nodes"] for part in visit(n)])

    def part(self, node, placed, in_scene):
        mesh = self.tree["meshes"][node["mesh"]]
        places = []
        for primitive in mesh["primitives"]:
            x = self.accessor(primitive["attributes"]["POSITION"])
            weights = node.get("weights", mesh.get("weights", []))
            for weight, target in zip(weights, primitive.get("targets", [])):
                x = x + weight * self.accessor(target["POSITION"])
            x = numpy.concatenate([x, numpy.ones((len(x), 1))], axis=1)
            if "skin" not in node:
                places.append((x @ placed.T)[:, :3])
                continue
            skin = self.tree["skins"][node["skin"]]
            bind = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            moved = numpy.array([in_scene(j) @ b for j, b in zip(skin["joints"], bind)])
            joints, shares = (numpy.concatenate([self.accessor(primitive["attributes"][f"{kind}_{s}"])
                                                 for s in range(8) if f"{kind}_{s}" in primitive["attributes"]], axis=1)
                              for kind in ("JOINTS", "WEIGHTS"))
            shares = shares / shares.sum(axis=1)[:, None]
            places.append(numpy.einsum("vk,vkij,vj->vi", shares, moved[joints.astype(int)], x)[:, :3])
        return numpy.concatenate(places)


# --- a file, made up -------------------------------------------------------------------------------

class Writer:
    def __init__(self):
        self.data, self.views, self.accessors = bytearray(), [], []

    def add(self, values, kind, component, normalized=False):
        array = numpy.ascontiguousarray(values, TYPES[component])
        self.data.extend(b"\0" * (-len(self.data) % 4))
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes})
        self.data.extend(array.tobytes())
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "type": kind,
                               "count": array.size // WIDTHS[kind], "normalized": normalized})
        return len(self.accessors) - 1

    def write(self, path, tree):
        self.data.extend(b"\0" * (-len(self.data) % 4))
        tree = {"asset": {"version": "2.0"}, "scene": 0, "buffers": [{"byteLength": len(self.data)}],
                "bufferViews": self.views, "accessors": self.accessors} | tree
        text = json.dumps(tree).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(self.data)))
            file.write(struct.pack("<I", len(text)) + b"JSON" + text)
            file.write(struct.pack("<I", len(self.data)) + b"BIN\0" + self.data)


def made_up(path, seed):
    """Nine joints in a random tree, two skinned meshes and one that a node carries; every way of interpolation, morph
    targets, eight influences a vertex in one mesh, weights as bytes, shorts and floats."""
    draw = numpy.random.default_rng(seed)
    out = Writer()
    quaternion = lambda n: (lambda q: q / numpy.linalg.norm(q, axis=1)[:, None])(draw.normal(size=(n, 4)))
    count = 9
    nodes = [{"name": f"joint {j}", "translation": draw.normal(scale=0.2, size=3).tolist(),
              "rotation": quaternion(1)[0].tolist(), "scale": draw.uniform(0.8, 1.2, size=3).tolist()} for j in range(count)]
    for j in range(1, count):
        nodes[int(draw.integers(0, j))].setdefault("children", []).append(j)
    bind = [numpy.eye(4) + numpy.pad(draw.normal(scale=0.1, size=(3, 4)), ((0, 1), (0, 0))) for _ in range(count)]
    matrices = out.add(numpy.array([b.T for b in bind]), "MAT4", 5126)
    skins = [{"joints": list(range(count)), "inverseBindMatrices": matrices}]

    def mesh(sets, kind, with_targets):
        vertices = 12
        primitive = {"attributes": {"POSITION": out.add(draw.normal(scale=0.3, size=(vertices, 3)), "VEC3", 5126)},
                     "indices": out.add(numpy.arange(vertices), "SCALAR", 5123)}
        weights = draw.uniform(0, 1, size=(vertices, 4 * sets))
        if kind != 5126:
            most = numpy.iinfo(TYPES[kind]).max
            weights = numpy.floor(most * weights / weights.sum(axis=1)[:, None])
            weights[:, 0] += most - weights.sum(axis=1)
        else:
            weights /= weights.sum(axis=1)[:, None]
        for s in range(sets):
            joints = draw.integers(0, count, size=(vertices, 4))
            primitive["attributes"][f"JOINTS_{s}"] = out.add(joints, "VEC4", 5121)
            primitive["attributes"][f"WEIGHTS_{s}"] = out.add(weights[:, 4 * s:4 * s + 4], "VEC4", kind, kind != 5126)
        if with_targets:
            primitive["targets"] = [{"POSITION": out.add(draw.normal(scale=0.05, size=(vertices, 3)), "VEC3", 5126)}
                                    for _ in range(2)]
        return {"primitives": [primitive]} | ({"weights": [0.25, 0.5]} if with_targets else {})

    meshes = [mesh(1, 5121, True), mesh(2, 5126, False), mesh(1, 5123, False)]
    nodes += [{"name": "first", "mesh": 0, "skin": 0}, {"name": "second", "mesh": 1, "skin": 0, "translation": [5, 5, 5]},
              {"name": "carried", "mesh": 2}]
    nodes[3].setdefault("children", []).append(len(nodes) - 1)

    samplers, channels = [], []
    def animate(node, path, how):
        keys = int(draw.integers(2, 6))
        clock = numpy.cumsum(draw.uniform(0.05, 0.3, size=keys)) - 0.05
        values = {"rotation": lambda n: quaternion(n), "translation": lambda n: draw.normal(scale=0.2, size=(n, 3)),
                  "scale": lambda n: draw.uniform(0.8, 1.2, size=(n, 3)), "weights": lambda n: draw.uniform(0, 1, size=(n, 2))}[path]
        rows = values(keys)
        if how == "CUBICSPLINE":
            slopes = lambda: 0.3 * draw.normal(size=rows.shape)
            rows = numpy.stack([slopes(), rows, slopes()], axis=1)
        kind = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
        samplers.append({"input": out.add(clock, "SCALAR", 5126), "output": out.add(rows, kind, 5126), "interpolation": how})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

    for j in range(count):
        animate(j, "rotation", ["LINEAR", "STEP", "CUBICSPLINE"][j % 3])
        animate(j, ["translation", "scale"][j % 2], ["CUBICSPLINE", "LINEAR", "STEP"][j % 3])
    animate(count, "weights", "LINEAR")
    out.write(path, {"nodes": nodes, "meshes": meshes, "skins": skins,
                     "scenes": [{"nodes": [n for n in range(len(nodes)) if not any(n in m.get("children", []) for m in nodes)]}],
                     "animations": [{"name": "still", "channels": channels[:1], "samplers": samplers},
                                    {"name": "dance", "channels": channels, "samplers": samplers}]})


# --- runs ------------------------------------------------------------------------------------------

def collider_places(folder, frames, more=None, mesh=None, frame_time=0.04):
    """Runs a scene with body.glb and a cloth far from it: frames x vertices x 3."""
    scene = {"frame_time": frame_time, "frames": frames, "solver": {"family": "quasi_newton"},
             "cloths": [{"grid": {"points": [2, 2], "origin": [0, 100, 0]}}],
             "colliders": [{"name": "body", "shape": "mesh", "mesh": {"file": "body.glb"} | (mesh or {}),
                            "frames": {"file": "body.glb"} | (more or {})}]}
    path, out = os.path.join(folder, "scene.json"), os.path.join(folder, "out")
    with open(path, "w") as file:
        json.dump(scene, file)
    run = subprocess.run([MUSLIN, "run", path, "--format", "pc2", "--out", out, "--force"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    data = open(os.path.join(out, "colliders.pc2"), "rb").read()
    points, samples = struct.unpack_from("<I", data, 16)[0], struct.unpack_from("<I", data, 28)[0]
    return numpy.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3), run.stderr


class Skins(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "body.glb")

    def compare(self, places, glb, animation, times):
        worst = max(numpy.abs(places[k] - glb.places(t, animation)).max() for k, t in enumerate(times))
        self.assertLess(worst, NEAR)
        moved = max(numpy.abs(places[k] - places[0]).max() for k in range(len(times)))
        self.assertGreater(moved, 0.05)

    def test_made_up_files(self):
        for seed in range(6):
            made_up(self.file, seed)
            glb = Glb(self.file)
            dance = glb.tree["animations"][1]
            end = max(glb.accessor(s["input"])[-1, 0] for s in dance["samplers"])
            frames = 20
            places, _ = collider_places(self.folder.name, frames, {"animation": "dance"})
            samples = math.ceil(end / 0.04 - 1e-6)
            self.compare(places, glb, dance, [min(0.04 * min(k, samples), end) for k in range(frames + 1)])

    def test_start_and_speed(self):
        made_up(self.file, 7)
        glb = Glb(self.file)
        dance = glb.tree["animations"][1]
        places, _ = collider_places(self.folder.name, 8, {"animation": "dance", "start": 0.08, "speed": 0.5})
        self.compare(places, glb, dance, [max(0, 0.02 * (k - 2)) for k in range(9)])

    def test_the_mannequin_of_the_cape(self):
        with open(os.path.join(SCENES, "cape", "body.glb"), "rb") as source, open(self.file, "wb") as copy:
            copy.write(source.read())
        glb = Glb(self.file)
        places, _ = collider_places(self.folder.name, 90, frame_time=1 / 30)
        self.compare(places, glb, glb.tree["animations"][0], [k / 30 for k in range(91)])

    def test_an_animation_that_ends_is_told(self):
        made_up(self.file, 3)
        _, words = collider_places(self.folder.name, 100, {"animation": "dance"})
        self.assertIn('collider "body": its animation ends at', words)
        self.assertNotIn("left out", words)


if __name__ == "__main__":
    unittest.main()
