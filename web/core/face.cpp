// The C face (muslin_web.h): every call checks what it is given, and turns exceptions into its number.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <set>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/scene_json.h"
#include "muslin/io/viewer_variant.h"
#include "muslin/model/collider_shape.h"
#include "muslin/version.h"
#include "muslin_web.h"
#include "report.h"
#include "run.h"
#include "words.h"

namespace {

using namespace muslin;
using namespace muslin::web;
namespace fs = std::filesystem;

/// A call that no data can mend.
struct Misuse {
  std::string what;
};
void expect(bool holds, const char* what) {
  if (!holds) throw Misuse{what};
}

#ifdef __EMSCRIPTEN__
/// Files live in memory, in a folder of their own: scenes name theirs relative to it.
[[maybe_unused]] const int entered = (::mkdir("/scenes", 0777), ::chdir("/scenes"));
#endif

std::map<int, std::unique_ptr<Run>> runs;
std::set<std::string> files;
int last_handle = 0;
std::string message;
std::vector<std::byte> result;

std::string text_of(const char* text) { return text ? text : ""; }

Run& run_of(int handle) {
  const auto found = runs.find(handle);
  if (found == runs.end()) throw Misuse{"no run has the handle " + std::to_string(handle)};
  return *found->second;
}

int index_of(const char* what, int index, size_t count) {
  if (index < 0 || static_cast<size_t>(index) >= count)
    throw Misuse{std::string(what) + ' ' + std::to_string(index) + " of " + std::to_string(count)};
  return index;
}

int leave(const void* items, size_t count, size_t size) {
  result.resize(count * size);
  if (!result.empty()) std::memcpy(result.data(), items, result.size());
  return static_cast<int>(count);
}
int leave(const std::string& text) {
  leave(text.c_str(), text.size() + 1, 1);
  return static_cast<int>(text.size());
}
template <class Number>
int leave(const std::vector<Number>& numbers) {
  return leave(numbers.data(), numbers.size(), sizeof(Number));
}
int leave(const Points& columns) { return leave(columns.data(), columns.size(), sizeof(double)); }
int leave_floats(const Points& columns) {
  const Eigen::Matrix3Xf floats = columns.cast<float>();
  return leave(floats.data(), floats.size(), sizeof(float));
}
int leave(const std::vector<Stencil<3>>& triangles) {
  leave(triangles.data(), triangles.size(), sizeof(Stencil<3>));
  return 3 * static_cast<int>(triangles.size());
}

int fail(int number, const std::string& what) {
  message = what;
  return number;
}

/// What a call returns; the error's number if it throws.
template <class Call>
int guarded(const Call& call) {
  try {
    result.clear();
    return call();
  } catch (const Misuse& misuse) {
    return fail(MUSLIN_MISUSE, misuse.what);
  } catch (const Error& error) {
    return fail(error.kind() == ErrorKind::file ? MUSLIN_FILE : MUSLIN_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return fail(MUSLIN_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return fail(MUSLIN_INTERNAL, error.what());
  } catch (...) {
    return fail(MUSLIN_INTERNAL, "something unknown was thrown");
  }
}
/// The same of a run, for calls that tell nothing.
template <class Action>
int act(int handle, const Action& action) {
  return guarded([&] {
    action(run_of(handle));
    return 0;
  });
}
/// The same of a run, for calls that leave a result.
template <class Make>
int tell(int handle, const Make& make) {
  return guarded([&] { return leave(make(run_of(handle))); });
}

SceneText scene_text(const char* text, const char* name, const char* method, const char* overrides,
                     int comparison) {
  expect(comparison == 0 || comparison == 1, "comparison: must be 0 or 1");
  return {text_of(text), text_of(name), text_of(method), text_of(overrides), comparison == 1};
}

std::string hash_of(const Run& run) { return fmt::format("{:016x}", hash(run.simulation().state())); }

std::string list(int which) {
  switch (which) {
    case MUSLIN_VERSION:
      return std::string(version());
    case MUSLIN_SCHEMA:
      return scene_schema();
    case MUSLIN_METHODS:
      return methods_json();
    case MUSLIN_FABRICS:
      return fabrics_json();
    case MUSLIN_REPORT:
      return report_json();
    case MUSLIN_FIELDS:
      return fields_json();
    default:
      throw Misuse{"there is no list " + std::to_string(which)};
  }
}

std::vector<Stencil<3>> user_triangles(const Model& model) {
  std::vector<Stencil<3>> triangles;
  for (int t = 0; t < static_cast<int>(model.triangles.size()); ++t)
    triangles.push_back(user_triangle(model, t));
  return triangles;
}

Points user_normals(const Run& run) {
  const Model& model = run.simulation().model();
  return model.vertex_numbers.to_user(vertex_normals(run.simulation().state().positions, model.triangles));
}

/// One a vertex in the user's order; NaN for all where there are no numbers.
std::vector<float> user_floats(const Model& model, const Scalars& values) {
  std::vector<float> floats(model.user_vertex_count(), std::nanf(""));
  if (values.size() > 0)
    for (int v = 0; v < static_cast<int>(floats.size()); ++v)
      floats[v] = static_cast<float>(values[model.vertex_numbers.to_model(v)]);
  return floats;
}

std::vector<int> sizes_of(const Run& run) {
  const Simulation& simulation = run.simulation();
  const Model& model = simulation.model();
  return {model.user_vertex_count(),
          static_cast<int>(model.triangles.size()),
          static_cast<int>(model.colliders.size()),
          static_cast<int>(model.written.size()),
          simulation.substeps(),
          simulation.scene().frames,
          simulation.frame(),
          run.is_exact() ? 1 : 0};
}

std::vector<float> user_uv(const Model& model) {
  std::vector<float> floats;
  for (int v = 0; v < model.user_vertex_count(); ++v) {
    const Vec2& uv = model.uv[model.vertex_numbers.to_model(v)];
    floats.push_back(static_cast<float>(uv.x()));
    floats.push_back(static_cast<float>(uv.y()));
  }
  return floats;
}

std::vector<int> held_vertices(const Run& run) {
  std::vector<int> held;
  for (int v = 0; v < run.simulation().model().user_vertex_count(); ++v)
    if (run.simulation().is_held(v)) held.push_back(v);
  return held;
}

PlacedColliders placed_colliders(const Run& run) {
  const Simulation& simulation = run.simulation();
  return placed_in(simulation.model(), simulation.controls(), simulation.state());
}

std::vector<double> poses_of(const Run& run) {
  std::vector<double> numbers;
  for (const Pose& pose : placed_colliders(run).poses) {
    numbers.insert(numbers.end(), pose.rotation.data(), pose.rotation.data() + 9);
    numbers.insert(numbers.end(), pose.translation.data(), pose.translation.data() + 3);
  }
  return numbers;
}

/// A collider's surface in its own frame, where its circles have so many corners; a plane has none.
Mesh surface_of(const Run& run, int index, int corners) {
  constexpr int kMostCorners = 1024;
  const std::vector<Collider>& colliders = run.simulation().model().colliders;
  const Collider& collider = colliders[index_of("collider", index, colliders.size())];
  expect(corners >= 3 && corners <= kMostCorners, "corners: must be between 3 and 1024");
  if (collider.shape == Shape::plane) return {};
  Mesh mesh = shape_of(collider).mesh(collider, 2 * M_PI * collider.radius / corners, corners);
  if (collider.frames) mesh.positions = placed_colliders(run).shapes[index];
  return mesh;
}

std::vector<double> trace_of(Run& run) {
  std::vector<double> numbers;
  const auto add = [&](const std::optional<double>& value) {
    numbers.push_back(value.value_or(std::nan("")));
  };
  for (const IterationRow& row : run.trace().rows) {
    add(row.iteration);
    add(row.error.energy_gap);
    add(row.error.residual);
    add(row.error.lost_gravity);
    add(row.error.position.rms);
  }
  return numbers;
}

std::string variant_of(const std::string& text, const std::string& name) {
  std::string lines;
  for (const auto& [path, value] : viewer_variant_of(text, name)) lines += path + '=' + value + '\n';
  return lines;
}

void put_file(const std::string& name, std::string_view bytes) {
  const fs::path path(name);
  const auto leaves = [](const fs::path& part) { return part == ".." || part == "."; };
  expect(path.is_relative() && path.has_filename() && std::none_of(path.begin(), path.end(), leaves),
         "file: the name must be relative, without '.' and '..'");
  std::error_code failed;  // then the file cannot be written, and that says so
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  write_file(name, bytes, true);
  files.insert(name);
}

void drop_files() {
  std::error_code ignored;
  for (const std::string& file : files) fs::remove(file, ignored);
  files.clear();
}

Vec3 place(double x, double y, double z) { return {x, y, z}; }

std::string_view bytes_of(const void* bytes, int size) {
  expect(size >= 0 && (bytes || size == 0), "bytes: must be there, and as many as the size says");
  return {static_cast<const char*>(bytes), static_cast<size_t>(size)};
}

Points forces_of(const Run& run, const double* forces, int count) {
  const int all = 3 * run.simulation().model().user_vertex_count();
  expect(count == 0 || (count == all && forces), "push: must be given 3 numbers a vertex, or none");
  return count == 0 ? Points(3, 0) : Points(Eigen::Map<const Points>(forces, 3, count / 3));
}

}  // namespace

extern "C" {

const char* muslin_message() { return message.c_str(); }
const void* muslin_result() { return result.empty() ? nullptr : result.data(); }

int muslin_list(int which) {
  return guarded([&] { return leave(list(which)); });
}

int muslin_put_file(const char* name, const void* bytes, int size) {
  return guarded([&] {
    put_file(text_of(name), bytes_of(bytes, size));
    return 0;
  });
}

int muslin_drop_files() {
  return guarded([] {
    drop_files();
    return 0;
  });
}

int muslin_create(const char* text, const char* name, const char* method, const char* overrides,
                  int comparison) {
  return guarded([&] {
    auto run = std::make_unique<Run>(scene_text(text, name, method, overrides, comparison));
    runs[++last_handle] = std::move(run);
    return last_handle;
  });
}

int muslin_destroy(int run) {
  return guarded([&] {
    run_of(run);
    runs.erase(run);
    std::vector<std::byte>().swap(result);  // as large as its largest
    return 0;
  });
}

int muslin_count() { return static_cast<int>(runs.size()); }

double muslin_memory_used() { return static_cast<double>(static_cast<size_t>(mallinfo().uordblks)); }

int muslin_edit(int run, const char* text, const char* name, const char* method, const char* overrides,
                int comparison) {
  return act(run, [&](Run& r) { r.edit(scene_text(text, name, method, overrides, comparison)); });
}

int muslin_scene(int run) {
  return tell(run, [](const Run& r) { return write_scene(r.simulation().scene()); });
}

int muslin_check(int run) { return tell(run, check_json); }

int muslin_variant(const char* text, const char* name) {
  return guarded([&] { return leave(variant_of(text_of(text), text_of(name))); });
}

int muslin_step(int run, int frames, double milliseconds) {
  return guarded([&] {
    expect(frames >= 0, "step: frames must be 0 or more");
    expect(milliseconds >= 0, "step: milliseconds must be 0 or more");
    return run_of(run).step(frames, milliseconds);
  });
}

int muslin_reset(int run) {
  return act(run, [](Run& r) { r.reset(); });
}

int muslin_report(int run) {
  return tell(run, [](const Run& r) {
    std::vector<double> numbers;
    for (const ReportEntry& entry : report_entries()) numbers.push_back(entry.value(r));
    return numbers;
  });
}

int muslin_hash(int run) { return tell(run, hash_of); }

int muslin_exact(int run, int on) {
  return act(run, [&](Run& r) {
    expect(on == 0 || on == 1, "exact: must be 0 or 1");
    r.set_exact(on == 1);
  });
}

int muslin_trace(int run) { return tell(run, trace_of); }

int muslin_sizes(int run) { return tell(run, sizes_of); }

int muslin_cloths(int run) {
  return tell(run, [](const Run& r) { return cloths_json(r.simulation().model()); });
}

int muslin_triangles(int run) {
  return tell(run, [](const Run& r) { return user_triangles(r.simulation().model()); });
}

int muslin_uv(int run) {
  return tell(run, [](const Run& r) { return user_uv(r.simulation().model()); });
}

int muslin_positions(int run) {
  return tell(run, [](const Run& r) { return r.simulation().positions(); });
}

int muslin_float_positions(int run) {
  return guarded([&] { return leave_floats(run_of(run).simulation().positions()); });
}

int muslin_velocities(int run) {
  return tell(run, [](const Run& r) { return r.simulation().velocities(); });
}

int muslin_normals(int run) {
  return guarded([&] { return leave_floats(user_normals(run_of(run))); });
}

int muslin_field(int run, int field) {
  return tell(run, [&](const Run& r) {
    const FieldEntry& entry = field_entries()[index_of("field", field, field_entries().size())];
    return user_floats(r.simulation().model(), entry.values(r));
  });
}

int muslin_colliders(int run) {
  return tell(run, [](const Run& r) { return colliders_json(r.simulation().model()); });
}

int muslin_poses(int run) { return tell(run, poses_of); }

int muslin_collider_vertices(int run, int collider, int corners) {
  return guarded([&] { return leave_floats(surface_of(run_of(run), collider, corners).positions); });
}

int muslin_collider_triangles(int run, int collider, int corners) {
  return tell(run, [&](const Run& r) { return surface_of(r, collider, corners).triangles; });
}

int muslin_hold(int run, int vertex) {
  return act(run, [&](Run& r) { r.simulation().hold(vertex); });
}

int muslin_hold_at(int run, int vertex, double x, double y, double z) {
  return act(run, [&](Run& r) { r.simulation().hold(vertex, place(x, y, z)); });
}

int muslin_let_go(int run, int vertex) {
  return act(run, [&](Run& r) { r.simulation().let_go(vertex); });
}

int muslin_held(int run) { return tell(run, held_vertices); }

int muslin_pull(int run, int vertex, double x, double y, double z) {
  return act(run, [&](Run& r) { r.simulation().pull(vertex, place(x, y, z)); });
}

int muslin_release(int run) {
  return act(run, [](Run& r) { r.simulation().release(); });
}

int muslin_carry(int run, int collider, double x, double y, double z) {
  return act(run, [&](Run& r) { r.simulation().carry(collider, place(x, y, z)); });
}

int muslin_push(int run, const double* forces, int count) {
  return act(run, [&](Run& r) { r.simulation().push(forces_of(r, forces, count)); });
}

int muslin_judge(int run) {
  return tell(run, [](Run& r) {
    const Verdict verdict = r.judge();
    return verdict_json(r.simulation().model(), verdict);
  });
}

int muslin_save(int run) {
  return tell(run, [](const Run& r) { return r.simulation().saved(); });
}

int muslin_load(int run, const void* bytes, int size) {
  return act(run, [&](Run& r) { r.load(std::string(bytes_of(bytes, size))); });
}

}  // extern "C"
