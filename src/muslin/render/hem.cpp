#include "muslin/render/hem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace muslin {

namespace {

constexpr double kWidth = 0.011, kThickness = 0.0036;  // of the cloth's size
constexpr int kOfSection = 10;                         // points of a section
constexpr float kDarker = 0.86f;                       // cloth that is folded over lets less light through

/// The edges that one triangle alone has, each as its triangle goes along it: the cloth lies to the left.
std::vector<Stencil<2>> borders(const std::vector<Stencil<3>>& triangles) {
  std::map<Stencil<2>, int> of_both_ways;
  for (const Stencil<3>& t : triangles)
    for (int k = 0; k < 3; ++k)
      ++of_both_ways[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
  std::vector<Stencil<2>> found;
  for (const Stencil<3>& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (of_both_ways.at({std::min(a, b), std::max(a, b)}) == 1) found.push_back({a, b});
    }
  return found;
}

/// Where a section of the hem is: an ellipse whose outermost point is the border.
struct Section {
  Vec3 border, inwards, normal;  ///< inwards: of length 1 across the border, more at a corner
};

void add_section(const Section& at, double size, const DrawVertex& own, Drawable& drawable) {
  const double a = kWidth * size / 2, b = kThickness * size / 2;
  for (int k = 0; k < kOfSection; ++k) {
    const double angle = 2 * M_PI * k / kOfSection, out = std::cos(angle), up = std::sin(angle);
    DrawVertex vertex = own;
    const Vec3 place = at.border + a * (1 - out) * at.inwards + b * up * at.normal;
    vertex.position = place.cast<float>();
    vertex.normal = (up / b * at.normal - out / a * at.inwards).normalized().cast<float>();
    vertex.colour *= kDarker;
    drawable.vertices.push_back(vertex);
  }
}

}  // namespace

void add_hem(const Stage& stage, Drawable& cloth) {
  const std::vector<Stencil<2>> edges = borders(stage.triangles);
  const double size = cloth_size(stage);

  // 1. At every vertex of a border: across the mean of the edges there, longer where they make a corner
  std::map<int, Vec3> across;
  const auto inwards_of = [&](const Stencil<2>& edge, int vertex) -> Vec3 {
    const Vec3 along = stage.positions.col(edge[1]) - stage.positions.col(edge[0]);
    return cloth.vertices[vertex].normal.cast<double>().cross(along).normalized();
  };
  for (const Stencil<2>& edge : edges)
    for (const int vertex : edge)
      across.try_emplace(vertex, Vec3::Zero()).first->second += inwards_of(edge, vertex);
  for (auto& [vertex, inwards] : across) {
    constexpr double kLongest = 1.5;         // of a mitre
    const double half = inwards.norm() / 2;  // the cosine of half the angle between two edges
    inwards = inwards.normalized() * std::min(kLongest, 1 / std::max(half, 0.1));
  }

  // 2. A piece of the bead along every edge
  for (const auto& [a, b] : edges) {
    const int first = static_cast<int>(cloth.vertices.size());
    for (const int vertex : {a, b}) {
      const DrawVertex own = cloth.vertices[vertex];
      add_section({stage.positions.col(vertex), across.at(vertex), own.normal.cast<double>()}, size, own,
                  cloth);
    }
    for (int k = 0; k < kOfSection; ++k) {
      const int next = (k + 1) % kOfSection;
      cloth.triangles.push_back({first + k, first + kOfSection + k, first + kOfSection + next});
      cloth.triangles.push_back({first + k, first + kOfSection + next, first + next});
    }
  }
}

}  // namespace muslin
