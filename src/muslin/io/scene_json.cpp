#include "muslin/io/scene_json.h"
#include "muslin/io/garmentcode.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "muslin/core/check.h"
#include "muslin/io/complaints.h"
#include "muslin/io/cs184.h"
#include "muslin/io/field_reader.h"
#include "muslin/io/file.h"
#include "muslin/io/garmentcode.h"
#include "muslin/io/mesh_frames.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/override.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/model/mesh_files.h"
#include "muslin/model/pieces.h"
#include "muslin/model/pins.h"
#include "muslin/pattern/pattern_mesh.h"

namespace muslin {

namespace {

namespace fs = std::filesystem;

void check_mesh_paths(const Scene& scene, const JsonNode& root, const NamedMeshes& in_memory,
                      Complaints& complaints) {
  const auto check = [&](const std::string& path, const std::string& file) {
    if (!file.empty() && !in_memory.contains(file) && !lies_below(file, scene.folder))
      complaints.add(root, {path, "must lie below the scene's folder, got " + in_quotes(file)});
  };
  for (size_t i = 0; i < scene.cloths.size(); ++i)
    if (const auto& pattern = scene.cloths[i].pattern)
      check(fmt::format("/cloths/{}/pattern/file", i), pattern->file);
    else if (const auto& mesh = scene.cloths[i].mesh) {
      check(fmt::format("/cloths/{}/mesh/file", i), mesh->file);
      if (mesh->rest_mesh) check(fmt::format("/cloths/{}/mesh/rest_mesh", i), *mesh->rest_mesh);
    }
  for (size_t i = 0; i < scene.colliders.size(); ++i) {
    const auto& [mesh, frames] = std::tie(scene.colliders[i].mesh, scene.colliders[i].frames);
    if (mesh) check(fmt::format("/colliders/{}/mesh/file", i), mesh->file);
    if (!frames) continue;
    for (const std::string& file : frame_files(*frames))
      check(fmt::format("/colliders/{}/frames/file", i), file);
  }
}

// The vertices of rest_mesh, which must have the vertices and faces of the mesh; `path` is what it is called.
Points rest_places(const std::string& path, const Mesh& rest, const Mesh& mesh) {
  if (rest.vertex_count() != mesh.vertex_count())
    throw Error(ErrorKind::invalid,
                fmt::format("{}: a rest_mesh must have the vertices of its mesh, {}, got {}", path,
                            mesh.vertex_count(), rest.vertex_count()));
  const int other = first_other_face(mesh, rest);
  if (other < 0) return rest.positions;
  throw Error(
      ErrorKind::invalid,
      fmt::format("{}: a rest_mesh must have the faces of its mesh in the same order; face {} has vertices "
                  "{}, and in the mesh {}, counted from 0",
                  path, other, vertices_of_face(rest, other), vertices_of_face(mesh, other)));
}

// What `load` gives; an error of its says where the document names the file, too.
template <class Load>
auto load_named(const JsonDocument& document, const std::string& path, const Load& load) try {
  return load();
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}: {}", document.where(nearest_place(document.root, path)),
                                        path, error.what()));
}

/// Where the meshes of a scene come from: memory by their names, else files in the scene's folder.
struct MeshSource {
  const std::string& folder;
  const NamedMeshes& in_memory;

  Mesh get(const std::string& file) const {
    const auto found = in_memory.find(file);
    return found != in_memory.end() ? *found->second : read_mesh(path_of(file));
  }
  /// One whose places alone count.
  Mesh get_places(const std::string& file) const {
    const auto found = in_memory.find(file);
    return found != in_memory.end() ? *found->second : read_mesh(path_of(file), {}, PolygonsAs::fans);
  }
  std::string path_of(const std::string& file) const {
    return in_memory.contains(file) ? file : (fs::path(folder) / file).string();
  }
};

// Leaves the object of the mesh that is wanted; the numbers that its vertices had. `path` is that of the mesh
// in the document.
std::vector<int> choose_object(const JsonDocument& document, const std::string& path, const MeshFile& from,
                               Mesh& mesh) {
  std::vector<int> vertices;
  if (!from.object) return vertices;
  mesh = load_named(document, path + "/object", [&] {
    std::optional<Mesh> object = object_of(mesh, *from.object, vertices);
    if (!object) throw Error(ErrorKind::invalid, unknown_name(mesh, kObject, *from.object));
    return std::move(*object);
  });
  return vertices;
}

void load_cloth_mesh(const JsonDocument& document, const std::string& path, const MeshSource& source,
                     ClothMesh& from) {
  Mesh mesh = load_named(document, path + "/file", [&] { return source.get(from.file); });
  Points rest;
  if (from.rest_mesh)
    rest = load_named(document, path + "/rest_mesh", [&] {
      return rest_places(source.path_of(*from.rest_mesh), source.get_places(*from.rest_mesh), mesh);
    });
  const std::vector<int> vertices = choose_object(document, path, from, mesh);
  if (from.object && from.rest_mesh) rest = Points(rest(Eigen::all, vertices));
  if (from.rest_mesh) from.rest = std::make_shared<const Points>(std::move(rest));
  from.mesh = std::make_shared<const Mesh>(std::move(mesh));
}

// The panels of a pattern are the objects of the mesh that it becomes.
void load_pattern(const JsonDocument& document, const std::string& path, const MeshSource& source,
                  Cloth& cloth) {
  PatternFile& from = *cloth.pattern;
  from.made = std::make_shared<const PatternMesh>(load_named(document, path + "/file", [&] {
    return make_mesh(read_pattern(source.path_of(from.file)), from.resolution, kMaxVertices);
  }));
  ClothMesh& mesh = cloth.mesh.emplace();
  mesh.rotation = from.rotation;
  mesh.translation = from.translation;
  mesh.mesh = std::shared_ptr<const Mesh>(from.made, &from.made->mesh);
  mesh.rest = std::shared_ptr<const Points>(from.made, &from.made->rest);
}

// Frames have the vertices of the whole file, of which the collider may be one object. An animation is taken
// at the scene's frames; what of it the mesh at rest leaves out acts there.
void load_collider_mesh(const JsonDocument& document, const std::string& path, const MeshSource& source,
                        double frame_time, Collider& collider) {
  MeshFile& from = *collider.mesh;
  Mesh mesh = load_named(document, path + "/mesh/file", [&] { return source.get(from.file); });
  if (collider.frames && is_animation_file(collider.frames->file)) {
    collider.frames->interval = frame_time;
    std::erase_if(mesh.repairs, [](const std::string& repair) {
      return repair.starts_with("left out") &&
             (repair.find("animation") != repair.npos || repair.find("morph target") != repair.npos);
    });
  }
  std::vector<Points> shapes;
  if (collider.frames)
    shapes = load_named(document, path + "/frames/file",
                        [&] { return read_mesh_frames(source.folder, *collider.frames, mesh); });
  const std::vector<int> vertices = choose_object(document, path + "/mesh", from, mesh);
  if (from.object)
    for (Points& shape : shapes) shape = Points(shape(Eigen::all, vertices));
  from.mesh = std::make_shared<const Mesh>(std::move(mesh));
  if (collider.frames)
    collider.frames->shapes = std::make_shared<const std::vector<Points>>(std::move(shapes));
}

void load_meshes(const JsonDocument& document, const NamedMeshes& in_memory, Scene& scene) {
  const MeshSource source{scene.folder, in_memory};
  for (size_t i = 0; i < scene.cloths.size(); ++i)
    if (scene.cloths[i].pattern)
      load_pattern(document, fmt::format("/cloths/{}/pattern", i), source, scene.cloths[i]);
    else if (auto& mesh = scene.cloths[i].mesh)
      load_cloth_mesh(document, fmt::format("/cloths/{}/mesh", i), source, *mesh);
  for (size_t i = 0; i < scene.colliders.size(); ++i)
    if (Collider& collider = scene.colliders[i]; collider.mesh)
      load_collider_mesh(document, fmt::format("/colliders/{}", i), source, scene.frame_time, collider);
}

// "/cloths/0" for "/cloths/0/pins/1": the part of a scene that a path leads into.
std::string item_of(const std::string& path) {
  const size_t list_end = path.find('/', 1);
  return list_end == path.npos ? path : path.substr(0, path.find('/', list_end + 1));
}

// `$schema` tells editors where the schema is, `viewer` what the viewer changes (viewer_variant.h); they say
// nothing of the scene.
void drop_keys_of_others(JsonNode& root) {
  if (auto* members = root.as<JsonNode::Object>())
    std::erase_if(*members,
                  [](const JsonMember& member) { return member.key == "$schema" || member.key == "viewer"; });
}

// What is set is the converted scene, which has other names than a CS184 file.
void refuse_their_names(const std::string& name, const std::vector<Override>& overrides) {
  std::string message;
  for (const auto& [path, value] : overrides)
    if (const std::string ours = converted_path(path); !ours.empty())
      message += fmt::format("{}--set {}: {} is a CS184 file; in the scene it becomes this is {}",
                             message.empty() ? "" : "\n", path, name, ours);
  if (!message.empty()) throw Error(ErrorKind::invalid, message);
}

// Cloths without a name get one that is free: "cloth", "cloth 2", "cloth 3".
void name_cloths(const JsonNode& root, Scene& scene) {
  const JsonNode* const cloths = root.find("cloths");
  const auto* const written = cloths ? cloths->as<JsonNode::Array>() : nullptr;
  if (!written || written->size() != scene.cloths.size()) return;
  std::set<std::string> taken;
  for (size_t i = 0; i < written->size(); ++i)
    if ((*written)[i].find("name")) taken.insert(scene.cloths[i].name);
  int next = 1;
  for (size_t i = 0; i < written->size(); ++i) {
    if ((*written)[i].find("name")) continue;
    std::string name = Cloth().name;
    for (; !taken.insert(name).second; name = fmt::format("{} {}", Cloth().name, ++next)) {
    }
    scene.cloths[i].name = name;
  }
}

Scene read_document(const JsonDocument& document, const std::string& folder, const NamedMeshes& in_memory) {
  Complaints complaints;
  auto scene = read_described<Scene>(document, FieldReader::Missing::keeps_default, complaints);
  if (!document.root.as<JsonNode::Object>()) complaints.raise(document);
  name_cloths(document.root, scene);
  scene.folder = folder;
  // How fields fit together is judged only where each is right: pins may seem off a grid not understood.
  const Complaints of_fields = complaints;
  for (const Problem& problem : find_problems(scene))
    if (!of_fields.touch(item_of(problem.path))) complaints.add(document.root, problem);
  check_mesh_paths(scene, document.root, in_memory, complaints);
  complaints.raise(document);
  load_meshes(document, in_memory, scene);
  for (const Problem& problem : find_problems(scene)) complaints.add(document.root, problem);
  complaints.raise(document);
  return scene;
}

}  // namespace

Scene read_scene(const std::string& path, const std::vector<Override>& overrides) {
  return parse_scene(read_file(path, kMaxJsonBytes), path, fs::path(path).parent_path().string(), overrides);
}

Scene parse_scene(const std::string& text, const std::string& name, const std::string& folder,
                  const std::vector<Override>& overrides, const NamedMeshes& meshes) {
  JsonDocument document{name, text, parse_json(text, name), {}};
  if (is_cs184(document.root)) {
    Scene scene = convert_cs184(document);
    scene.folder = folder;
    if (overrides.empty()) return scene;
    refuse_their_names(name, overrides);
    return parse_scene(write_scene(scene), name + " (converted)", folder, overrides);
  }
  drop_keys_of_others(document.root);
  Complaints complaints;
  apply_overrides(document, overrides, complaints);
  complaints.raise(document);
  return read_document(document, folder, meshes);
}

}  // namespace muslin
