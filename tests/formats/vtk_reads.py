"""VTK's own reader on frame_*.vtp and meshio on frame_*.ply, held against the OBJ frames: vtk_reads.py RUN"""
import os
import sys
import xml.etree.ElementTree

import meshio
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

RUN = sys.argv[1]


def obj_vertices(name):
    with open(os.path.join(RUN, name), encoding="utf-8") as file:
        return numpy.array([line.split()[1:4] for line in file if line.startswith("v ")], float)


def main():
    sets = xml.etree.ElementTree.parse(os.path.join(RUN, "run.pvd")).getroot().iter("DataSet")
    before = ()
    for frame, entry in enumerate(sets):
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(RUN, entry.get("file")))
        reader.Update()
        surface = reader.GetOutput()
        expected = obj_vertices("frame_%04d.obj" % frame)
        n = len(expected)
        points = vtk_to_numpy(surface.GetPoints().GetData())
        assert (points[:n] == expected).all(), frame  # to the bit
        fields = {name: vtk_to_numpy(surface.GetPointData().GetArray(name)) for name in
                  ("velocity", "strain", "elastic_energy", "gap", "pinned")}
        assert all(numpy.isfinite(values[:n]).all() for values in fields.values()), frame
        assert fields["strain"][:n].max() > 0 or frame == 0
        if frame > 5:  # once it flies, the velocity is about the way over the time
            ways = (expected - before[0]) / (float(entry.get("timestep")) - before[1])
            middle = numpy.linalg.norm(ways, axis=1).mean()
            assert abs(numpy.linalg.norm(fields["velocity"][:n], axis=1).mean() / middle - 1) < 0.5, frame
        before = expected, float(entry.get("timestep"))
        mesh = meshio.read(os.path.join(RUN, "frame_%04d.ply" % frame))
        assert (mesh.points == expected).all(), frame
    print("VTK %s and meshio %s: %d frames" % (vtk.vtkVersion().GetVTKVersion(), meshio.__version__, frame + 1))


main()
