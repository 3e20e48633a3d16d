"""Muslin in Blender: a panel on a mesh object that simulates it as cloth and shows the result by a Mesh Cache modifier.

Install: Edit > Preferences > Add-ons > Install, this file; then name the program muslin in the add-on's preferences.

The run happens in the frame of the cloth object, in metres, with gravity as the scene has it. Colliders are meshes that are
written for every frame, so that whatever moves or deforms them in Blender does so in the run.
"""
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile

import bpy
from mathutils import Vector

bl_info = {
    "name": "Muslin cloth",
    "author": "Muslin's authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Physics > Muslin cloth",
    "description": "Cloth by the simulator Muslin",
    "category": "Physics",
}

MODIFIER = "Muslin"
FABRICS = ("cotton", "wool", "wool_lycra", "polyester", "silk", "cotton_light", "wool_coat", "canvas")
SOLVERS = (
    ("quasi_newton", "Quasi-Newton", "Solves every step; nothing passes through anything"),
    ("newton", "Newton", "Solves every step; keeps vertices alone apart and out of closed meshes"),
    ("xpbd", "XPBD", "Quick and inexact; keeps vertices alone out of closed meshes"),
)


class Problem(Exception):
    """What is wrong, and what to do."""


def named_items(names):
    return [(name, name.replace("_", " ").capitalize(), "") for name in names]


class MuslinSettings(bpy.types.PropertyGroup):
    fabric: bpy.props.EnumProperty(name="Fabric", items=named_items(FABRICS), default="cotton")
    pins: bpy.props.StringProperty(name="Pins", description="Vertex group: vertices with more than half weight are held")
    colliders: bpy.props.PointerProperty(name="Colliders", type=bpy.types.Collection,
                                         description="Mesh objects that cloth meets; closed, facing outwards")
    wind: bpy.props.FloatVectorProperty(name="Wind", subtype="VELOCITY", unit="VELOCITY", size=3)
    frames: bpy.props.IntProperty(name="Frames", default=60, min=1, max=100000,
                                  description="To simulate after the scene's first frame")
    solver: bpy.props.EnumProperty(name="Solver", items=SOLVERS, default="quasi_newton")
    progress: bpy.props.StringProperty()


class MuslinPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    program: bpy.props.StringProperty(name="Program", subtype="FILE_PATH", default="muslin",
                                      description="The program muslin: its path, or its name if the system finds it")

    def draw(self, context):
        self.layout.prop(self, "program")


# --- what Muslin reads -------------------------------------------------------------------------------------

def program_path(context):
    addon = context.preferences.addons.get(__name__)
    wanted = bpy.path.abspath(addon.preferences.program) if addon else "muslin"
    found = shutil.which(wanted)
    if not found:
        raise Problem("The program '%s' is not found: name it in Preferences > Add-ons > Muslin cloth" % wanted)
    return found


def rigid_inverse(thing):
    """From the world into the frame of an object without scale."""
    if any(abs(scale - 1) > 1e-5 for scale in thing.matrix_world.to_scale()):
        raise Problem("%s is scaled: apply its scale (Ctrl+A > Scale)" % thing.name)
    return thing.matrix_world.inverted()


def write_obj(path, vertices, faces):
    with open(path, "w", encoding="utf-8") as file:
        for vertex in vertices:
            file.write("v %.9g %.9g %.9g\n" % tuple(vertex))
        for face in faces:
            file.write("f %s\n" % " ".join(str(v + 1) for v in face))


def faces_of(mesh):
    return [tuple(polygon.vertices) for polygon in mesh.polygons]


def pinned_vertices(thing, name):
    if not name:
        return []
    group = thing.vertex_groups.get(name)
    if group is None:
        raise Problem("%s has no vertex group '%s': choose another one for the pins" % (thing.name, name))
    return [vertex.index for vertex in thing.data.vertices
            if any(entry.group == group.index and entry.weight > 0.5 for entry in vertex.groups)]


def write_colliders(context, thing, folder, frames, interval):
    """Meshes and point caches of all colliders in the cloth's frame; returns their part of the scene."""
    settings = thing.muslin
    things = [one for one in (settings.colliders.all_objects if settings.colliders else ()) if one.type == "MESH" and one != thing]
    scene, first = context.scene, context.scene.frame_start
    shapes = {one.name: [] for one in things}
    faces = {}
    for frame in range(first, first + frames + 1):
        scene.frame_set(frame)
        graph = context.evaluated_depsgraph_get()
        into = rigid_inverse(thing)
        for one in things:
            evaluated = one.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            matrix = into @ evaluated.matrix_world
            shapes[one.name].append([matrix @ vertex.co for vertex in mesh.vertices])
            faces.setdefault(one.name, faces_of(mesh))
            evaluated.to_mesh_clear()
    return [write_collider(folder, number, one.name, shapes[one.name], faces[one.name], interval)
            for number, one in enumerate(things)]


def write_collider(folder, number, name, shapes, faces, interval):
    if len({len(shape) for shape in shapes}) != 1:
        raise Problem("%s has more vertices in some frames than in others: take off the modifier that does so" % name)
    write_obj(os.path.join(folder, "collider_%d.obj" % number), shapes[0], faces)
    with open(os.path.join(folder, "collider_%d.pc2" % number), "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(shapes[0]), 0, 1, len(shapes)))
        for shape in shapes:
            for vertex in shape:
                file.write(struct.pack("<3f", *vertex))
    return {"name": name, "shape": "mesh", "mesh": {"file": "collider_%d.obj" % number},
            "frames": {"file": "collider_%d.pc2" % number, "interval": interval}}


def write_scene(context, thing, folder):
    """scene.json and its meshes, as all is at the first frame; time stays where it is. Throws Problem."""
    before = context.scene.frame_current
    context.scene.frame_set(context.scene.frame_start)
    try:
        return write_scene_now(context, thing, folder)
    finally:
        context.scene.frame_set(before)


def write_scene_now(context, thing, folder):
    settings, scene = thing.muslin, context.scene
    if thing.type != "MESH" or not thing.data.polygons:
        raise Problem("%s has no faces: cloth is a mesh with faces" % thing.name)
    interval = scene.render.fps_base / scene.render.fps
    turn = rigid_inverse(thing).to_3x3()
    cloth = {"name": thing.name, "mesh": {"file": "cloth.obj"}, "fabric": settings.fabric}
    pins = pinned_vertices(thing, settings.pins)
    if pins:
        cloth["pins"] = [{"vertices": pins}]
    write_obj(os.path.join(folder, "cloth.obj"), [vertex.co for vertex in thing.data.vertices], faces_of(thing.data))
    family = "position" if settings.solver == "xpbd" else settings.solver
    described = {
        "name": thing.name, "frames": settings.frames, "frame_time": interval,
        "gravity": list(turn @ Vector(scene.gravity)) if scene.use_gravity else [0, 0, 0],
        "cloths": [cloth], "colliders": write_colliders(context, thing, folder, settings.frames, interval),
        "solver": {"family": family}, "self_collision": {"enabled": settings.solver == "quasi_newton"},
    }
    if any(settings.wind):
        described["wind"] = {"velocity": list(turn @ Vector(settings.wind)), "air_density": 1.2}
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(described, file, indent=1)
    return path


def bake_folder(thing):
    """Beside the .blend, or in Blender's temporary folder as long as there is none."""
    base = bpy.path.abspath("//") or bpy.app.tempdir or tempfile.gettempdir()
    folder = os.path.join(base, "muslin_" + bpy.path.clean_name(thing.name))
    os.makedirs(folder, exist_ok=True)
    return folder


# --- the run -----------------------------------------------------------------------------------------------

class Bake:
    """A running muslin."""

    def __init__(self, context, thing):
        self.thing = thing
        self.folder = bake_folder(thing)
        program = program_path(context)
        scene = write_scene(context, thing, self.folder)
        self.lines, self.words = (os.path.join(self.folder, name) for name in ("progress.jsonl", "messages.txt"))
        with open(self.lines, "w", encoding="utf-8") as lines, open(self.words, "w", encoding="utf-8") as words:
            self.process = subprocess.Popen(
                [program, "run", scene, "--out", os.path.join(self.folder, "run"), "--format", "pc2", "--json", "--force", "-q"],
                stdout=lines, stderr=words, cwd=self.folder)

    def frame(self):
        """The last frame that is done; -1 before the first."""
        with open(self.lines, encoding="utf-8") as lines:
            return sum(line.startswith('{"type":"frame"') for line in lines) - 1

    def cancel(self):
        """Frames so far stay."""
        self.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        self.process.wait()

    def finish(self, context):
        """Shows what was written; returns what the program said. Throws Problem."""
        with open(self.words, encoding="utf-8") as words:
            said = words.read().strip()
        cache = os.path.join(self.folder, "run", "run.pc2")
        if self.process.returncode not in (0, 4, 130) or not os.path.isfile(cache):
            raise Problem("Muslin ended with code %d: %s" % (self.process.returncode, said[-1500:] or "it said nothing"))
        modifier = self.thing.modifiers.get(MODIFIER) or self.thing.modifiers.new(MODIFIER, "MESH_CACHE")
        modifier.cache_format = "PC2"
        modifier.filepath = cache
        modifier.frame_start = context.scene.frame_start
        return said


class MUSLIN_OT_bake(bpy.types.Operator):
    """Simulate this mesh as cloth; Esc cancels and keeps the frames so far"""
    bl_idname = "muslin.bake"
    bl_label = "Bake"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def execute(self, context):
        """Waits until the run is done: for scripts and without a window."""
        if not self.begin(context):
            return {"CANCELLED"}
        self.bake.process.wait()
        return self.end(context)

    def invoke(self, context, event):
        if not self.begin(context):
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.25, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.bake.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        settings = self.bake.thing.muslin
        settings.progress = "Frame %d of %d; Esc cancels" % (max(self.bake.frame(), 0), settings.frames)
        for area in context.screen.areas:
            area.tag_redraw()
        if self.bake.process.poll() is None:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self.timer)
        return self.end(context)

    def cancel(self, context):
        self.bake.cancel()

    def begin(self, context):
        try:
            self.bake = Bake(context, context.object)
            return True
        except (Problem, OSError) as problem:
            self.report({"ERROR"}, str(problem))
            return False

    def end(self, context):
        self.bake.thing.muslin.progress = ""
        try:
            said = self.bake.finish(context)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"WARNING"} if said else {"INFO"}, said or "%d frames" % max(self.bake.frame(), 0))
        return {"FINISHED"}


class MUSLIN_PT_cloth(bpy.types.Panel):
    bl_label = "Muslin cloth"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        settings, layout = context.object.muslin, self.layout
        layout.use_property_split = True
        layout.prop(settings, "fabric")
        layout.prop_search(settings, "pins", context.object, "vertex_groups")
        layout.prop(settings, "colliders")
        layout.prop(settings, "wind")
        layout.prop(settings, "frames")
        layout.prop(settings, "solver")
        if settings.progress:
            layout.label(text=settings.progress)
        else:
            layout.operator("muslin.bake")


CLASSES = MuslinSettings, MuslinPreferences, MUSLIN_OT_bake, MUSLIN_PT_cloth


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.muslin = bpy.props.PointerProperty(type=MuslinSettings)


def unregister():
    del bpy.types.Object.muslin
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)


if __name__ == "__main__":
    register()
