#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"

namespace muslin {

/// A test that draws.
class PictureTest : public testing::Test {
 protected:
  Image draw(const View& view) { return draw_image(renderer_, view); }

 private:
  OffscreenContext context_;

 protected:
  Renderer renderer_;
};

/// The largest difference of two colours in a channel.
inline int difference(const Pixel& a, const Pixel& b) {
  int most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return most;
}

inline PosedCollider ball(double radius) {
  Collider collider;
  collider.shape = Shape::sphere;
  collider.radius = radius;
  return {collider, {}};
}

/// n×n vertices; place(u, v) with u, v in [0, 1].
template <class Place>
Stage sheet(int n, const Place& place) {
  Stage stage;
  stage.positions.resize(3, n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double u = i / (n - 1.0), v = j / (n - 1.0);
      stage.positions.col(j * n + i) = place(u, v);
      stage.uv.push_back({u, v});
    }
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      stage.triangles.push_back({a, a + 1, a + n + 1});
      stage.triangles.push_back({a, a + n + 1, a + n});
    }
  return stage;
}

inline Camera from(const Vec3& eye) { return {eye, Vec3::Zero(), Vec3::UnitY(), 30}; }

/// Pixels of a length 1 at distance 1, seen by `from`.
inline double focal_length(const View& view) { return view.height / 2.0 / std::tan(15 * M_PI / 180); }

}  // namespace muslin
