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
from mathutils import Vector

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
    cloth.muslin.start = 0
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


def names_of_folders(addon, cloth):
    """One of every file and object; the user's name in their place."""
    found, before, file = [], cloth.name, bpy.data.filepath
    for name in ("A.B", "A B", "a_b", "A_b", "A_B"):
        cloth.name = name
        assert cloth.name == name
        found.append(addon.bake_folder(cloth))
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(OUT, "other.blend"))
    found.append(addon.bake_folder(cloth))
    bpy.ops.wm.save_as_mainfile(filepath=file)
    cloth.muslin.cache = "kept"
    found.append(addon.bake_folder(cloth))
    assert os.path.basename(found[-1]) == "muslin_kept", found
    assert len({one.lower() for one in found}) == len(found), found
    cloth.name, cloth.muslin.cache = before, ""


def two_at_once(addon, cloth):
    """A second bake into the same folder is refused; the first one's progress stays its own."""
    first = addon.Bake(bpy.context, cloth)
    try:
        addon.Bake(bpy.context, cloth)
        raise AssertionError("two bakes wrote into one folder")
    except addon.Problem as problem:
        assert "is being baked" in str(problem), problem
    first.process.wait()
    first.finish(bpy.context)
    assert first.frame() == cloth.muslin.frames
    assert not [name for name in os.listdir(first.folder) if name.startswith("progress")]


def repairs(cloth):
    """Cloth that begins in the ball: the vertices are selected, and Repair bakes."""
    place = cloth.location.z
    cloth.location.z = 0.595
    refuses(cloth, "--repair")
    chosen = {v.index for v in cloth.data.vertices if v.select}
    inside = {v.index for v in cloth.data.vertices if (cloth.matrix_world @ v.co - Vector((0, 0, 0.4))).length < 0.2 - 2e-3}
    assert inside and inside <= chosen and len(chosen) < len(cloth.data.vertices) / 2, (inside, chosen)
    assert "selected" in cloth.muslin.refused
    assert bpy.ops.muslin.bake(repair=True) == {"FINISHED"}
    assert cloth.muslin.refused == ""
    cloth.location.z = place


def follows_rig(addon, cloth):
    """A pin that an armature carries is where the armature has it."""
    bpy.ops.object.armature_add(location=cloth.location)
    rig = bpy.context.object
    bone = rig.pose.bones[0]
    bone.keyframe_insert("location", frame=0)
    bone.location = (0.1, 0.2, 0)
    bone.keyframe_insert("location", frame=30)
    bpy.context.view_layer.objects.active = cloth
    cloth.vertex_groups.new(name=bone.name).add([0], 1.0, "REPLACE")
    cloth.modifiers.remove(cloth.modifiers["Muslin"])
    cloth.modifiers.new("Subdivision", "SUBSURF").show_viewport = False
    armature = cloth.modifiers.new("Rig", "ARMATURE")
    armature.object = rig
    bpy.ops.object.modifier_move_to_index(modifier="Rig", index=0)
    bpy.context.scene.frame_set(15)
    carried = shown(cloth)[0]
    assert any("Rig" in words for words in addon.ignored(cloth))
    assert bpy.ops.muslin.bake() == {"FINISHED"}
    assert [one.name for one in cloth.modifiers] == ["Rig", "Muslin", "Subdivision"]
    bpy.context.scene.frame_set(15)
    off = abs(shown(cloth)[0] - carried).max()
    assert off < TOLERANCE and abs(carried - numpy.array(cloth.data.vertices[0].co)).max() > 0.02, (off, carried)


def follows_collider(addon, cloth):
    """A pin that follows a collider keeps its place beside it; one that follows another object is refused."""
    rig = cloth.modifiers["Rig"]
    rig.show_viewport = False
    ball = cloth.muslin.colliders.objects[0]
    ball.keyframe_insert("rotation_euler", frame=0)
    ball.rotation_euler = (0.3, 0.2, 0.5)
    ball.keyframe_insert("rotation_euler", frame=30)
    cloth.muslin.follow = rig.object
    refuses(cloth, "is none of the colliders")
    cloth.muslin.follow = ball
    bpy.context.scene.frame_set(0)
    at_start = ball.matrix_world.inverted() @ cloth.matrix_world @ cloth.data.vertices[0].co
    assert bpy.ops.muslin.bake() == {"FINISHED"}
    for frame in (10, 30):
        bpy.context.scene.frame_set(frame)
        expected = cloth.matrix_world.inverted() @ ball.matrix_world @ at_start
        off = abs(shown(cloth)[0] - numpy.array(expected)).max()
        assert off < 10 * TOLERANCE, off  # places of the ball are floats
    cloth.muslin.follow = None


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
    names_of_folders(addon, cloth)
    two_at_once(addon, cloth)
    repairs(cloth)
    follows_rig(addon, cloth)
    follows_collider(addon, cloth)
    print("blender %s: the add-on bakes, within %.2g m" % (bpy.app.version_string, worst))


def shown_at_start(cloth):
    bpy.context.scene.frame_set(0)
    return shown(cloth)[:, 2]


try:
    main()
except BaseException as error:  # Blender itself would end in 0
    print("blender: %s: %s" % (type(error).__name__, error), file=sys.stderr)
    sys.exit(1)
