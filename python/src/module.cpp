// The module's beginning: errors, and what belongs to the process.
#include "bindings.h"
#include "muslin/solver/methods.h"

#include <cstring>

using namespace muslin;

Points points_of(const char* what, const Rows& rows) {
  if (rows.ndim() != 2 || rows.shape(1) != 3)
    throw Error(ErrorKind::invalid, std::string(what) + ": expected an array of n rows of 3 numbers");
  Points points(3, rows.shape(0));
  if (points.size() > 0) std::memcpy(points.data(), rows.data(), sizeof(double) * points.size());
  return points;
}

py::array_t<double> rows_of(const Points& points) {
  py::array_t<double> rows({points.cols(), Eigen::Index{3}});
  if (points.size() > 0) std::memcpy(rows.mutable_data(), points.data(), sizeof(double) * points.size());
  return rows;
}

namespace {

// muslin.Error and muslin.BusyError are classes in Python: they take words apart.
void translate_errors(std::exception_ptr thrown) {
  const auto raise = [](const char* name, const char* what, const char* kind) {
    const py::object type = py::module_::import("muslin.error").attr(name);
    PyErr_SetObject(type.ptr(), type(py::str(what), py::str(kind)).ptr());
  };
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise("Error", error.what(), error.kind() == ErrorKind::file ? "file" : "invalid");
  } catch (const Busy& error) {
    raise("BusyError", error.what(), "busy");
  }
}

py::list list_methods() {
  py::list list;
  for (const Method& method : methods())
    list.append(py::dict(py::arg("name") = std::string(method.name),
                         py::arg("family") = family_of_method(method.name),
                         py::arg("summary") = std::string(method.summary)));
  return list;
}

py::list list_fabrics() {
  py::list list;
  for (const FabricPreset& preset : fabrics())
    list.append(py::dict(py::arg("name") = preset.fabric.preset, py::arg("source") = preset.source,
                         py::arg("drape") = preset.drape,
                         py::arg("bending_length") = bending_length(preset.fabric)));
  return list;
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator(&translate_errors);
  module.def("version", [] { return std::string(version()); });
  module.def("set_threads", [](int count) {
    if (count < 0)
      throw Error(ErrorKind::invalid, "set_threads: expected 0 or more, got " + std::to_string(count));
    set_threads(count);
  });
  module.def("threads", [] { return threads(); });
  module.def("methods", &list_methods);
  module.def("fabrics", &list_fabrics);
  bind_unlocked(module);
  bind_scenes(module);
  bind_simulation(module);
  bind_judges(module);
  bind_sweeps(module);
#ifdef MUSLIN_HAS_RENDER
  bind_pictures(module);
#endif
}
