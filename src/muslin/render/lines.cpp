#include "muslin/render/lines.h"

#include <algorithm>

#include "muslin/render/shaders.h"

namespace muslin {
namespace {

const Eigen::Vector4f kEdgeColour{0.06f, 0.07f, 0.09f, 0.55f};
const Eigen::Vector4f kMarkColour{0.80f, 0.16f, 0.12f, 1.0f};
constexpr double kReferenceHeight = 720;  // of a picture whose lines have the widths below [pixels]

/// Every edge of the triangles once, as pairs.
std::vector<int> edge_indices(const std::vector<Stencil<3>>& triangles) {
  std::vector<Stencil<2>> edges;
  edges.reserve(3 * triangles.size());
  for (const Stencil<3>& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<int> indices;
  for (const Stencil<2>& e : edges) indices.insert(indices.end(), {e[0], e[1]});
  return indices;
}

std::vector<int> spring_indices(const std::vector<SpringLine>& springs, SpringClass kind) {
  std::vector<int> indices;
  for (const SpringLine& spring : springs)
    if (spring.kind == kind) indices.insert(indices.end(), {spring.vertices[0], spring.vertices[1]});
  return indices;
}

}  // namespace

Eigen::Vector3f spring_colour(SpringClass kind) {
  switch (kind) {
    case SpringClass::structural:
      return {0.96f, 0.72f, 0.18f};
    case SpringClass::shear:
      return {0.16f, 0.68f, 0.62f};
    case SpringClass::bend:
      break;
  }
  return {0.84f, 0.33f, 0.56f};
}

Lines::Lines(const DrawBuffer& cloth)
    : line_(shaders::line()),
      dot_(shaders::dot()),
      edges_(cloth),
      structural_(cloth),
      shear_(cloth),
      bend_(cloth),
      marked_(cloth) {}

void Lines::upload(const Stage& stage) {
  edges_.upload(edge_indices(stage.triangles));
  structural_.upload(spring_indices(stage.springs, SpringClass::structural));
  shear_.upload(spring_indices(stage.springs, SpringClass::shear));
  bend_.upload(spring_indices(stage.springs, SpringClass::bend));
  marked_.upload(stage.marked);
}

void Lines::draw(const View& view, const Eigen::Matrix4d& clip) const {
  const double scale = std::max(0.6, view.height / kReferenceHeight);
  const auto draw = [&](const Program& program, const LineBuffer& buffer, GLenum mode, double width,
                        double nearer, const Eigen::Vector4f& colour) {
    if (buffer.empty()) return;
    program.use();
    program.set("picture_size", Vec2(view.width, view.height));
    program.set("eye", view.camera.eye);
    program.set("clip", clip);
    program.set("nearer", nearer);
    program.set("line_width", width * scale);
    program.set("line_colour", colour);
    buffer.draw(mode);
  };
  const auto draw_springs = [&](const LineBuffer& buffer, SpringClass kind, double width, double nearer) {
    const Eigen::Vector3f c = spring_colour(kind);
    if (shows(view.look, kind)) draw(line_, buffer, GL_LINES, width, nearer, {c[0], c[1], c[2], 1});
  };
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (view.look.wireframe) draw(line_, edges_, GL_LINES, 1.0, 0.002, kEdgeColour);
  draw_springs(bend_, SpringClass::bend, 3.0,
               0.003);  // bend springs run below structural ones: a rim remains
  draw_springs(shear_, SpringClass::shear, 1.4, 0.004);
  draw_springs(structural_, SpringClass::structural, 1.4, 0.005);
  draw(dot_, marked_, GL_POINTS, 10, 0.01, kMarkColour);
  glDisable(GL_BLEND);
}

}  // namespace muslin
