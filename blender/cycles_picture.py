"""A picture by Cycles of a run that has the format pc2, from a terminal:

    blender -b --factory-startup --python blender/cycles_picture.py -- RUN FRAME PICTURE.png [WIDTH HEIGHT SAMPLES]

The mesh is run.obj, a Mesh Cache modifier moves it by run.pc2, and colliders likewise. Colours are those of run.json. Light and camera
fit the cloth; the floor lies below everything. Colliders are drawn smaller by what cloth between its vertices cuts off from them.
"""
import json
import math
import os
import sys

import bpy
from mathutils import Vector

CLOTH, BODY, FLOOR = (0.10, 0.22, 0.42, 1), (0.75, 0.66, 0.56, 1), (0.8, 0.8, 0.8, 1)


def read_arguments():
    words = sys.argv[sys.argv.index("--") + 1:]
    numbers = [int(word) for word in words[3:]]
    return words[0], int(words[1]), os.path.abspath(words[2]), numbers + [960, 720, 64][len(numbers):]


def material(name, colour, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = roughness
    return made


def colour_of(run, kind, otherwise):
    """The first colour that the scene of a run says of its cloths or colliders, linear."""
    try:
        with open(os.path.join(run, "run.json"), encoding="utf-8") as file:
            things = json.load(file)["scene"][kind]
    except (OSError, KeyError, ValueError):
        return otherwise
    for thing in things:
        if thing.get("colour"):
            parts = [int(thing["colour"][k:k + 2], 16) / 255 for k in (1, 3, 5)]
            return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts) + (1,)
    return otherwise


def moving_mesh(run, name, colour, thickness):
    """The object of name.obj, whose vertices are those of name.pc2; None where the run has none."""
    path = os.path.join(os.path.abspath(run), name)
    if not os.path.exists(path + ".pc2"):
        return None
    bpy.ops.wm.obj_import(filepath=path + ".obj")
    thing = bpy.context.selected_objects[0]
    cache = thing.modifiers.new("Muslin", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = path + ".pc2"
    cache.frame_start = 0
    if thickness > 0:
        smooth = thing.modifiers.new("smooth", "SUBSURF")
        smooth.subdivision_type, smooth.render_levels = "SIMPLE", 1  # Catmull and Clark's would draw the cloth into what it lies on
        thick = thing.modifiers.new("thick", "SOLIDIFY")
        thick.thickness, thick.offset = thickness, 0
    thing.data.materials.clear()
    thing.data.materials.append(material(name, colour, 0.9))
    for polygon in thing.data.polygons:
        polygon.use_smooth = True
    return thing


def longest_edges(thing):
    """Of the edges of a mesh, what nine tenths are not longer than."""
    places = thing.data.vertices
    lengths = sorted((places[edge.vertices[0]].co - places[edge.vertices[1]].co).length for edge in thing.data.edges)
    return lengths[len(lengths) * 9 // 10]


def shrink(body, cloth, thickness):
    """Draws a body smaller: an edge of length L cuts L^2/8r off a round body of radius r. 8 cm is an arm or a leg."""
    radius = 0.08
    smaller = body.modifiers.new("smaller", "DISPLACE")
    smaller.mid_level, smaller.strength = 0, -(thickness + min(longest_edges(cloth) ** 2 / (8 * radius), 0.1 * radius))


def bounds(thing):
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = [evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]
    low = Vector(min(place[axis] for place in places) for axis in range(3))
    high = Vector(max(place[axis] for place in places) for axis in range(3))
    return low, high


def light_and_look(low, high, ground):
    middle, size = (low + high) / 2, (high - low).length
    bpy.ops.mesh.primitive_plane_add(size=40 * size, location=(middle.x, middle.y, ground))
    bpy.context.object.data.materials.append(material("floor", FLOOR, 1))
    bpy.ops.object.light_add(type="AREA", location=middle + size * Vector((-1.2, -1.0, 1.8)))
    light = bpy.context.object
    light.data.size = 1.2 * size
    light.data.energy = 90 * size * size
    light.rotation_euler = (middle - light.location).to_track_quat("-Z", "Y").to_euler()
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.82, 0.95, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.55
    bpy.context.scene.world = world
    direction = Vector((0.55, -1, 0.45)).normalized()
    bpy.ops.object.camera_add(location=middle + 1.7 * size * direction)
    camera = bpy.context.object
    camera.data.angle = math.radians(38)
    camera.rotation_euler = (-direction).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = camera


def main():
    run, frame, picture, (width, height, samples) = read_arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    thickness = 0.002
    cloth = moving_mesh(run, "run", colour_of(run, "cloths", CLOTH), thickness)
    if cloth is None:
        sys.exit(f"{run}: must hold run.obj and run.pc2 (muslin run SCENE --format pc2 --out {run})")
    body = moving_mesh(run, "colliders", colour_of(run, "colliders", BODY), 0)
    scene = bpy.context.scene
    scene.frame_set(frame)
    low, high = bounds(cloth)
    ground = low.z - 0.02 * (high - low).length
    if body:
        lowest, highest = bounds(body)
        ground = min(ground, lowest.z + 0.001)  # over a floor among the colliders
        tall = highest.z > low.z  # it stands beside the cloth, or in it: the camera shows it whole
        if tall:
            low.z, high.z = min(low.z, lowest.z), max(high.z, highest.z)
        shrink(body, cloth, thickness)
    light_and_look(low, high, ground)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False  # Debian's Blender has no denoiser
    scene.view_settings.view_transform = "Filmic"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)


main()
