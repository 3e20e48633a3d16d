"""The add-on on a cloth that is turned and moved, over a ball that moves: blender -b --python blender_bakes.py -- MUSLIN OUT

BLENDER_USER_SCRIPTS names a folder with addons/muslin_cloth.py.

The vertices that Blender shows at frames 0, 10 and 30 are held against the OBJ frames of the same scene.json.
"""
import os
import subprocess
import sys
import time

import addon_utils
import bpy
import numpy

MUSLIN, OUT = (os.path.abspath(word) for word in sys.argv[sys.argv.index("--") + 1:])
TOLERANCE = 1e-6  # [m]


def make_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon = addon_utils.enable("muslin_cloth", default_set=True)
    bpy.context.preferences.addons["muslin_cloth"].preferences.program = MUSLIN
    scene = bpy.context.scene
    scene.frame_start, scene.render.fps = 0, 60
    bpy.ops.mesh.primitive_ico_sphere_add(radius=0.2, subdivisions=3, location=(0, 0, 0.4))
    ball = bpy.context.object
    ball.keyframe_insert("location", frame=0)
    ball.location.x = 0.1
    ball.keyframe_insert("location", frame=30)
    balls = bpy.data.collections.new("bodies")
    scene.collection.children.link(balls)
    balls.objects.link(ball)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=15, y_subdivisions=15, size=0.8, location=(0.05, 0, 0.63), rotation=(0, 0, 0.5))
    cloth = bpy.context.object
    corner = cloth.vertex_groups.new(name="corner")
    corner.add([0], 1.0, "REPLACE")
    cloth.muslin.pins, cloth.muslin.colliders, cloth.muslin.frames = "corner", balls, 30
    cloth.muslin.wind = (1, 0, 0)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(OUT, "scene.blend"))
    return addon, cloth


def shown(thing):
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", places)
    return places.reshape(-1, 3).astype(float)


def refuses(cloth, words):
    try:
        bpy.ops.muslin.bake()
    except RuntimeError as error:  # Blender's form of a report of an error
        assert words in str(error), error
        return
    raise AssertionError("the add-on should have said: " + words)


def cancels(addon, cloth):
    """What was done before the end stays."""
    cloth.muslin.frames = 1000
    bake = addon.Bake(bpy.context, cloth)
    while bake.frame() < 2:
        assert bake.process.poll() is None
        time.sleep(0.05)
    bake.cancel()
    bake.finish(bpy.context)
    assert 2 <= bake.frame() < 1000, bake.frame()
    cloth.muslin.frames = 30


def main():
    addon, cloth = make_scene()
    preferences = bpy.context.preferences.addons["muslin_cloth"].preferences
    preferences.program = "no_such_program"
    refuses(cloth, "'no_such_program' is not found")
    preferences.program = MUSLIN
    cloth.muslin.pins = "collar"
    refuses(cloth, "no vertex group 'collar'")
    cloth.muslin.pins = "corner"
    cloth.scale = (2, 1, 1)
    bpy.context.view_layer.update()
    refuses(cloth, "apply its scale")
    cloth.scale = (1, 1, 1)
    bpy.context.view_layer.update()
    cancels(addon, cloth)
    assert bpy.ops.muslin.bake() == {"FINISHED"}
    folder = addon.bake_folder(cloth)
    subprocess.run([MUSLIN, "run", os.path.join(folder, "scene.json"), "--out", os.path.join(OUT, "frames"), "--force", "-q"],
                   check=True)
    worst = 0
    for frame in (0, 10, 30):
        bpy.context.scene.frame_set(frame)
        with open(os.path.join(OUT, "frames", "frame_%04d.obj" % frame), encoding="utf-8") as file:
            expected = numpy.array([line.split()[1:4] for line in file if line.startswith("v ")], float)
        found = shown(cloth)
        assert found.shape == expected.shape
        worst = max(worst, abs(found - expected).max())
    assert worst <= TOLERANCE, worst
    fall = (found[:, 2] - shown_at_start(cloth)).min()
    assert fall < -0.05, fall  # it fell, along the world's z
    print("blender %s: the add-on bakes, within %.2g m" % (bpy.app.version_string, worst))


def shown_at_start(cloth):
    bpy.context.scene.frame_set(0)
    return shown(cloth)[:, 2]


try:
    main()
except BaseException as error:  # Blender itself would end in 0
    print("blender: %s: %s" % (type(error).__name__, error), file=sys.stderr)
    sys.exit(1)
