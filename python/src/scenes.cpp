// Scenes and meshes.
#include "bindings.h"
#include "muslin/solver/methods.h"

using namespace muslin;

namespace {

using Indices = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

std::shared_ptr<Mesh> make_mesh(const Rows& positions, const Indices& triangles, const py::object& uv) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions = points_of("positions", positions);
  if (triangles.ndim() != 2 || triangles.shape(1) != 3)
    throw Error(ErrorKind::invalid, "triangles: expected an array of m rows of 3 vertex numbers");
  const std::int64_t n = mesh->positions.cols();
  const auto corner = triangles.unchecked<2>();
  for (py::ssize_t t = 0; t < corner.shape(0); ++t) {
    for (int k = 0; k < 3; ++k)
      if (corner(t, k) < 0 || corner(t, k) >= n)
        throw Error(ErrorKind::invalid, "triangles: triangle " + std::to_string(t) + " names vertex " +
                                            std::to_string(corner(t, k)) + " of " + std::to_string(n));
    mesh->triangles.push_back(
        {static_cast<int>(corner(t, 0)), static_cast<int>(corner(t, 1)), static_cast<int>(corner(t, 2))});
  }
  if (uv.is_none()) return mesh;
  const Rows coordinates = py::cast<Rows>(uv);
  if (coordinates.ndim() != 2 || coordinates.shape(1) != 2 || coordinates.shape(0) != n)
    throw Error(ErrorKind::invalid, "uv: expected an array of " + std::to_string(n) + " rows of 2 numbers");
  const auto at = coordinates.unchecked<2>();
  for (py::ssize_t v = 0; v < n; ++v) mesh->uv.push_back({at(v, 0), at(v, 1)});
  return mesh;
}

py::array_t<std::int32_t> triangles_of(const std::vector<Stencil<3>>& triangles) {
  py::array_t<std::int32_t> rows({static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}});
  auto at = rows.mutable_unchecked<2>();
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) at(static_cast<py::ssize_t>(t), k) = triangles[t][k];
  return rows;
}

py::object uv_of(const Mesh& mesh) {
  if (mesh.uv.empty()) return py::none();
  py::array_t<double> rows({static_cast<py::ssize_t>(mesh.uv.size()), py::ssize_t{2}});
  auto at = rows.mutable_unchecked<2>();
  for (size_t v = 0; v < mesh.uv.size(); ++v)
    for (int k = 0; k < 2; ++k) at(static_cast<py::ssize_t>(v), k) = mesh.uv[v][k];
  return rows;
}

using MeshHandles = std::map<std::string, std::shared_ptr<Mesh>>;

std::shared_ptr<SceneHandle> read_text(const std::string& text, const std::string& name,
                                       const std::string& folder, const std::vector<Override>& overrides,
                                       const MeshHandles& meshes) {
  NamedMeshes in_memory;
  for (const auto& [called, mesh] : meshes) in_memory[called] = mesh;
  const Unlocked unlocked;
  return std::make_shared<SceneHandle>(SceneHandle{parse_scene(text, name, folder, overrides, in_memory)});
}

std::shared_ptr<SceneHandle> read_file(const std::string& path, const std::vector<Override>& overrides) {
  const Unlocked unlocked;
  return std::make_shared<SceneHandle>(SceneHandle{read_scene(path, overrides)});
}

std::shared_ptr<SceneHandle> with_method(const SceneHandle& handle, const std::string& name) {
  auto changed = std::make_shared<SceneHandle>(handle);
  changed->scene.solver.family = family_of_method(name);
  find_method(name).choose(changed->scene.solver);
  return changed;
}

}  // namespace

void bind_scenes(py::module_& module) {
  py::class_<Mesh, std::shared_ptr<Mesh>>(module, "Mesh")
      .def(py::init(&make_mesh), py::arg("positions"), py::arg("triangles"), py::arg("uv") = py::none())
      .def_property_readonly("positions", [](const Mesh& mesh) { return rows_of(mesh.positions); })
      .def_property_readonly("triangles", [](const Mesh& mesh) { return triangles_of(mesh.triangles); })
      .def_property_readonly("uv", &uv_of)
      .def_property_readonly("repairs", [](const Mesh& mesh) { return mesh.repairs; });
  module.def(
      "read_mesh",
      [](const std::string& path) {
        const Unlocked unlocked;
        return std::make_shared<Mesh>(read_mesh(path));
      },
      py::arg("path"));
  py::class_<SceneHandle, std::shared_ptr<SceneHandle>>(module, "Scene")
      .def(
          "json", [](const SceneHandle& handle, int indent) { return write_scene(handle.scene, indent); },
          py::arg("indent"))
      .def_property_readonly("name", [](const SceneHandle& handle) { return handle.scene.name; })
      .def_property_readonly("frames", [](const SceneHandle& handle) { return handle.scene.frames; })
      .def_property_readonly("frame_time", [](const SceneHandle& handle) { return handle.scene.frame_time; })
      .def_property_readonly("folder", [](const SceneHandle& handle) { return handle.scene.folder; })
      .def("with_method", &with_method, py::arg("name"));
  module.def("read_scene", &read_file, py::arg("path"), py::arg("overrides"));
  module.def("parse_scene", &read_text, py::arg("text"), py::arg("name"), py::arg("folder"),
             py::arg("overrides"), py::arg("meshes"));
  module.def("schema", [] { return scene_schema(); });
}
