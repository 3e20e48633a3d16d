"""What Blender shows of a run, held against its OBJ frames: blender -b --python blender_reads.py -- RUN

RUN has frames 0 to 30 of one cloth as OBJ, run.obj, run.pc2, run.mdd and run.glb. Ends with a line a format, or in 1.
"""
import os
import sys

import addon_utils
import bpy
import numpy

if not hasattr(numpy, "bool"):  # Debian's Blender 3.4 imports glTF with a name that its NumPy 1.24 no longer has
    numpy.bool = bool

RUN = sys.argv[sys.argv.index("--") + 1]
FRAMES = 0, 10, 30
TOLERANCE = 1e-6  # [m]


def obj_vertices(name):
    with open(os.path.join(RUN, name), encoding="utf-8") as file:
        return numpy.array([line.split()[1:4] for line in file if line.startswith("v ")], float)


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 60


def shown(thing):
    """Vertices of an object after modifiers and shape keys, in its own frame."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", places)
    return places.reshape(-1, 3).astype(float)


def import_obj(name):
    bpy.ops.wm.obj_import(filepath=os.path.join(RUN, name))
    return bpy.context.selected_objects[0]


def with_cache(extension):
    empty_scene()
    thing = import_obj("run.obj")
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = extension.upper()
    cache.filepath = os.path.join(RUN, "run." + extension)
    cache.frame_start = 0
    return thing, lambda places: places


def with_glb():
    empty_scene()
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=os.path.join(RUN, "run.glb"))
    thing = next(one for one in bpy.data.objects if one.type == "MESH" and one.data.shape_keys)
    return thing, lambda places: places[:, [0, 2, 1]] * [1, 1, -1]  # it turned y up into z up


def judge(name, found, frame):
    expected = obj_vertices("frame_%04d.obj" % frame)
    assert found.shape == expected.shape, (name, found.shape, expected.shape)
    error = abs(found - expected).max()
    assert error <= TOLERANCE, "%s, frame %d: %g m off" % (name, frame, error)
    return error


def main():
    for name, load in (("pc2", lambda: with_cache("pc2")), ("mdd", lambda: with_cache("mdd")), ("glb", with_glb)):
        thing, as_ours = load()
        worst = 0
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            worst = max(worst, judge(name, as_ours(shown(thing)), frame))
        print("blender %s: %s, within %.2g m" % (bpy.app.version_string, name, worst))
    worst = 0
    for frame in FRAMES:
        empty_scene()
        worst = max(worst, judge("obj", shown(import_obj("frame_%04d.obj" % frame)), frame))
    print("blender %s: obj, within %.2g m" % (bpy.app.version_string, worst))


try:
    main()
except BaseException as error:  # Blender itself would end in 0
    print("blender: %s: %s" % (type(error).__name__, error), file=sys.stderr)
    sys.exit(1)
