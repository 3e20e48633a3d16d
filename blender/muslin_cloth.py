"""Muslin in Blender: a panel on a mesh object that simulates it as cloth and shows the result by a Mesh Cache modifier.

Install: Edit > Preferences > Add-ons > Install, this file; then name the program muslin in the add-on's preferences.

The run happens in the frame of the cloth object, in metres, with gravity as the scene has it. Colliders are meshes that are
written for every frame, so that whatever moves or deforms them in Blender does so in the run.
"""
import json
import os
import shutil
import re
import signal
import struct
import subprocess
import tempfile
import zlib

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
REFUSED = 3  # muslin's exit code where things meet at the start
# Modifiers that move vertices and make none: pins follow those that stand before the first of another kind.
DEFORMERS = {"ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE",
             "MESH_CACHE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SURFACE_DEFORM", "WARP", "WAVE"}
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
    follow: bpy.props.PointerProperty(name="Pins follow", type=bpy.types.Object,
                                      description="One of the colliders: it carries the pins, each beside the nearest of its faces")
    colliders: bpy.props.PointerProperty(name="Colliders", type=bpy.types.Collection,
                                         description="Mesh objects that cloth meets; closed, facing outwards")
    wind: bpy.props.FloatVectorProperty(name="Wind", subtype="VELOCITY", unit="VELOCITY", size=3)
    friction: bpy.props.FloatProperty(name="Friction", default=0.3, min=0, soft_max=1,
                                      description="Coefficient of cloth on bodies and on cloth")
    distance: bpy.props.FloatProperty(name="Self-collision distance", default=0, min=0, soft_max=0.02, precision=4, unit="LENGTH",
                                      description="Layers of cloth repel each other below it; 0: the fabric's thickness")
    start: bpy.props.IntProperty(name="Start frame", default=1, description="The frame at which the cloth is as modelled")
    frames: bpy.props.IntProperty(name="Frames", default=60, min=1, max=100000, description="To simulate after the start frame")
    solver: bpy.props.EnumProperty(name="Solver", items=SOLVERS, default="quasi_newton")
    cache: bpy.props.StringProperty(name="Cache name", description="Folder of the result, beside the .blend file; empty: by file and object")
    progress: bpy.props.StringProperty()
    refused: bpy.props.StringProperty()


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


def deformers(thing):
    """The modifiers that shape the cloth before it is simulated."""
    leading = []
    for modifier in thing.modifiers:
        if modifier.name == MODIFIER or modifier.type not in DEFORMERS:
            break
        leading.append(modifier)
    return leading


def ignored(thing):
    """What of the cloth object the run does not take as it is, a sentence each."""
    said = []
    if thing.parent or thing.animation_data or thing.constraints:
        said.append("If the object itself moves, its inertia is ignored")
    leading = deformers(thing)
    if leading or thing.data.shape_keys:
        said.append("Rig and shape keys move pins alone, and shape the start")
    behind = [one.name for one in thing.modifiers[len(leading):] if one.name != MODIFIER]
    if behind:
        said.append("Not simulated, shown on top: " + ", ".join(behind))
    return said


class ShapedOnly:
    """Shows a cloth as its rig has it: without the modifiers from Muslin's or the first that makes vertices on."""

    def __init__(self, thing):
        self.hidden = [one for one in thing.modifiers[len(deformers(thing)):] if one.show_viewport]

    def __enter__(self):
        for modifier in self.hidden:
            modifier.show_viewport = False

    def __exit__(self, *error):
        for modifier in self.hidden:
            modifier.show_viewport = True


def places_of(context, thing):
    """Of its vertices, as modifiers leave them, in its own frame."""
    evaluated = thing.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = [vertex.co.copy() for vertex in mesh.vertices]
    evaluated.to_mesh_clear()
    return places


def moving_pins(pins, shapes, interval):
    """Pins as the scene has them: those at rest together, each other one with its place in every frame."""
    resting = [v for v in pins if all((shape[v] - shapes[0][v]).length < 1e-7 for shape in shapes)]
    made = [{"vertices": resting}] if resting else []
    for v in sorted(set(pins) - set(resting)):
        keys = [{"time": k * interval, "offset": list(shape[v] - shapes[0][v])} for k, shape in enumerate(shapes)]
        made.append({"vertices": [v], "motion": {"keyframes": keys}})
    return made


def following_pins(pins, body, colliders):
    """Pins that a collider carries."""
    if body.name not in [one["name"] for one in colliders]:
        raise Problem("%s is none of the colliders: pins follow these alone" % body.name)
    return [{"vertices": pins, "follow": body.name}]


def write_colliders(context, thing, folder, frames, interval):
    """Meshes and point caches of all colliders in the cloth's frame; returns their part of the scene, and the cloth's vertices in
    every frame."""
    settings = thing.muslin
    things = [one for one in (settings.colliders.all_objects if settings.colliders else ()) if one.type == "MESH" and one != thing]
    scene, first = context.scene, settings.start
    cloth = []
    shapes = {one.name: [] for one in things}
    faces = {}
    for frame in range(first, first + frames + 1):
        scene.frame_set(frame)
        graph = context.evaluated_depsgraph_get()
        into = rigid_inverse(thing)
        cloth.append(places_of(context, thing))
        for one in things:
            evaluated = one.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            matrix = into @ evaluated.matrix_world
            shapes[one.name].append([matrix @ vertex.co for vertex in mesh.vertices])
            faces.setdefault(one.name, faces_of(mesh))
            evaluated.to_mesh_clear()
    return [write_collider(folder, number, one.name, shapes[one.name], faces[one.name], interval, settings.friction)
            for number, one in enumerate(things)], cloth


def write_collider(folder, number, name, shapes, faces, interval, friction):
    if len({len(shape) for shape in shapes}) != 1:
        raise Problem("%s has more vertices in some frames than in others: take off the modifier that does so" % name)
    write_obj(os.path.join(folder, "collider_%d.obj" % number), shapes[0], faces)
    with open(os.path.join(folder, "collider_%d.pc2" % number), "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(shapes[0]), 0, 1, len(shapes)))
        for shape in shapes:
            for vertex in shape:
                file.write(struct.pack("<3f", *vertex))
    return {"name": name, "shape": "mesh", "mesh": {"file": "collider_%d.obj" % number}, "friction": friction,
            "frames": {"file": "collider_%d.pc2" % number, "interval": interval}}


def write_scene(context, thing, folder):
    """scene.json and its meshes, as all is at the start frame; time stays where it is. Throws Problem."""
    before = context.scene.frame_current
    context.scene.frame_set(thing.muslin.start)
    thing.update_from_editmode()
    try:
        with ShapedOnly(thing):
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
    colliders, shapes = write_colliders(context, thing, folder, settings.frames, interval)
    if pins:
        follow = settings.follow
        cloth["pins"] = following_pins(pins, follow, colliders) if follow else moving_pins(pins, shapes, interval)
    as_made = [vertex.co for vertex in thing.data.vertices]
    write_obj(os.path.join(folder, "cloth.obj"), shapes[0], faces_of(thing.data))
    if any((place - made).length > 1e-7 for place, made in zip(shapes[0], as_made)):
        write_obj(os.path.join(folder, "rest.obj"), as_made, faces_of(thing.data))
        cloth["mesh"]["rest_mesh"] = "rest.obj"
    self_collision = {"enabled": settings.solver == "quasi_newton", "friction": settings.friction}
    if settings.distance > 0:
        self_collision["distance"] = settings.distance
    family = "position" if settings.solver == "xpbd" else settings.solver
    described = {
        "name": thing.name, "frames": settings.frames, "frame_time": interval,
        "gravity": list(turn @ Vector(scene.gravity)) if scene.use_gravity else [0, 0, 0],
        "cloths": [cloth], "colliders": colliders, "solver": {"family": family}, "self_collision": self_collision,
    }
    if any(settings.wind):
        described["wind"] = {"velocity": list(turn @ Vector(settings.wind)), "air_density": 1.2}
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(described, file, indent=1)
    return path


def folder_name(name):
    """A name of Blender as a folder's: others have other folders, where capitals count and where they do not."""
    plain = bpy.path.clean_name(name)
    return plain if plain == name and name.islower() else "%s_%08x" % (plain, zlib.crc32(name.encode("utf-8")))


def bake_folder(thing):
    """Of this .blend and this object alone: beside the .blend, or in Blender's temporary folder as long as there is none."""
    base = bpy.path.abspath("//") or bpy.app.tempdir or tempfile.gettempdir()
    file = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "unsaved"
    parts = ["muslin_" + folder_name(thing.muslin.cache)] if thing.muslin.cache else ["muslin_" + folder_name(file), folder_name(thing.name)]
    folder = os.path.join(base, *parts)
    os.makedirs(folder, exist_ok=True)
    return folder


# --- the run -----------------------------------------------------------------------------------------------

def arguments(context, folder, scene, repair):
    line = [program_path(context), "run", scene, "--out", os.path.join(folder, "run"), "--format", "pc2", "--json", "--force", "-q"]
    return line + ["--repair"] if repair else line


def troubled_vertices(program, scene, count):
    """The numbers of the cloth's vertices that meet something at the start, as `muslin check` names them."""
    told = subprocess.run([program, "check", scene, "--json", "-v"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    lines = [json.loads(line) for line in told.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    places = [place for line in lines if line["type"] == "trouble" for place in line.get("named", ())]
    of_cloth = r'(?:vertex (\d+)|\(vertices ([\d, ]+)\))(?! of collider)'
    numbers = [int(number) for place in places for one, more in re.findall(of_cloth, place) for number in re.findall(r"\d+", one or more)]
    return sorted(number for number in set(numbers) if number < count)


def select(thing, numbers):
    if thing.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for parts in (thing.data.polygons, thing.data.edges, thing.data.vertices):
        parts.foreach_set("select", [False] * len(parts))
    for number in numbers:
        thing.data.vertices[number].select = True


class Bake:
    """A running muslin. No two write into one folder."""
    running = set()

    def __init__(self, context, thing, repair=False):
        self.thing = thing
        self.folder = bake_folder(thing)
        if self.folder in Bake.running:
            raise Problem("%s is being baked: wait until it is done, or press Esc there" % self.folder)
        self.scene = write_scene(context, thing, self.folder)
        self.program = program_path(context)
        # With the number of this process: another Blender may have the same file open.
        self.lines, self.words = (os.path.join(self.folder, name % os.getpid()) for name in ("progress_%d.jsonl", "messages_%d.txt"))
        with open(self.lines, "w", encoding="utf-8") as lines, open(self.words, "w", encoding="utf-8") as words:
            self.process = subprocess.Popen(arguments(context, self.folder, self.scene, repair), stdout=lines, stderr=words, cwd=self.folder)
        Bake.running.add(self.folder)
        self.done = -1

    def frame(self):
        """The last frame that is done; -1 before the first."""
        if not os.path.exists(self.lines):
            return self.done
        with open(self.lines, encoding="utf-8") as lines:
            return sum(line.startswith('{"type":"frame"') for line in lines) - 1

    def cancel(self):
        """Frames so far stay."""
        self.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        self.process.wait()

    def finish(self, context):
        """Shows what was written; returns what the program said. Throws Problem."""
        Bake.running.discard(self.folder)
        self.done = self.frame()
        with open(self.words, encoding="utf-8") as words:
            said = words.read().strip()
        for path in (self.lines, self.words):
            os.remove(path)
        cache = os.path.join(self.folder, "run", "run.pc2")
        settings = self.thing.muslin
        settings.refused = ""
        if self.process.returncode == REFUSED:
            found = troubled_vertices(self.program, self.scene, len(self.thing.data.vertices))
            select(self.thing, found)
            settings.refused = "%d vertices meet something at the start: they are selected" % len(found)
        if self.process.returncode not in (0, 4, 130) or not os.path.isfile(cache):
            raise Problem("Muslin ended with code %d: %s" % (self.process.returncode, said[-1500:] or "it said nothing"))
        self.show(cache, settings.start)
        return said

    def show(self, cache, start):
        """By the modifier, which stands behind those that shape the cloth, before those that refine it."""
        thing = self.thing
        modifier = thing.modifiers.get(MODIFIER)
        if modifier is None:
            place = len(deformers(thing))
            modifier = thing.modifiers.new(MODIFIER, "MESH_CACHE")
            with bpy.context.temp_override(object=thing):
                bpy.ops.object.modifier_move_to_index(modifier=MODIFIER, index=place)
        modifier.cache_format = "PC2"
        modifier.filepath = cache
        modifier.frame_start = start


class MUSLIN_OT_bake(bpy.types.Operator):
    """Simulate this mesh as cloth; Esc cancels and keeps the frames so far"""
    bl_idname = "muslin.bake"
    bl_label = "Bake"

    repair: bpy.props.BoolProperty(name="Repair", description="Draws apart what meets at the start first", options={"SKIP_SAVE"})

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
            self.bake = Bake(context, context.object, self.repair)
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
        layout.prop(settings, "follow")
        layout.prop(settings, "colliders")
        for name in ("friction", "distance", "wind", "start", "frames", "solver", "cache"):
            layout.prop(settings, name)
        for words in ignored(context.object):
            layout.label(text=words, icon="INFO")
        if settings.progress:
            layout.label(text=settings.progress)
            return
        layout.operator("muslin.bake")
        if settings.refused:
            layout.label(text=settings.refused, icon="ERROR")
            layout.operator("muslin.bake", text="Repair and bake").repair = True


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
