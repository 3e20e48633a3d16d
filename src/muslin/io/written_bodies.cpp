#include "muslin/io/written_bodies.h"

#include <numbers>
#include <set>
#include <utility>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/io/written_faces.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

namespace {

constexpr int kAround = 16;  // corners of circles: what a body in the background needs to look round

void add_face(WrittenBody& body, const std::vector<int>& corners) {
  body.corners.insert(body.corners.end(), corners.begin(), corners.end());
  body.face_end.push_back(static_cast<int>(body.corners.size()));
}

WrittenBody cloth_body(const Model& model, const WrittenMesh& mesh, const std::set<int>& pinned) {
  WrittenBody body;
  body.name = mesh.name;
  body.colour = mesh.colour;
  body.first_vertex = mesh.first_vertex;
  body.vertex_count = mesh.vertex_count;
  body.uv = mesh.uv;
  const bool is_cut = has_seams(mesh);
  for_each_face(model, mesh, [&](const std::vector<int>& corners, int begin) {
    add_face(body, corners);
    for (int k = 0; is_cut && k < std::ssize(corners); ++k)
      body.corner_uv.push_back(uv_at(mesh, corners[k], begin + k));
  });
  for (int t = mesh.first_triangle; t < mesh.first_triangle + mesh.triangle_count; ++t) {
    Stencil<3> triangle = user_triangle(model, t);
    for (int& v : triangle) v -= mesh.first_vertex;
    body.triangles.push_back(triangle);
  }
  for (std::size_t t = 0; t < mesh.triangle_uv.size(); ++t)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangle_uv[t][k] != mesh.uv[body.triangles[t][k]]) body.triangle_uv = mesh.triangle_uv;
  for (int v = 0; v < mesh.vertex_count; ++v)
    if (pinned.contains(model.vertex_numbers.to_model(mesh.first_vertex + v))) body.pinned.push_back(v);
  return body;
}

/// The diagonal of the box about the cloth at the start [m].
double size_of_cloth(const Model& model) {
  if (model.start.cols() == 0) return 1;
  return (model.start.rowwise().maxCoeff() - model.start.rowwise().minCoeff()).norm();
}

Mesh mesh_of(const Model& model, const Collider& collider) {
  const ColliderShape& shape = shape_of(collider);
  if (collider.shape == Shape::mesh) return shape.mesh(collider, 0, 0);
  const bool is_plane = collider.shape == Shape::plane;
  Mesh mesh =
      shape.mesh(collider, is_plane ? 0 : std::numbers::pi * shape.width(collider) / kAround, kAround);
  if (is_plane)  // its own mesh reaches to the horizon
    mesh.positions *= 2 * size_of_cloth(model) / mesh.positions.cwiseAbs().maxCoeff();
  else
    for (auto corner : mesh.positions.colwise()) {
      const auto [distance, normal] = shape.surface(collider, corner);
      corner -= distance * normal;
    }
  return mesh;
}

}  // namespace

std::vector<WrittenBody> written_cloths(const Model& model) {
  std::set<int> pinned;
  for (const PinnedVertex& pin : model.script.pins) pinned.insert(pin.vertex);
  std::vector<WrittenBody> bodies;
  for (const WrittenMesh& mesh : model.written) bodies.push_back(cloth_body(model, mesh, pinned));
  return bodies;
}

std::vector<WrittenBody> written_colliders(const Model& model) {
  std::vector<WrittenBody> bodies;
  for (int c = 0; c < std::ssize(model.colliders); ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled) continue;
    Mesh mesh = mesh_of(model, collider);
    WrittenBody body;
    body.name = collider.name;
    body.colour = collider.colour;
    body.vertex_count = mesh.vertex_count();
    body.collider = c;
    body.deforms = collider.frames.has_value();
    for (const auto& [a, b, c2] : mesh.triangles) add_face(body, {a, b, c2});
    for (int t = 0; t < std::ssize(mesh.triangle_uv); ++t) {
      body.triangle_uv.push_back(mesh.uv_of(t));
      body.corner_uv.insert(body.corner_uv.end(), body.triangle_uv.back().begin(),
                            body.triangle_uv.back().end());
    }
    body.triangles = std::move(mesh.triangles);
    body.uv = std::move(mesh.uv);
    body.shape = std::move(mesh.positions);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

BlockedBodies blocked_bodies(const Model& model, const State& state) {
  BlockedBodies blocked;
  if (state.blocked.cols() == 0) return blocked;
  const std::vector<Pose> here = placed_in(model, state).poses,
                          wanted = poses_at(model.colliders, state.time);
  for (int c = 0; c < std::ssize(wanted); ++c)
    if (!model.colliders[c].frames &&
        (here[c].rotation != wanted[c].rotation || here[c].translation != wanted[c].translation))
      blocked[c] = here[c];
  return blocked;
}

Pose pose_of_body(const Model& model, const WrittenBody& body, double time, const BlockedBodies& blocked) {
  const auto held = blocked.find(body.collider);
  return held != blocked.end() ? held->second : pose_at(model.colliders[body.collider], time);
}

Points shape_of_body(const Model& model, const WrittenBody& body, double time) {
  return body.deforms ? shape_at(model.colliders[body.collider], time) : body.shape;
}

Points positions_of_body(const Model& model, const WrittenBody& body, const Points& positions) {
  Points own(3, body.vertex_count);
  for (int v = 0; v < body.vertex_count; ++v)
    own.col(v) = positions.col(model.vertex_numbers.to_model(body.first_vertex + v));
  return own;
}

}  // namespace muslin
