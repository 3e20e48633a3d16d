"""Holds a skinned GLB, as Muslin moves it, against Blender's own evaluation of the same file:

    blender -b --factory-startup --python tests/formats/blender_skins.py -- BODY.glb COLLIDERS.pc2 FPS

COLLIDERS.pc2 is of a run with the format pc2, a frame every 1 / FPS s, whose first collider is the body.
"""
import struct
import sys

import bpy
import numpy

NEAR = 2e-6  # [m]: Blender's matrices and vertices are floats
numpy.bool = bool  # which the importer of Blender 3.4 takes from numpy

file, cache, fps = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = int(fps)
bpy.ops.import_scene.gltf(filepath=file)
meshes = [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.find_armature()]
assert len(meshes) == 1, meshes

data = open(cache, "rb").read()
points, samples = struct.unpack_from("<I", data, 16)[0], struct.unpack_from("<I", data, 28)[0]
ours = numpy.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)

worst = 0
for frame in range(samples):
    bpy.context.scene.frame_set(frame)  # glTF's time 0 is frame 0
    thing = meshes[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
    x = numpy.array([thing.matrix_world @ v.co for v in thing.to_mesh().vertices])
    x = numpy.stack([x[:, 0], x[:, 2], -x[:, 1]], axis=1)  # z is up in Blender
    worst = max(worst, numpy.abs(x - ours[frame, :len(x)]).max())
print(f"blender: {samples} frames of a skin of {len(x)} vertices: at most {worst:.3g} m apart")
sys.exit(0 if worst < NEAR else 1)
